"""Reading a game: what is overdue is settled first, so no reader sees a clock below zero."""

from app.db.records import Change, Record
from app.db.uow import UnitOfWork
from app.services.settling import due_at, settle
from engine.events import Rolled


async def read_game(uow: UnitOfWork, game_id: str) -> Record:
    """The game as it stands now; raises GameNotFoundError."""
    record = await uow.read(game_id)
    due = due_at(record)
    if due is not None and due <= record.now:
        return await uow.change(game_id, settled)
    return record


async def read_rolls(uow: UnitOfWork, record: Record) -> list[Rolled]:
    """Every roll of a game that is over, none before."""
    if not record.game.status.is_over:
        return []
    events = await uow.events(record.id, 0, record.game.version)
    return [event for event in events if isinstance(event, Rolled)]


def settled(record: Record) -> Change:
    return settle(record).change
