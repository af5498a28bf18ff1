"""The rules that belong to no platform, and how bad their findings are."""
