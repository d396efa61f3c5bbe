"""What can go wrong in a database, whichever it is."""


class DatabaseError(Exception):
    """The database failed; the transaction left no trace unless this is `CommitUnclearError`."""


class BusyError(DatabaseError):
    """Another transaction was in the way, or the connection broke: the whole command may be run again."""


class CommitUnclearError(DatabaseError):
    """The connection was lost during COMMIT: it may have happened or not."""


class ConflictError(DatabaseError):
    """Another transaction was first: it took a unique key, or the game went on from the version that was loaded."""


class UnavailableError(DatabaseError):
    """The database cannot serve now, and asking again at once will not help."""
