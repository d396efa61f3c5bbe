"""Storage: tables, all SQL, the two databases, and the one transaction recipe."""
