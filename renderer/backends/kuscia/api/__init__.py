"""Specs as requests to Kuscia's own API."""
