"""What travels over HTTP, as pydantic models."""
