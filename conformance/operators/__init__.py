"""What asking an operator takes, whichever platform it is of."""
