"""A demo's state as a table: what each message changes, and when the swarm has done what was asked."""

from pathlib import Path

import pytest

from client.api.messages import TrainerMessage
from client.demo.progress import (
    NOTICES_KEPT,
    DemoStage,
    DemoState,
    EpochRecord,
    ReportedTraffic,
    hear,
    judge,
    lose,
    note,
)
from core.messages.children import Heartbeat
from core.messages.events import (
    CheckpointSaved,
    EpochCommitted,
    Finished,
    Joined,
    Notice,
    Progress,
    SamplesDrawn,
)


def joined(epoch: int = 0) -> Joined:
    return Joined(peer_id="Qm", epoch=epoch, parameters=1)


def progress(epoch: int = 0, sent: int = 10, swarm_samples: int = 64) -> Progress:
    return Progress(
        epoch=epoch,
        loss=5.0,
        samples=32,
        swarm_samples=swarm_samples,
        target_batch_size=256,
        peers=2,
        samples_per_second=8.0,
        seconds_to_next_epoch=24.0,
        bytes_sent=sent,
        bytes_received=2 * sent,
        micro_steps=5,
        compute_seconds=3.5,
    )


def committed(
    epoch: int, digest: str = "a", peers: int = 2, loss: float = 4.0, sent: int = 1
) -> EpochCommitted:
    return EpochCommitted(
        epoch=epoch,
        loss=loss,
        samples=256,
        own_samples=128,
        peers=peers,
        seconds=9.0,
        parameter_digest=digest,
        bytes_sent=sent,
        bytes_received=2 * sent,
    )


def after(*messages: tuple[int, TrainerMessage], target: int | None = 2, done: int = 0) -> DemoState:
    earlier = tuple(EpochRecord(epoch, 9.0, 256, 2, 1.0) for epoch in range(1, done + 1))
    state = DemoState.begin(2, target, earlier)
    for number, message in messages:
        state = hear(state, number, message)
    return state


BOTH_JOINED = ((0, joined()), (1, joined()))
BOTH_DID_ONE = (*BOTH_JOINED, (0, committed(1)), (1, committed(1)))
BOTH_DID_TWO = (*BOTH_DID_ONE, (1, committed(2)), (0, committed(2)))


def test_a_trainer_goes_through_its_stages() -> None:
    state = after()
    assert [peer.stage for peer in state.peers] == [DemoStage.STARTING, DemoStage.STARTING]
    state = hear(state, 1, joined())
    assert [peer.stage for peer in state.peers] == [DemoStage.STARTING, DemoStage.TRAINING]
    state = lose(state, 1, "It broke.", restarting=True)
    assert state.peers[1].stage is DemoStage.RESTARTING
    assert state.notices == ("Trainer 1: It broke. It is started again.",)
    state = hear(hear(state, 1, joined()), 1, Finished(epoch=0, parameter_digest="a"))
    assert state.peers[1].stage is DemoStage.FINISHED
    assert lose(state, 1, "It broke.", restarting=False).peers[1].stage is DemoStage.ENDED


def test_an_epoch_that_two_tell_of_counts_once() -> None:
    state = after(*BOTH_DID_TWO)
    assert [record.epoch for record in state.epochs] == [1, 2]
    assert state.epoch == 2


def test_a_session_that_does_epochs_again_replaces_them() -> None:
    state = after((0, joined(3)), (0, committed(4)), (1, committed(4)), done=6)
    assert [(record.epoch, record.loss) for record in state.epochs] == [
        (1, 9.0),
        (2, 9.0),
        (3, 9.0),
        (4, 4.0),
    ]


def test_the_swarm_is_what_a_peer_in_the_newest_epoch_says() -> None:
    state = after((0, progress(epoch=1, swarm_samples=8)), (1, progress(epoch=0, swarm_samples=250)))
    assert state.swarm
    assert (state.swarm.epoch, state.swarm.swarm_samples) == (1, 8)


def test_the_traffic_of_an_epoch_is_that_of_the_trainer_that_reports_it_first() -> None:
    state = after(
        *BOTH_DID_ONE, (1, progress(sent=900)), (1, committed(2, sent=30)), (0, committed(2, sent=20))
    )
    assert state.traffic == ReportedTraffic(trainer=1, sent=30, received=60)


