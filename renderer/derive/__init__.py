"""What kinds share to say what a platform makes of applied objects, and how it follows edits."""
