"""What KServe makes of an LLM service: the pods of each role, and the objects around them."""
