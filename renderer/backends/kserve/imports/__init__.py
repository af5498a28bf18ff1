"""What others wrote for KServe becomes specs."""
