package main

import (
	"encoding/json"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// permissionsRequest asks whether a project lets an Application, and an object in its cluster, be.
type permissionsRequest struct {
	Project     v1alpha1.AppProject       `json:"project"`
	Application v1alpha1.Application      `json:"application"`
	Object      unstructured.Unstructured `json:"object"`
}

type permissionsAnswer struct {
	Source      bool `json:"source"`
	Destination bool `json:"destination"`
	Kind        bool `json:"kind"`
	Object      bool `json:"object"`
}

func newPermissions() (func(json.RawMessage) (any, error), error) {
	return permit, nil
}

// permit asks as Argo CD's controller does: of the Application's own destination, and of each object's.
func permit(line json.RawMessage) (any, error) {
	request, err := decoded[permissionsRequest](line)
	if err != nil {
		return nil, err
	}
	project, thing, to := request.Project, request.Object, request.Application.Spec.Destination
	if err := project.ValidateProject(); err != nil {
		return nil, err
	}
	server := &v1alpha1.Cluster{Server: to.Server, Name: to.Name}
	clusters := func(string) ([]*v1alpha1.Cluster, error) { return []*v1alpha1.Cluster{server}, nil }
	group := thing.GroupVersionKind().GroupKind()
	destination, err := project.IsDestinationPermitted(server, to.Namespace, clusters)
	if err != nil {
		return nil, err
	}
	object, err := project.IsResourcePermitted(group, thing.GetName(), thing.GetNamespace(), server, clusters)
	if err != nil {
		return nil, err
	}
	return permissionsAnswer{
		Source:      project.IsSourcePermitted(request.Application.Spec.GetSource()),
		Destination: destination,
		Kind:        project.IsGroupKindNamePermitted(group, thing.GetName(), thing.GetNamespace() != ""),
		Object:      object,
	}, nil
}
