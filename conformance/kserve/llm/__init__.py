"""KServe's webhooks and controllers of language models, and what they answer."""
