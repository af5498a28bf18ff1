"""What KServe's controller and webhook make of an InferenceService: objects, pods, addresses."""
