"""What runs beside what Git says: live objects, the state they tell, and where they differ."""
