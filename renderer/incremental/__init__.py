"""A repository looked at piece by piece: what did not change is not looked at again.

A piece is all files of one stem, in whichever environments. Around the pieces is what all of them
depend on: environments, prerequisites, templates, CRDs, settings and the program itself. Where
pieces turn out to depend on each other, the repository is looked at as a whole.
"""
