"""The input config of secretflow-serving: its messages, and how strictly they are read."""
