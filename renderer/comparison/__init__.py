"""Two states side by side: which objects differ, where, and whom that reaches."""
