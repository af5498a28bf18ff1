"""What one environment should have of another: the edits that bring it there, and their proof."""
