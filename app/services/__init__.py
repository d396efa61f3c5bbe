"""Use cases: each decides on a loaded game, with no SQL and no transaction of its own."""
