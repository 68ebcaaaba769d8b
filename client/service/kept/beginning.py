"""Notes that a run was joined or started again and is trained now, in what the daemon keeps."""

from pathlib import Path

from client.joining.run_card import RunCard
from client.service.kept.choices import VolunteerChoices
from client.service.kept.joined_runs import JoinedRuns


def begin_run(
    choices: VolunteerChoices, joined: JoinedRuns, folder: Path, card: RunCard, *, instead: bool
) -> None:
    """Note that the volunteer has consented to train the run in ``folder``; nothing is saved.

    Args:
        choices: The volunteer's choices.
        joined: The joined runs.
        folder: Folder of the run's files.
        card: The run.
        instead: True to leave all other runs.

    Raises:
        JoinError: Too many runs are joined.
    """
    if instead:
        joined.keep_only(card.digest)
    joined.add(folder, card)
    joined.release(card.digest, for_good=True)
    joined.begin_turn(card.digest)
    choices.join(folder)


def go_on_or_begin(
    choices: VolunteerChoices, joined: JoinedRuns, folder: Path, card: RunCard, *, instead: bool
) -> None:
    """Note that a service was started that trains the run in ``folder``; nothing is saved.

    A run that is joined already keeps what the volunteer has chosen since, such as a pause, and what happened to it.

    Args:
        choices: The volunteer's choices.
        joined: The joined runs.
        folder: Folder of the run's files.
        card: The run.
        instead: True to leave all other runs.

    Raises:
        JoinError: Too many runs are joined.
    """
    if joined.of(card.digest) is None or not choices.consented:
        begin_run(choices, joined, folder, card, instead=instead)
        return
    if instead:
        joined.keep_only(card.digest)
    joined.add(folder, card)
    if choices.run_folder != folder:
        joined.begin_turn(card.digest)
        choices.train(folder)
