package main

import (
	"encoding/json"

	"github.com/argoproj/argo-cd/v3/util/lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// healthRequest asks of an object as a cluster has it; settings are the data of argocd-cm.
type healthRequest struct {
	Settings map[string]string         `json:"settings"`
	Object   unstructured.Unstructured `json:"object"`
}

type healthAnswer struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func newHealth() (func(json.RawMessage) (any, error), error) {
	return judgeHealth, nil
}

// judgeHealth chooses the script as Argo CD does, ours or one of its own, and runs it under its restrictions.
func judgeHealth(line json.RawMessage) (any, error) {
	request, err := decoded[healthRequest](line)
	if err != nil {
		return nil, err
	}
	overrides, err := overridesOf(request.Settings)
	if err != nil {
		return nil, err
	}
	found, err := lua.ResourceHealthOverrides(overrides).GetResourceHealth(&request.Object)
	if err != nil || found == nil {
		return healthAnswer{}, err
	}
	return healthAnswer{Status: string(found.Status), Message: found.Message}, nil
}
