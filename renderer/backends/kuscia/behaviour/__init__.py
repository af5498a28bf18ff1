"""How Kuscia follows an edit of a KusciaDeployment or of an AppImage."""
