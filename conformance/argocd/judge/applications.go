package main

import (
	"context"
	"encoding/json"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	log "github.com/sirupsen/logrus"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// applicationsRequest asks what a set makes of a repository that has these folders.
type applicationsRequest struct {
	Set      v1alpha1.ApplicationSet `json:"set"`
	Projects []v1alpha1.AppProject   `json:"projects"`
	Folders  []string                `json:"folders"`
	Files    map[string]string       `json:"files"`
}

// checkout stands in for the repo server, which would look into Git.
type checkout struct {
	folders []string
	files   map[string]string
}

func (found checkout) GetDirectories(
	context.Context, string, string, string, bool, bool,
) ([]string, error) {
	return found.folders, nil
}

func (found checkout) GetFiles(
	context.Context, string, string, string, string, bool, bool,
) (map[string][]byte, error) {
	files := map[string][]byte{}
	for path, text := range found.files {
		files[path] = []byte(text)
	}
	return files, nil
}

func newApplications() (func(json.RawMessage) (any, error), error) {
	return generate, nil
}

func generate(line json.RawMessage) (any, error) {
	request, err := decoded[applicationsRequest](line)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	builder := fake.NewClientBuilder().WithScheme(scheme)
	for index := range request.Projects {
		builder = builder.WithObjects(&request.Projects[index])
	}
	client := builder.Build()
	known := generators.GetGenerators(
		context.Background(), client, nil, namespace,
		checkout{request.Folders, request.Files}, nil, generators.SCMConfig{},
	)
	quiet := log.NewEntry(log.StandardLogger())
	found, _, err := template.GenerateApplications(quiet, request.Set, known, &utils.Render{}, client)
	return found, err
}
