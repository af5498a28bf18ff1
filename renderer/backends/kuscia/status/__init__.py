"""How a serving fares: what Kuscia says of it, and whether its objects are what Git makes of it."""
