"""One module a resource: parse, call the service, answer."""
