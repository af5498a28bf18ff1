// Package services joins KServe's controller of InferenceServices, and its webhooks of them, of
// runtimes and of pods, to a manager, as KServe's own manager does it.
package services

import (
	"context"

	"github.com/kserve/kserve/pkg/apis/serving/v1beta1"
	"github.com/kserve/kserve/pkg/controller/v1beta1/inferenceservice"
	kservescheme "github.com/kserve/kserve/pkg/scheme"
	"github.com/kserve/kserve/pkg/webhook/admission/pod"
	"github.com/kserve/kserve/pkg/webhook/admission/servingruntime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// NewManager has what KServe's manager has for InferenceServices; deploy is how the ConfigMap that
// KServe ships says they are deployed.
func NewManager(config *rest.Config, hooks webhook.Server) (ctrl.Manager, *v1beta1.DeployConfig, error) {
	cached, err := inferenceservice.NewCacheOptions()
	if err != nil {
		return nil, nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:         cached,
		Metrics:       metrics.Options{BindAddress: "0"},
		WebhookServer: hooks,
	})
	if err != nil {
		return nil, nil, err
	}
	if err := kservescheme.AddAll(manager.GetScheme()); err != nil {
		return nil, nil, err
	}
	direct, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, nil, err
	}
	deploy, err := addController(manager, direct)
	if err != nil {
		return nil, nil, err
	}
	return manager, deploy, addHooks(manager, direct)
}

// addController reads the ConfigMap that KServe ships for what it must know at its start.
func addController(manager ctrl.Manager, direct kubernetes.Interface) (*v1beta1.DeployConfig, error) {
	shipped, err := v1beta1.GetInferenceServiceConfigMap(context.Background(), direct)
	if err != nil {
		return nil, err
	}
	deploy, err := v1beta1.NewDeployConfig(shipped)
	if err != nil {
		return nil, err
	}
	ingress, err := v1beta1.NewIngressConfig(shipped)
	if err != nil {
		return nil, err
	}
	if _, err := v1beta1.NewMultiNodeConfig(shipped); err != nil {
		return nil, err
	}
	reconciler := &inferenceservice.InferenceServiceReconciler{
		Client:    manager.GetClient(),
		Clientset: direct,
		Log:       ctrl.Log,
		Scheme:    manager.GetScheme(),
		Recorder:  manager.GetEventRecorderFor("kserve"),
	}
	return deploy, reconciler.SetupWithManager(manager, deploy, ingress)
}

// addHooks serves each of them at the path that KServe's own configurations of webhooks name.
func addHooks(manager ctrl.Manager, direct kubernetes.Interface) error {
	reader, decoder := manager.GetClient(), admission.NewDecoder(manager.GetScheme())
	for path, handler := range map[string]admission.Handler{
		"/mutate-pods": &pod.Mutator{Client: reader, Clientset: direct, Decoder: decoder},
		"/validate-serving-kserve-io-v1alpha1-clusterservingruntime": &servingruntime.ClusterServingRuntimeValidator{
			Client: reader, Decoder: decoder,
		},
		"/validate-serving-kserve-io-v1alpha1-servingruntime": &servingruntime.ServingRuntimeValidator{
			Client: reader, Decoder: decoder,
		},
	} {
		manager.GetWebhookServer().Register(path, &webhook.Admission{Handler: handler})
	}
	if err := addKnativeHooks(manager); err != nil {
		return err
	}
	return ctrl.NewWebhookManagedBy(manager).
		For(&v1beta1.InferenceService{}).
		WithDefaulter(&v1beta1.InferenceServiceDefaulter{}).
		WithValidator(&v1beta1.InferenceServiceValidator{}).
		Complete()
}
