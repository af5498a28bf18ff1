"""What an operator commits once, so that Argo CD or Flux applies the rendered tree."""
