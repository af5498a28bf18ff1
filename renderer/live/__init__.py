"""What runs beside what Git says: live objects, the state they report, and where they differ."""
