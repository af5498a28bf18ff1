"""What others wrote becomes specs: read, converted, placed, and tried before it is written."""
