"""Regular expressions as Go reads them, matched in linear time: those of a user's own CRDs.

Python's `re` goes back and tries again, so that a pattern like `(a+)+$` takes it for ever, and it
knows a slightly different language. Whether a text matches is all that is asked here.
"""
