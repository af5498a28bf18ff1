"""Secrets in texts: what they are called and look like, where they are, how they are hidden."""
