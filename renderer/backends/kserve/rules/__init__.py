"""What KServe refuses, and what it takes without a word: a module for each subject."""
