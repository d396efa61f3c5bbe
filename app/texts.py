"""Localised texts, by key and language, from the gettext catalogues under `locales/`."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

LANGUAGES: Final = ("hr", "en")
DOMAIN: Final = "penta"
MAX_HEADER: Final = 1000
"""Characters of Accept-Language that are looked at."""

_LOCALES: Final = Path(__file__).parent / "locales"


def text(language: str, key: str, **values: object) -> str:
    """The text for `key`, with `{name}` replaced from `values`; KeyError for an unknown key."""
    return catalogue(language)[key].format_map(values)


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> dict[str, str]:
    """All texts of one language, by key."""
    path = _LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    with path.open("rb") as file:
        messages = read_po(file, locale=language, abort_invalid=True)
    return {str(message.id): str(message.string) for message in messages if message.id and message.string}


@lru_cache(maxsize=256)
def negotiate(accept_language: str | None, default: str) -> str:
    """The language to answer in for an Accept-Language header (RFC 9110, 12.5.4); `default` when nothing fits."""
    weights: dict[str, float] = {}
    for part in (accept_language or "")[:MAX_HEADER].split(","):
        tag, _, parameter = part.partition(";")
        language = tag.strip().lower().partition("-")[0]
        weights[language] = max(_weight(parameter), weights.get(language, 0.0))
    others = weights.get("*", 0.0)
    named = [language for language in weights if language in LANGUAGES]
    wanted = {language: weights.get(language, others) for language in (*named, default, *LANGUAGES)}
    best = max(wanted, key=lambda language: wanted[language])
    return best if wanted[best] > 0 else default


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name.strip().lower() == "q" and 0 <= weight <= 1 else 0.0
