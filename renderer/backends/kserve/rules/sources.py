"""Where the facts behind rules come from."""

WEBHOOK = "kserve/kserve: pkg/apis/serving/v1beta1"
CONTROLLER = "kserve/kserve: pkg/controller/v1beta1/inferenceservice/components/predictor.go"
RECONCILERS = "kserve/kserve: pkg/controller/v1beta1/inferenceservice/reconcilers"
STORAGE = "kserve/kserve: pkg/controller/v1beta1/inferenceservice/utils/utils.go"
RUNTIME_WEBHOOK = "kserve/kserve: pkg/webhook/admission/servingruntime/servingruntime_webhook.go"
KNATIVE_SERVING = "knative/serving: pkg/apis/serving/fieldmask.go, k8s_validation.go"
