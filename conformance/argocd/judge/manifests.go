package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/app/discovery"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	deadline = 60 * time.Second
	revision = "0123456789abcdef0123456789abcdef01234567"
)

// manifestsRequest asks for what an Application's source comes to in a checkout of its repository.
type manifestsRequest struct {
	Repository  string               `json:"repository"`
	Application v1alpha1.Application `json:"application"`
	Excluded    []string             `json:"excluded"`
	Parameters  bool                 `json:"parameters"`
}

func newManifests() (func(json.RawMessage) (any, error), error) {
	return ask, nil
}

func ask(line json.RawMessage) (any, error) {
	request, err := decoded[manifestsRequest](line)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(context.Background(), deadline)
	defer stop()
	if request.Parameters {
		return announced(ctx, request)
	}
	return manifests(ctx, request)
}

// manifests goes through Argo CD's repo server, which makes the environment of the plugin and sends it the repository.
func manifests(ctx context.Context, request manifestsRequest) ([]json.RawMessage, error) {
	source := request.Application.Spec.GetSource()
	answer, err := repository.GenerateManifests(
		ctx, filepath.Join(request.Repository, source.Path), request.Repository, revision,
		&apiclient.ManifestRequest{
			Repo:              &v1alpha1.Repository{Repo: source.RepoURL},
			Revision:          source.TargetRevision,
			AppLabelKey:       common.LabelKeyAppInstance,
			AppName:           request.Application.Name,
			Namespace:         request.Application.Spec.Destination.Namespace,
			ApplicationSource: &source,
			KubeVersion:       "1.33.0",
			TrackingMethod:    string(v1alpha1.TrackingMethodAnnotation),
			ProjectName:       request.Application.Spec.Project,
		},
		true, git.NoopCredsStore{}, resource.MustParse("10M"), utilio.NewRandomizedTempPaths(os.TempDir()),
		repository.WithCMPTarExcludedGlobs(request.Excluded),
	)
	if err != nil {
		return nil, err
	}
	found := make([]json.RawMessage, 0, len(answer.Manifests))
	for _, text := range answer.Manifests {
		found = append(found, json.RawMessage(text))
	}
	return found, nil
}

// announced asks the plugin for its parameters, with the variables that the repo server has at that time.
func announced(ctx context.Context, request manifestsRequest) (any, error) {
	source := request.Application.Spec.GetSource()
	folder := filepath.Join(request.Repository, source.Path)
	variables := []string{"ARGOCD_APP_NAME=" + request.Application.Name, "ARGOCD_APP_SOURCE_PATH=" + source.Path}
	connection, client, err := discovery.DetectConfigManagementPlugin(
		ctx, folder, request.Repository, source.Plugin.Name, variables, request.Excluded,
	)
	if err != nil {
		return nil, err
	}
	defer utilio.Close(connection)
	stream, err := client.GetParametersAnnouncement(ctx)
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(ctx, folder, request.Repository, stream, variables, request.Excluded); err != nil {
		return nil, err
	}
	answer, err := stream.CloseAndRecv()
	if err != nil {
		return nil, err
	}
	return answer.ParameterAnnouncements, nil
}
