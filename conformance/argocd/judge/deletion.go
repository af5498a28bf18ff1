package main

import (
	"encoding/json"

	"github.com/argoproj/argo-cd/v3/controller"
	"github.com/argoproj/gitops-engine/pkg/sync/common"
	"github.com/argoproj/gitops-engine/pkg/sync/resource"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// deletionRequest asks which objects go next when their Application is deleted.
type deletionRequest struct {
	Live []*unstructured.Unstructured `json:"live"`
}

type deletionAnswer struct {
	Kept []string `json:"kept"`
	Next []string `json:"next"`
}

func newDeletion() (func(json.RawMessage) (any, error), error) {
	return nextDeletion, nil
}

// nextDeletion asks Argo CD for the order. What it leaves is private to its controller, and done again by the public
// parts that it uses.
func nextDeletion(line json.RawMessage) (any, error) {
	request, err := decoded[deletionRequest](line)
	if err != nil {
		return nil, err
	}
	answer := deletionAnswer{Kept: []string{}, Next: []string{}}
	var going []*unstructured.Unstructured
	for _, thing := range request.Live {
		if kube.IsCRD(thing) || resource.HasAnnotationOption(thing, common.AnnotationSyncOptions, common.SyncOptionDisableDeletion) {
			answer.Kept = append(answer.Kept, named(thing))
		} else {
			going = append(going, thing)
		}
	}
	for _, thing := range controller.FilterObjectsForDeletion(going) {
		answer.Next = append(answer.Next, named(thing))
	}
	return answer, nil
}

func named(thing *unstructured.Unstructured) string {
	return thing.GetKind() + "/" + thing.GetName()
}
