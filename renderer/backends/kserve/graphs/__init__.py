"""Graphs of services: what is rendered, what is checked, what runs."""
