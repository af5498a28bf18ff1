"""What KServe refuses, and what it silently ignores or changes: a module for each subject."""
