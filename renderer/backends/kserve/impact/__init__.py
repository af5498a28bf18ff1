"""What changes of InferenceServices and their runtimes do to what runs."""
