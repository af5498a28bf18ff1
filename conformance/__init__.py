"""What the real platforms answer, asked on purpose: never part of `make test`."""
