"""What a change of Ray objects does to the clusters that run, and what it asks of places."""
