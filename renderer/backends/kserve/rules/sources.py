"""Where the facts behind rules come from."""

WEBHOOK = "kserve/kserve: pkg/apis/serving/v1beta1"
CONTROLLER = "kserve/kserve: pkg/controller/v1beta1/inferenceservice/components/predictor.go"
