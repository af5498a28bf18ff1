"""Where what the rules on LLM services say can be read."""

VALIDATION = "kserve/kserve: pkg/apis/serving/v1alpha2/llm_inference_service_validation.go"
_CONTROLLER = "kserve/kserve: pkg/controller/v1alpha2/llmisvc"
MERGE = f"{_CONTROLLER}/config_merge.go"
STORAGE = f"{_CONTROLLER}/workload_storage.go"
LORA = f"{_CONTROLLER}/workload_lora.go"
SCHEDULER = f"{_CONTROLLER}/scheduler.go"
WORKLOAD = f"{_CONTROLLER}/workload_single_node.go"
ROUTER = f"{_CONTROLLER}/router_validation.go"
PRESETS = "kserve/kserve: config/llmisvcconfig"
#: What a route and a pool are checked by, wherever they stand.
GATEWAY_API = "kubernetes-sigs/gateway-api: apis/v1/httproute_types.go"
