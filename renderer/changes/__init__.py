"""Two renderings: what differs, which specs it reaches, and what it does to what runs."""
