// Command plain runs KServe's real webhooks and controllers of graphs, trained models and caches of
// models on loopback, beside those of InferenceServices, which they need.
//
// KServe has three programs for them: its manager, that of caches, and an agent on each node. Here
// they are one, and the agent is that of the node which the variable NODE_NAME names.
package main

import (
	"github.com/kserve/kserve/pkg/apis/serving/v1alpha1"
	"github.com/kserve/kserve/pkg/apis/serving/v1beta1"
	"github.com/kserve/kserve/pkg/controller/v1alpha1/inferencegraph"
	"github.com/kserve/kserve/pkg/controller/v1alpha1/localmodel/reconcilers"
	"github.com/kserve/kserve/pkg/controller/v1alpha1/localmodelnode"
	"github.com/kserve/kserve/pkg/controller/v1alpha1/trainedmodel"
	"github.com/kserve/kserve/pkg/controller/v1alpha1/trainedmodel/reconcilers/modelconfig"
	"github.com/kserve/kserve/pkg/webhook/admission/localmodelcache"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"servingctl/conformance/kserve/loopback"
	"servingctl/conformance/kserve/services"
)

func main() {
	loopback.Main(newManager)
}

func newManager(config *rest.Config, hooks webhook.Server) (ctrl.Manager, error) {
	manager, deploy, err := services.NewManager(config, hooks)
	if err != nil {
		return nil, err
	}
	direct, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if err := addControllers(manager, direct, deploy); err != nil {
		return nil, err
	}
	if err := addCaches(manager, direct); err != nil {
		return nil, err
	}
	return manager, addHooks(manager)
}

func addControllers(
	manager ctrl.Manager, direct kubernetes.Interface, deploy *v1beta1.DeployConfig,
) error {
	seen, scheme := manager.GetClient(), manager.GetScheme()
	graphs := &inferencegraph.InferenceGraphReconciler{
		Client:    seen,
		Clientset: direct,
		Log:       ctrl.Log,
		Scheme:    scheme,
		Recorder:  manager.GetEventRecorderFor("InferenceGraphController"),
	}
	if err := graphs.SetupWithManager(manager, deploy); err != nil {
		return err
	}
	models := &trainedmodel.TrainedModelReconciler{
		Client:                seen,
		Clientset:             direct,
		Log:                   ctrl.Log,
		Scheme:                scheme,
		Recorder:              manager.GetEventRecorderFor("v1beta1Controllers"),
		ModelConfigReconciler: modelconfig.NewModelConfigReconciler(seen, direct, scheme),
	}
	return models.SetupWithManager(manager)
}

func addCaches(manager ctrl.Manager, direct *kubernetes.Clientset) error {
	seen, scheme := manager.GetClient(), manager.GetScheme()
	caches := &reconcilers.LocalModelReconciler{Client: seen, Clientset: direct, Log: ctrl.Log, Scheme: scheme}
	if err := caches.SetupWithManager(manager); err != nil {
		return err
	}
	agent := &localmodelnode.LocalModelNodeReconciler{Client: seen, Clientset: direct, Log: ctrl.Log, Scheme: scheme}
	return agent.SetupWithManager(manager)
}

func addHooks(manager ctrl.Manager) error {
	caches := &localmodelcache.LocalModelCacheValidator{Client: manager.GetClient()}
	for _, hook := range []*builder.WebhookBuilder{
		ctrl.NewWebhookManagedBy(manager).For(&v1alpha1.InferenceGraph{}).WithValidator(&v1alpha1.InferenceGraphValidator{}),
		ctrl.NewWebhookManagedBy(manager).For(&v1alpha1.TrainedModel{}).WithValidator(&v1alpha1.TrainedModelValidator{}),
		ctrl.NewWebhookManagedBy(manager).For(&v1alpha1.LocalModelCache{}).WithValidator(caches),
	} {
		if err := hook.Complete(); err != nil {
			return err
		}
	}
	return nil
}