def test_bytes_of_earlier_lives_are_kept() -> None:
    state = after((0, progress(sent=10)), (1, progress(sent=5)))
    state = lose(state, 0, "It broke.", restarting=True)
    assert (state.bytes_sent, state.bytes_received) == (15, 30)
    state = hear(state, 0, progress(sent=3))
    assert (state.bytes_sent, state.bytes_received) == (18, 36)


def test_the_last_notices_are_kept() -> None:
    state = after((1, Notice(text="one")))
    assert state.notices == ("Trainer 1: one",)
    for count in range(NOTICES_KEPT):
        state = note(state, str(count))
    assert state.notices == tuple(map(str, range(NOTICES_KEPT)))


def test_files_are_known() -> None:
    drawn = SamplesDrawn(epoch=1, path=Path("samples.png"))
    state = after(
        (0, drawn),
        (0, CheckpointSaved(epoch=1, path=Path("checkpoint"))),
        (1, CheckpointSaved(epoch=2, path=Path("peers/1/checkpoint"))),
    )
    assert state.samples == drawn
    assert state.checkpoint_epoch == 1


def test_a_heartbeat_changes_nothing() -> None:
    assert after((0, Heartbeat())) == after()


@pytest.mark.parametrize(
    ("messages", "target", "done", "words"),
    [
        (BOTH_DID_TWO, 2, True, "2 trainers did 2 epochs"),
        (BOTH_DID_TWO, None, True, "2 trainers did 2 epochs"),
        (BOTH_DID_ONE, 2, False, "Trainer 0 and 1 did not reach epoch 2"),
        ((*BOTH_DID_ONE, (0, committed(2))), 2, False, "Trainer 1 did not reach epoch 2"),
        ((*BOTH_DID_ONE, (0, committed(2)), (1, committed(2, "b"))), 2, False, "parameters differ"),
        ((*BOTH_DID_TWO, (1, joined(2))), 2, True, "2 trainers did 2 epochs"),
        (((0, committed(2, peers=1)), (1, committed(2, peers=1))), 2, False, "by all 2 trainers together"),
        (((0, joined(2)), (1, joined(2))), 2, False, "Trainer 0 and 1 took no part"),
        (BOTH_JOINED, None, False, "took no part"),
    ],
)
def test_judge(
    messages: tuple[tuple[int, TrainerMessage], ...], target: int | None, done: bool, words: str
) -> None:
    verdict = judge(after(*messages, target=target))
    assert verdict.done is done
    assert words in verdict.sentence


@pytest.mark.parametrize(("digest", "done"), [("a", True), ("b", False)])
def test_a_trainer_that_came_back_late_is_judged_by_what_it_fetched(digest: str, done: bool) -> None:
    state = lose(after(*BOTH_DID_TWO), 1, "It broke.", restarting=True)
    assert not judge(hear(state, 1, joined(1))).done
    finished = Finished(epoch=2, parameter_digest=digest)
    assert judge(hear(hear(state, 1, joined(1)), 1, finished)).done is done


def test_trainers_begin_once_all_have_joined_and_never_wait_again() -> None:
    assert not after((0, joined())).all_joined
    state = after(*BOTH_JOINED)
    assert state.all_joined
    assert lose(state, 1, "It broke.", restarting=True).all_joined


def test_trainers_may_leave_once_all_have_finished() -> None:
    state = hear(after(*BOTH_DID_TWO), 0, Finished(epoch=2, parameter_digest="a"))
    assert not state.all_finished
    state = hear(state, 1, Finished(epoch=2, parameter_digest="a"))
    assert state.all_finished
    assert not lose(state, 0, "It broke.", restarting=True).all_finished


def test_an_epoch_made_together_counts_though_one_was_lost_afterwards() -> None:
    state = lose(after(*BOTH_DID_ONE), 1, "It broke.", restarting=True)
    state = hear(state, 0, committed(2, peers=1))
    for message in (joined(1), Finished(epoch=2, parameter_digest="a")):
        state = hear(state, 1, message)
    assert judge(state).done
