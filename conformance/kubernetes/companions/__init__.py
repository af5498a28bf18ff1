"""Objects beside a serving, and edits of them, asked of API servers."""
