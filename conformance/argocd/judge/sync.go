package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	argocommon "github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	argokube "github.com/argoproj/argo-cd/v3/util/kube"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/gitops-engine/pkg/diff"
	"github.com/argoproj/gitops-engine/pkg/sync"
	"github.com/argoproj/gitops-engine/pkg/sync/common"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubectl/pkg/util/openapi"
)

// syncRequest asks for one look of a sync: what Git has, what is there of it, and the state after the last look.
type syncRequest struct {
	Settings    map[string]string            `json:"settings"`
	Project     v1alpha1.AppProject          `json:"project"`
	Application v1alpha1.Application         `json:"application"`
	Targets     []*unstructured.Unstructured `json:"targets"`
	Live        []*unstructured.Unstructured `json:"live"`
	State       syncState                    `json:"state"`
}

type syncState struct {
	Phase   common.OperationPhase       `json:"phase"`
	Message string                      `json:"message"`
	Results []common.ResourceSyncResult `json:"results"`
}

// target is a cluster that is synced to.
type target struct {
	config  *rest.Config
	schemas openapi.Resources
	scopes  scopes
}

func newSync() (func(json.RawMessage) (any, error), error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	schemas, _, err := argokube.NewKubectl().LoadOpenAPISchema(config)
	if err != nil {
		return nil, err
	}
	found, err := scopesOf(config)
	if err != nil {
		return nil, err
	}
	return target{config, schemas, found}.sync, nil
}

// sync does what Argo CD's controller does each time it looks at a running operation.
func (to target) sync(line json.RawMessage) (any, error) {
	request, err := decoded[syncRequest](line)
	if err != nil {
		return nil, err
	}
	live := map[kube.ResourceKey]*unstructured.Unstructured{}
	for _, thing := range request.Live {
		live[kube.GetResourceKey(thing)] = thing
	}
	space := request.Application.Spec.Destination.Namespace
	result := sync.Reconcile(request.Targets, live, space, to.scopes)
	options, err := request.options(result)
	if err != nil {
		return nil, err
	}
	running, stop, err := sync.NewSyncContext("revision", result, to.config, to.config, kubectl(), space, to.schemas, options...)
	if err != nil {
		return nil, err
	}
	defer stop()
	running.Sync()
	phase, message, results := running.GetState()
	return syncState{phase, message, results}, nil
}

func kubectl() kube.Kubectl {
	return argokube.NewKubectl()
}

// options are those that the controller takes from an Application, in automated sync with pruning.
func (request syncRequest) options(result sync.ReconciliationResult) ([]sync.SyncOpt, error) {
	overrides, err := overridesOf(request.Settings)
	if err != nil {
		return nil, err
	}
	differences, err := diff.DiffArray(result.Target, result.Live)
	if err != nil {
		return nil, err
	}
	given := request.Application.Spec.SyncPolicy.SyncOptions
	background := metav1.DeletePropagationBackground
	return []sync.SyncOpt{
		sync.WithLogr(logr.Discard()),
		sync.WithHealthOverride(lua.ResourceHealthOverrides(overrides)),
		sync.WithPermissionValidator(request.validate),
		sync.WithOperationSettings(false, true, false, false),
		sync.WithInitialState(request.State.Phase, request.State.Message, request.State.Results, metav1.NewTime(time.Now())),
		sync.WithPruneLast(given.HasOption(common.SyncOptionPruneLast)),
		sync.WithResourceModificationChecker(given.HasOption(common.SyncOptionApplyOutOfSyncOnly), differences),
		sync.WithPrunePropagationPolicy(&background),
		sync.WithServerSideApply(given.HasOption(common.SyncOptionServerSideApply)),
		sync.WithServerSideApplyManager(argocommon.ArgoCDSSAManager),
	}, nil
}

// validate asks the project as the controller does, of each object before anything is applied.
func (request syncRequest) validate(thing *unstructured.Unstructured, kind *metav1.APIResource) error {
	project, to := request.Project, request.Application.Spec.Destination
	group := thing.GroupVersionKind().GroupKind()
	if !project.IsGroupKindNamePermitted(group, thing.GetName(), kind.Namespaced) {
		return fmt.Errorf("resource %s:%s is not permitted in project %s", group.Group, group.Kind, project.Name)
	}
	if !kind.Namespaced {
		return nil
	}
	server := &v1alpha1.Cluster{Server: to.Server, Name: to.Name}
	clusters := func(string) ([]*v1alpha1.Cluster, error) { return []*v1alpha1.Cluster{server}, nil }
	permitted, err := project.IsDestinationPermitted(server, thing.GetNamespace(), clusters)
	if err == nil && !permitted {
		err = fmt.Errorf("namespace %s is not permitted in project %s", thing.GetNamespace(), project.Name)
	}
	return err
}

// scopes says of kinds whether they belong to a namespace, as a server's discovery does.
type scopes map[schema.GroupKind]bool

func scopesOf(config *rest.Config) (scopes, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return nil, err
	}
	found := scopes{}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, kind := range list.APIResources {
			found[schema.GroupKind{Group: version.Group, Kind: kind.Kind}] = kind.Namespaced
		}
	}
	return found, nil
}

func (known scopes) IsNamespaced(kind schema.GroupKind) (bool, error) {
	namespaced, ok := known[kind]
	if !ok {
		return false, errors.New("not a kind of this server")
	}
	return namespaced, nil
}
