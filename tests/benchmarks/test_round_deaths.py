"""The benchmark of deaths: what it repeats, what its table says, and that one trap takes one peer."""

from pathlib import Path

from benchmarks.deaths.peer import Death, PeerLog, PeerStart, RoundStage, Trap, TrapOrder, sprung_file
from benchmarks.deaths.swarm import LIMIT_SECONDS, DeathCase, Repetition, Role
from benchmarks.round_deaths import Repetitions, cases, row

DYING = DeathCase(Role.REDUCER, RoundStage.SENDING, Death.FROZEN)


def test_every_stage_is_died_at_in_both_ways_and_one_case_is_without_a_death() -> None:
    found = cases()
    assert len(set(found)) == len(found)
    assert [case.death for case in found].count(Death.NONE) == 1
    for death in (Death.KILLED, Death.FROZEN):
        assert {case.stage for case in found if case.death is death} == set(RoundStage)


def test_a_row_counts_what_took_too_long_and_what_was_not_survived() -> None:
    found = row(
        DYING, [Repetition(4.0, 2.0), Repetition(LIMIT_SECONDS + 1, None), None, Repetition(6.0, 8.0)]
    )
    assert (found["times"], found["median_seconds_without_epoch"], found["over_limit"]) == (4, 6.0, 2)
    assert (found["longest"], found["longest_until_in_step"]) == (LIMIT_SECONDS + 1, 8.0)
    assert found["not_in_step_in_time"] == 1


def test_the_first_peer_to_come_to_the_stage_springs_the_trap(tmp_path: Path) -> None:
    TrapOrder(7, RoundStage.WRITTEN, Death.NONE, ("one", "two")).save(tmp_path)
    traps = [_trap(tmp_path, name) for name in ("one", "two", "three")]
    for trap in traps:
        trap.arm()
    assert [trap.awaits(RoundStage.WRITTEN) for trap in traps] == [True, True, False]
    traps[1].reach(RoundStage.WRITING)
    assert not sprung_file(tmp_path, 7).exists()
    for trap in (traps[1], traps[0], traps[2]):
        trap.reach(RoundStage.WRITTEN)
    assert '"name": "two"' in sprung_file(tmp_path, 7).read_text()
    assert not any(trap.awaits(RoundStage.WRITTEN) for trap in traps)


def _trap(folder: Path, name: str) -> Trap:
    return Trap(folder, name, PeerLog(PeerStart(folder, name, folder, (), client_mode=False)))


def test_another_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    file, (first, second, third) = tmp_path / "results/deaths.jsonl", cases()[:3]
    before = Repetitions(file, "abc1234")
    repetitions = [(first, Repetition(1.5)), (first, None), (second, Repetition(2.5, 3.5))]
    for each in repetitions:
        before.add(each)
    again = Repetitions(file, "def5678")
    assert again.reported == repetitions
    assert again.lacking([first, second, third], 2) == [third, second, third]
    again.add((third, Repetition(0.5)))
    assert again.commits == ["abc1234", "def5678"]
