"""What a change of rendered objects does to servings that run."""
