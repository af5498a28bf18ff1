"""Files changed all at once: the output tree with its inventories, and edits of a repository."""

#: The folder in which a run keeps what it has not finished; hidden, because no environment is.
#: Its name is fixed, because the lock lets only one run work.
WORK = ".servingctl-work"
