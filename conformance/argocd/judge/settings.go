package main

import (
	"context"
	"maps"

	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/settings"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

const namespace = "argocd"

type overrides = map[string]v1alpha1.ResourceOverride

// last are the settings that were asked for last: reading them takes longer than all that is done with them.
var last struct {
	data  map[string]string
	found overrides
}

func overridesOf(data map[string]string) (overrides, error) {
	if last.found != nil && maps.Equal(data, last.data) {
		return last.found, nil
	}
	found, err := readOverrides(data)
	last.data, last.found = data, found
	return found, err
}

// readOverrides is what Argo CD makes of the data of its ConfigMap, with its own defaults.
func readOverrides(data map[string]string) (overrides, error) {
	about := metav1.ObjectMeta{
		Name:      common.ArgoCDConfigMapName,
		Namespace: namespace,
		Labels:    map[string]string{"app.kubernetes.io/part-of": "argocd"},
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	clients := fake.NewClientset(
		&corev1.ConfigMap{ObjectMeta: about, Data: data},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: common.ArgoCDSecretName, Namespace: namespace}},
	)
	return settings.NewSettingsManager(ctx, clients, namespace).GetResourceOverrides()
}
