"""Templates place values and decide nothing."""
