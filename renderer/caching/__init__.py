"""Outcomes of earlier runs on disk: safe to delete, to share and to lose.

A file holds data and no code. It is used only if nobody but its owner can write it, every entry is
named by the content of all that it depends on, and what is not understood is forgotten.
"""
