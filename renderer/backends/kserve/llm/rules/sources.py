"""Where what the rules on LLM services say can be read."""

VALIDATION = "kserve/kserve: pkg/apis/serving/v1alpha2/llm_inference_service_validation.go"
