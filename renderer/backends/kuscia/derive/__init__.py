"""What Kuscia's controller and nodes make of a KusciaDeployment: objects, files, addresses."""
