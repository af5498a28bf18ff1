package services

import (
	"context"
	"encoding/json"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"knative.dev/pkg/apis"
	knative "knative.dev/serving/pkg/apis/serving/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// addKnativeHooks puts Knative's own defaults into Knative Services and refuses what Knative does,
// with the settings that Knative ships; none of its controllers runs.
func addKnativeHooks(manager ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(manager).
		For(&knative.Service{}).
		WithDefaulter(knativeHooks{}).
		WithValidator(knativeHooks{}).
		Complete()
}

type knativeHooks struct{}

func (knativeHooks) Default(ctx context.Context, thing runtime.Object) error {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	ctx, err = within(ctx, request)
	if err != nil {
		return err
	}
	thing.(*knative.Service).SetDefaults(apis.WithUserInfo(ctx, &request.UserInfo))
	return nil
}

// within says what Knative's own webhook does: some defaults are those of what is created.
func within(ctx context.Context, request admission.Request) (context.Context, error) {
	if len(request.OldObject.Raw) == 0 {
		return apis.WithinCreate(ctx), nil
	}
	old := &knative.Service{}
	if err := json.Unmarshal(request.OldObject.Raw, old); err != nil {
		return nil, err
	}
	return apis.WithinUpdate(ctx, old), nil
}

func (knativeHooks) ValidateCreate(ctx context.Context, thing runtime.Object) (admission.Warnings, error) {
	return judge(apis.WithinCreate(ctx), thing)
}

func (knativeHooks) ValidateUpdate(ctx context.Context, old, thing runtime.Object) (admission.Warnings, error) {
	return judge(apis.WithinUpdate(ctx, old), thing)
}

func (knativeHooks) ValidateDelete(context.Context, runtime.Object) (admission.Warnings, error) {
	return nil, nil
}

// judge is careful with types: an absent error of Knative's is not an absent error of Go's.
func judge(ctx context.Context, thing runtime.Object) (admission.Warnings, error) {
	found := thing.(*knative.Service).Validate(ctx)
	if severe := found.Filter(apis.ErrorLevel); severe != nil {
		return nil, errors.New(severe.Error())
	}
	return nil, nil
}
