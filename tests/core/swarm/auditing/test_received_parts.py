"""What a reducer received can be shown again, also where it was too much for memory."""

import pytest
from hivemind.proto import averaging_pb2

from core.swarm.auditing.received_parts import ReceivedParts


def message(word: str) -> averaging_pb2.AveragingData:
    return averaging_pb2.AveragingData(peer_id=word.encode(), weight=len(word))


@pytest.mark.parametrize("most_in_memory", [1 << 20, 16], ids=["in memory", "in a file"])
def test_messages_are_kept_by_part_and_sender(most_in_memory: int) -> None:
    kept = ReceivedParts(most_in_memory)
    words = {(part, sender): f"{part} of {sender}" * 10 for sender in (2, 0, 1) for part in (5, 3)}
    for (part, sender), word in words.items():
        kept.keep(part, sender, message(word))
    kept.keep(5, 0, message("another one"))
    assert kept.senders(5) == (0, 1, 2)
    assert kept.senders(4) == ()
    assert kept.message(4, 0) is None
    for (part, sender), word in words.items():
        assert kept.message(part, sender) == message(word)
    assert kept.bytes_kept == sum(len(message(word).SerializeToString()) for word in words.values())


def test_what_was_forgotten_is_not_shown() -> None:
    kept = ReceivedParts()
    kept.keep(0, 0, message("word"))
    kept.close()
    assert kept.message(0, 0) is None
    kept.keep(0, 1, message("late"))
    assert kept.message(0, 1) is None
