"""KServe's controllers of graphs, trained models and caches of models, and what they answer."""
