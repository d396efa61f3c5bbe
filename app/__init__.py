"""The Penta server: the engine behind HTTP, kept in SQL."""
