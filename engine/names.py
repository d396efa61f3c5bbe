"""When two player names count as the same."""

import unicodedata


def name_key(name: str) -> str:
    """The form in which names of one game must differ: NFKC, case folded, and once more, as folding can undo NFKC."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded).casefold()
