"""Large language models: services, and configurations that several of them share."""
