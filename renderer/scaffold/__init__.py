"""What people begin with: the files of a new repository, and the text of a new spec."""
