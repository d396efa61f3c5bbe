"""A command and the deadline at nearly the same instant: exactly one of them counts."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from engine.events import Event, Rolled, Scored, TurnStarted
from engine.game import Actor
from tests.client import Json, Seat, ok, refused
from tests.db.waiting import eventually, sleep_until
from tests.faults.conftest import Running
from tests.faults.play import (
    PROMPT_MS,
    check_turns,
    create,
    deadline,
    gather,
    lateness,
    past_last_roll,
    scores,
    summary,
    through,
)

GAMES = 16
TURNS = 13
SPREAD_MS = 60
AUTO_SCORE_MS = 500


@dataclass(frozen=True)
class Trial:
    """A turn scored at about its deadline, and what the player was told."""

    turn: int
    due_at: int
    offset: float
    box: str
    answer: httpx.Response

    @property
    def in_time(self) -> bool:
        return self.answer.status_code == 200


async def test_exactly_one_score_counts_and_the_player_is_told_which(
    running: Running, record_property: Callable[[str, object], None]
) -> None:
    """In games for two, so that a late score could hit the next player; on PostgreSQL through both servers."""
    games = await gather(
        create(running.http(number), players=[{}, {}], auto_score_ms=AUTO_SCORE_MS) for number in range(GAMES)
    )
    trials = await asyncio.gather(*(_trials(running, number, seats) for number, seats in enumerate(games)))
    found = await running.stored.sound_events()
    outcomes = [trial.in_time for played in trials for trial in played]
    assert len(outcomes) == GAMES * TURNS >= 200
    assert 3 <= sum(outcomes) <= len(outcomes) - 3, "the race was none"
    late: list[float] = []
    for seats, played in zip(games, trials, strict=True):
        events = found[seats[0].game_id]
        check_turns(events)
        scored = scores(events)
        assert len(scored) == TURNS
        for trial in played:
            _check(trial, scored[trial.turn])
            _check_next(trial, events)
        late += [lateness(score) for score in scored if score.actor is Actor.DEADLINE]
    record_property("lateness", summary(late))
    print("automatic scores in a race, late by", summary(late))


async def _trials(running: Running, game: int, seats: list[Seat]) -> list[Trial]:
    """Both players in turn, each rolling through one server and scoring through the other."""
    trials = []
    for turn in range(TURNS):
        seat = seats[turn % 2]
        for _ in range(3):
            rolled = ok(await through(running.http(turn), seat).roll())
        due_at = deadline(rolled)
        number = game * TURNS + turn
        offset = SPREAD_MS * (2 * (number * 7 % (GAMES * TURNS)) / (GAMES * TURNS - 1) - 1)
        await sleep_until(due_at + offset)
        box = rolled["turn"]["options"][turn % len(rolled["turn"]["options"])]["box"]
        answer = await through(running.http(turn + 1), seat).score(box)
        trials.append(Trial(turn, due_at, offset, box, answer))
    return trials


def _check(trial: Trial, scored: Scored) -> None:
    """What the player was told is what was stored, and was decided on the right side of the deadline."""
    if trial.in_time:
        assert (scored.actor, scored.box, scored.due_at) == (Actor.PLAYER, trial.box, None)
        assert scored.at < trial.due_at
        return
    told = refused(trial.answer, 409, "deadline_passed")
    assert (scored.actor, scored.due_at) == (Actor.DEADLINE, trial.due_at)
    assert scored.at >= trial.due_at
    assert told["auto_scored"] == {"box": scored.box, "points": scored.points, "penta_bonus": scored.penta_bonus}
    assert scored.policy is not None


def _check_next(trial: Trial, events: list[Event]) -> None:
    """The answer already shows the other player's turn, untouched, and its clock starts when it was opened."""
    game: Json = trial.answer.json() if trial.in_time else trial.answer.json()["game"]
    assert game["turn"]["seat"] == (trial.turn + 1) % 2
    assert (game["turn"]["rolls_used"], game["turn"]["deadline_at"]) == (0, None)
    starts = [event for event in events if isinstance(event, TurnStarted)]
    assert starts[trial.turn + 1].at == scores(events)[trial.turn].at


async def test_a_deadline_with_two_clients_polling_acts_once(running: Running) -> None:
    """The standard three seconds: reading settles, the sleeper settles, and a third roll's clock acts once."""
    game_ids = []

    async def play(number: int) -> None:
        first, second = await create(running.http(number), players=[{}, {}])
        game_ids.append(first.game_id)
        for _ in range(3):
            game = ok(await first.roll())
        due_at = deadline(game)
        assert game["turn"]["remaining_ms"] <= 3000
        states: list[Json] = []

        async def poll(seat: Seat) -> None:
            while time.time() * 1000 < due_at + 200:
                states.append(await seat.game())
                await asyncio.sleep(0.02)

        await asyncio.gather(poll(through(running.http(0), first)), poll(through(running.http(1), second)))
        for state in states:
            assert state["version"] in (game["version"], game["version"] + 2)
            assert state["turn"]["remaining_ms"] is None or 0 <= state["turn"]["remaining_ms"] <= 3000
        assert states[-1]["turn"]["seat"] == second.seat
        assert states[-1]["turn"]["rolls_used"] == 0
        refused(await first.score("chance"), 409, "deadline_passed")
        refused(await first.roll(), 409, "not_your_turn")

    await gather(play(number) for number in range(4))
    found = await running.stored.sound_events()
    for game_id in game_ids:
        check_turns(found[game_id])
        (scored,) = scores(found[game_id])
        assert (scored.seat, scored.actor) == (0, Actor.DEADLINE)
        assert [event.seat for event in found[game_id] if isinstance(event, Rolled)] == [0, 0, 0]


async def test_with_nobody_asking_every_deadline_acts_on_time(
    running: Running, record_property: Callable[[str, object], None]
) -> None:
    """Deadlines spread over a second, and nothing is sent meanwhile."""
    seats = []
    for burst in range(6):
        seats += await past_last_roll(running.https, 16, auto_score_ms=800 + 40 * burst)
    waiting = {seat.game_id for seat in seats}

    async def all_scored() -> list[Scored] | None:
        found = await running.stored.events()
        scored = [score for game_id in waiting for score in scores(found[game_id])]
        return scored if len(scored) >= len(waiting) else None

    scored = await eventually(all_scored, every=0.1)
    assert scored is not None
    assert len(scored) == len(waiting)
    late = [lateness(score) for score in scored]
    record_property("lateness", summary(late))
    print("automatic scores with nobody asking, late by", summary(late))
    assert max(late) < PROMPT_MS
