"""Measurements: run with `make bench`, not with the tests."""
