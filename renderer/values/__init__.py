"""What flows through the program: findings, trees with origins, specs, manifests, changes."""
