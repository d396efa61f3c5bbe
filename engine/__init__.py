"""Penta as pure functions: same input, same output; no clock, no randomness, no I/O but one table's file."""
