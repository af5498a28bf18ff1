"""Kuscia: federated serving as KusciaDeployment and AppImage."""
