"""The rules of Penta as pure functions: same input, same output, no clock, no randomness, no I/O."""
