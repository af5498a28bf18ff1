package main

import (
	"encoding/json"
	"os"

	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/argoproj/argo-cd/v3/util/kube"
	engine "github.com/argoproj/gitops-engine/pkg/diff"
	jsonpatch "github.com/evanphx/json-patch"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/tools/clientcmd"
)

// differencesRequest asks of an object as it is rendered and as a cluster has it.
//
// How is how they are compared: "three-way", "structured" (as with ServerSideApply=true) or "server" (ServerSideDiff=true).
type differencesRequest struct {
	How      string                               `json:"how"`
	Settings map[string]string                    `json:"settings"`
	Ignored  []v1alpha1.ResourceIgnoreDifferences `json:"ignored"`
	Rendered *unstructured.Unstructured           `json:"rendered"`
	Live     *unstructured.Unstructured           `json:"live"`
}

// differencesAnswer has what is there and what would be after a sync, if they differ; and what a sync would
// apply that respects ignored differences.
type differencesAnswer struct {
	Modified  bool            `json:"modified"`
	Live      json.RawMessage `json:"live,omitempty"`
	Predicted json.RawMessage `json:"predicted,omitempty"`
	Respected json.RawMessage `json:"respected,omitempty"`
}

// cluster is what a comparison needs of an API server; without one, nothing of it is there.
type cluster struct {
	parser *managedfields.GvkParser
	runner engine.ServerSideDryRunner
}

func newDifferences() (func(json.RawMessage) (any, error), error) {
	found := cluster{}
	if path := os.Getenv("KUBECONFIG"); path != "" {
		var err error
		if found, err = connect(path); err != nil {
			return nil, err
		}
	}
	return found.compare, nil
}

func connect(path string) (cluster, error) {
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return cluster{}, err
	}
	schemas, parser, err := kube.NewKubectl().LoadOpenAPISchema(config)
	if err != nil {
		return cluster{}, err
	}
	// The file that this writes is in a folder of its own, which whoever started us takes away.
	applier, _, err := kube.ManageServerSideDiffDryRuns(config, schemas, nil)
	if err != nil {
		return cluster{}, err
	}
	return cluster{parser, engine.NewK8sServerSideDryRunner(applier)}, nil
}

func (found cluster) compare(line json.RawMessage) (any, error) {
	request, err := decoded[differencesRequest](line)
	if err != nil {
		return nil, err
	}
	config, err := found.configuration(request)
	if err != nil {
		return nil, err
	}
	result, err := diff.StateDiff(request.Live, request.Rendered, config)
	if err != nil || !result.Modified {
		return differencesAnswer{}, err
	}
	respected, err := respected(request, config)
	return differencesAnswer{true, result.NormalizedLive, result.PredictedLive, respected}, err
}

// configuration is the one that Argo CD's controller builds for an Application.
func (found cluster) configuration(request differencesRequest) (diff.DiffConfig, error) {
	overrides, err := overridesOf(request.Settings)
	if err != nil {
		return nil, err
	}
	return diff.NewDiffConfigBuilder().
		WithDiffSettings(request.Ignored, overrides, false, normalizers.IgnoreNormalizerOpts{}).
		WithTracking(common.LabelKeyAppInstance, string(v1alpha1.TrackingMethodAnnotation)).
		WithNoCache().
		WithGVKParser(found.parser).
		WithManager(common.ArgoCDSSAManager).
		WithStructuredMergeDiff(request.How == "structured").
		WithServerSideDiff(request.How == "server").
		WithServerSideDryRunner(found.runner).
		Build()
}

// respected is what RespectIgnoreDifferences=true would apply. Argo CD keeps that to itself (controller/sync.go): of kinds
// that are not built in, it puts a JSON merge patch of all that is ignored in the live object onto the rendered one.
func respected(request differencesRequest, config diff.DiffConfig) (json.RawMessage, error) {
	normal, err := diff.Normalize(
		[]*unstructured.Unstructured{request.Live}, []*unstructured.Unstructured{request.Rendered}, config,
	)
	if err != nil {
		return nil, err
	}
	texts := make([][]byte, 3)
	for index, thing := range []*unstructured.Unstructured{normal.Lives[0], request.Live, normal.Targets[0]} {
		if texts[index], err = thing.MarshalJSON(); err != nil {
			return nil, err
		}
	}
	patch, err := jsonpatch.CreateMergePatch(texts[0], texts[1])
	if err != nil {
		return nil, err
	}
	return jsonpatch.MergePatch(texts[2], patch)
}
