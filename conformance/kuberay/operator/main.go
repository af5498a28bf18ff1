// Command operator runs KubeRay's real controllers and webhooks on loopback, for as long as its
// standard input is open.
//
// The variable KUBECONFIG says where the API server is; the arguments are namespaces to watch. The
// first line that it prints is JSON: where the webhooks listen and their certificate, and where the
// dashboards tell what was written to them. This file only joins the parts of KubeRay as its own
// manager does, without a leader, and with a stand-in for the dashboards of Ray clusters.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"

	configapi "github.com/ray-project/kuberay/ray-operator/apis/config/v1alpha1"
	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"github.com/ray-project/kuberay/ray-operator/pkg/features"
	webhooks "github.com/ray-project/kuberay/ray-operator/pkg/webhooks/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/cert"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

const (
	host = "127.0.0.1"
	// concurrency is more than KubeRay's own default of one, which only takes longer.
	concurrency = 4
)

// everyEvent is told: usually those that come often are left out, and with them what is new.
var everyEvent = record.CorrelatorOptions{BurstSize: 100000, QPS: 1000}

func main() {
	gates := flag.String("feature-gates", "", "as KubeRay's own option of this name")
	flag.Parse()
	if err := serve(*gates, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(gates string, namespaces []string) error {
	ctrl.SetLogger(klog.NewKlogr())
	if err := utilfeature.DefaultMutableFeatureGate.Set(gates); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	hooks, announcement, err := hookServer()
	if err != nil {
		return err
	}
	dashboards := newDashboards()
	if announcement["dashboards"], err = dashboards.listen(); err != nil {
		return err
	}
	manager, err := newManager(config, hooks, namespaces)
	if err != nil {
		return err
	}
	if err := addControllers(ctx, manager, config, dashboards); err != nil {
		return err
	}
	if err := addHooks(manager); err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(announcement); err != nil {
		return err
	}
	return manager.Start(ctx)
}

// hookServer is bound to loopback, with a certificate that lives as long as the process.
func hookServer() (webhook.Server, map[string]any, error) {
	certificate, key, err := cert.GenerateSelfSignedCertKey(host, []net.IP{net.ParseIP(host)}, nil)
	if err != nil {
		return nil, nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		return nil, nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return nil, nil, err
	}
	server := webhook.NewServer(webhook.Options{
		Host: host,
		Port: port,
		TLSOpts: []func(*tls.Config){func(config *tls.Config) {
			config.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
				return &pair, nil
			}
		}},
	})
	where := fmt.Sprintf("https://%s:%d", host, port)
	return server, map[string]any{"hooks": where, "certificate": certificate}, nil
}

func newManager(config *rest.Config, hooks webhook.Server, namespaces []string) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	kinds := []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, rayv1.AddToScheme}
	if features.Enabled(features.RayServiceIncrementalUpgrade) {
		kinds = append(kinds, gatewayv1.AddToScheme)
	}
	for _, add := range kinds {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	own := labels.SelectorFromSet(labels.Set{utils.KubernetesCreatedByLabelKey: utils.ComponentName})
	watched := map[string]cache.Config{}
	for _, name := range namespaces {
		watched[name] = cache.Config{}
	}
	return ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme,
		Cache: cache.Options{
			DefaultNamespaces: watched,
			ByObject:          map[client.Object]cache.ByObject{&batchv1.Job{}: {Label: own}},
		},
		Metrics:          metrics.Options{BindAddress: "0"},
		WebhookServer:    hooks,
		EventBroadcaster: record.NewBroadcasterWithCorrelatorOptions(everyEvent),
	})
}

func addControllers(
	ctx context.Context, manager ctrl.Manager, config *rest.Config, dashboards *dashboards,
) error {
	schedulers, err := batchscheduler.NewSchedulerManager(
		ctx, configapi.Configuration{}, config, manager.GetClient(),
	)
	if err != nil {
		return err
	}
	clusters := ray.RayClusterReconcilerOptions{BatchSchedulerManager: schedulers}
	if err := ray.NewReconciler(ctx, manager, clusters).SetupWithManager(manager, concurrency); err != nil {
		return err
	}
	services := ray.NewRayServiceReconciler(ctx, manager, dashboards)
	if err := services.SetupWithManager(manager, concurrency); err != nil {
		return err
	}
	options := ray.RayJobReconcilerOptions{BatchSchedulerManager: schedulers}
	return ray.NewRayJobReconciler(ctx, manager, options, dashboards).SetupWithManager(manager, concurrency)
}

func addHooks(manager ctrl.Manager) error {
	for _, add := range []func(ctrl.Manager) error{
		webhooks.SetupRayClusterWebhookWithManager,
		webhooks.SetupRayJobWebhookWithManager,
		webhooks.SetupRayServiceWebhookWithManager,
	} {
		if err := add(manager); err != nil {
			return err
		}
	}
	return nil
}
