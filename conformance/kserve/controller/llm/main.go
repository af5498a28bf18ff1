// Command llm runs KServe's real webhooks and controllers of language models on loopback, for as
// long as its standard input is open.
//
// They are joined as KServe's own manager of them does it: the same caches, and the same checks of
// configurations. Only the migration of stored objects is left out, as there are none.
package main

import (
	"context"

	"github.com/kserve/kserve/pkg/apis/serving/v1alpha1"
	"github.com/kserve/kserve/pkg/apis/serving/v1alpha2"
	"github.com/kserve/kserve/pkg/constants"
	"github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc"
	kservescheme "github.com/kserve/kserve/pkg/scheme"
	defaults "github.com/kserve/kserve/pkg/webhook/admission/llminferenceservice"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"servingctl/conformance/kserve/loopback"
)

func main() {
	loopback.Main(newManager)
}

func newManager(config *rest.Config, hooks webhook.Server) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	if err := clientscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if err := kservescheme.AddLLMISVCAPIs(scheme); err != nil {
		return nil, err
	}
	seen, err := seenObjects()
	if err != nil {
		return nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Cache:         seen,
		Metrics:       metrics.Options{BindAddress: "0"},
		WebhookServer: hooks,
	})
	if err != nil {
		return nil, err
	}
	direct, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	validator := &v1alpha2.LLMInferenceServiceValidator{}
	if err := addHooks(manager, direct, validator); err != nil {
		return nil, err
	}
	return manager, addControllers(manager, direct, validator)
}

// seenObjects are all that KServe's manager sees of what others may make too: what has its label.
func seenObjects() (cache.Options, error) {
	selector, err := meta.LabelSelectorAsSelector(&llmisvc.ChildResourcesLabelSelector)
	if err != nil {
		return cache.Options{}, err
	}
	labelled := cache.ByObject{Label: selector}
	settings := fields.OneTermEqualSelector("metadata.name", constants.InferenceServiceConfigMapName)
	return cache.Options{ByObject: map[client.Object]cache.ByObject{
		&core.Secret{}: labelled,
		&core.ConfigMap{}: {Namespaces: map[string]cache.Config{
			cache.AllNamespaces:       {LabelSelector: selector},
			constants.KServeNamespace: {FieldSelector: settings},
		}},
		&apps.Deployment{}:                     labelled,
		&core.Pod{}:                            labelled,
		&autoscaling.HorizontalPodAutoscaler{}: labelled,
	}}, nil
}

func addHooks(
	manager ctrl.Manager, direct kubernetes.Interface, validator *v1alpha2.LLMInferenceServiceValidator,
) error {
	reader := manager.GetAPIReader()
	older := &v1alpha1.LLMInferenceServiceConfigValidator{
		ConfigValidationFunc: func(ctx context.Context, config *v1alpha1.LLMInferenceServiceConfig) error {
			newer := &v1alpha2.LLMInferenceServiceConfig{}
			if err := config.ConvertTo(newer); err != nil {
				return err
			}
			return rendered(ctx, reader, newer)
		},
		WellKnownConfigChecker:         isShipped,
		PreventWellKnownConfigDeletion: true,
	}
	newer := &v1alpha2.LLMInferenceServiceConfigValidator{
		ConfigValidationFunc: func(ctx context.Context, config *v1alpha2.LLMInferenceServiceConfig) error {
			return rendered(ctx, reader, config)
		},
		WellKnownConfigChecker:         isShipped,
		PreventWellKnownConfigDeletion: true,
	}
	for _, add := range []func(ctrl.Manager) error{
		validator.SetupWithManager,
		(&v1alpha1.LLMInferenceServiceValidator{}).SetupWithManager,
		older.SetupWithManager,
		newer.SetupWithManager,
	} {
		if err := add(manager); err != nil {
			return err
		}
	}
	old := &defaults.LLMInferenceServiceDefaulterV1Alpha1{Client: manager.GetClient(), Clientset: direct}
	current := &defaults.LLMInferenceServiceDefaulterV1Alpha2{Client: manager.GetClient(), Clientset: direct}
	for _, hook := range []*builder.WebhookBuilder{
		// A kind with more than one version is converted too, as soon as it is named here.
		ctrl.NewWebhookManagedBy(manager).For(&v1alpha2.LLMInferenceServiceConfig{}),
		ctrl.NewWebhookManagedBy(manager).For(&v1alpha1.LLMInferenceService{}).WithDefaulter(old),
		ctrl.NewWebhookManagedBy(manager).For(&v1alpha2.LLMInferenceService{}).WithDefaulter(current),
	} {
		if err := hook.Complete(); err != nil {
			return err
		}
	}
	return nil
}

func isShipped(name string) bool {
	return llmisvc.WellKnownDefaultConfigs.Has(name)
}

// rendered tells whether a configuration is a template that can be filled in for KServe's sample.
func rendered(
	ctx context.Context, reader client.Reader, config *v1alpha2.LLMInferenceServiceConfig,
) error {
	settings, err := llmisvc.LoadConfig(ctx, reader)
	if err != nil {
		return err
	}
	_, err = llmisvc.ReplaceVariables(llmisvc.LLMInferenceServiceSample(), config, settings)
	return err
}

func addControllers(
	manager ctrl.Manager, direct *kubernetes.Clientset, validator *v1alpha2.LLMInferenceServiceValidator,
) error {
	services := &llmisvc.LLMISVCReconciler{
		Client:        manager.GetClient(),
		Config:        manager.GetConfig(),
		Clientset:     direct,
		EventRecorder: manager.GetEventRecorderFor("LLMInferenceServiceController"),
		Validator: func(ctx context.Context, service *v1alpha2.LLMInferenceService) error {
			_, err := validator.ValidateCreate(ctx, service)
			return err
		},
	}
	if err := services.SetupWithManager(manager); err != nil {
		return err
	}
	configs := &llmisvc.LLMISVCConfigReconciler{
		Client:        manager.GetClient(),
		EventRecorder: manager.GetEventRecorderFor("LLMInferenceServiceConfigController"),
	}
	return configs.SetupWithManager(manager)
}
