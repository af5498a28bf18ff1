// Command controller runs KServe's real webhooks and its InferenceService controller on loopback.
// Those of language models are in the folder llm, as KServe has a program of its own for them.
//
// This file only joins the parts of KServe as its own manager does, without a leader, and with
// webhooks that nobody else can reach.
package main

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

	"servingctl/conformance/kserve/loopback"
)

func main() {
	loopback.Main(newManager)
}

func newManager(config *rest.Config, hooks webhook.Server) (ctrl.Manager, error) {
	cached, err := inferenceservice.NewCacheOptions()
	if err != nil {
		return nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:         cached,
		Metrics:       metrics.Options{BindAddress: "0"},
		WebhookServer: hooks,
	})
	if err != nil {
		return nil, err
	}
	if err := kservescheme.AddAll(manager.GetScheme()); err != nil {
		return nil, err
	}
	direct, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	if err := addController(manager, direct); err != nil {
		return nil, err
	}
	return manager, addHooks(manager, direct)
}

// addController reads the ConfigMap that KServe ships for what it must know at its start.
func addController(manager ctrl.Manager, direct kubernetes.Interface) error {
	shipped, err := v1beta1.GetInferenceServiceConfigMap(context.Background(), direct)
	if err != nil {
		return err
	}
	deploy, err := v1beta1.NewDeployConfig(shipped)
	if err != nil {
		return err
	}
	ingress, err := v1beta1.NewIngressConfig(shipped)
	if err != nil {
		return err
	}
	if _, err := v1beta1.NewMultiNodeConfig(shipped); err != nil {
		return err
	}
	reconciler := &inferenceservice.InferenceServiceReconciler{
		Client:    manager.GetClient(),
		Clientset: direct,
		Log:       ctrl.Log,
		Scheme:    manager.GetScheme(),
		Recorder:  manager.GetEventRecorderFor("kserve"),
	}
	return reconciler.SetupWithManager(manager, deploy, ingress)
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
