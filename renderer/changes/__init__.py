"""Two renderings: what differs, whom it reaches, and what it does to what runs."""
