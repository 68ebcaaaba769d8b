"""The votes of some epochs are remembered in bounded memory, with who gives nothing and who is silent."""

from core.swarm.quorum.electorate import RECENT, Electorate
from core.swarm.quorum.vote_book import DOUBTS, VoteBook
from core.swarm.quorum.votes import Vote
from tests.core.swarm.builders import certificate_of, commit_record, digest_of, peer_bytes

PARENT = digest_of("parent")


def vote(number: int, word: str = "a", epoch: int = 7, attempt: int = 0) -> Vote:
    certificate = certificate_of(f"user{number}")
    record = commit_record(word, epoch=epoch, attempt=attempt, certificate=certificate)
    return Vote(peer_bytes(number), record)


def book_of(*cast: Vote) -> VoteBook:
    book = VoteBook()
    for item in cast:
        book.add(item)
    return book


def test_a_writer_whose_bytes_nobody_gives_is_set_aside_at_that_place_whatever_it_names_next() -> None:
    book = book_of(vote(0, "honest"), vote(1, "noise"))
    for attempt in range(DOUBTS):
        assert len(book.standing(7, PARENT)) == 2
        book.add(vote(1, f"noise {attempt}", attempt=attempt + 1))
        book.doubt(commit_record(f"noise {attempt}"))
    assert [item.writer for item in book.standing(7, PARENT)] == [peer_bytes(0)]
    book.add(vote(1, "next epoch", epoch=8))
    assert len(book.standing(8, PARENT)) == 1


def test_those_that_vote_for_the_same_root_later_are_not_doubted_for_it() -> None:
    book = book_of(vote(0))
    for _ in range(DOUBTS):
        book.doubt(vote(0).record)
    book.add(vote(1))
    assert [item.writer for item in book.standing(7, PARENT)] == [peer_bytes(1)]


def test_votes_for_what_this_peer_rejects_count_all_the_same() -> None:
    book = book_of(vote(0, "a"), vote(1, "b"))
    for _ in range(2 * DOUBTS):
        book.reject(vote(0, "a").record)
    assert len(book.standing(7, PARENT)) == 2
    assert [book.rejects(item.record) for item in book.standing(7, PARENT)] == [True, False]
    for number in range(3000):
        book.reject(commit_record(f"noise {number}"))
    assert not book.rejects(vote(0, "a").record), "it remembers no endless number"


def test_endless_votes_and_doubts_take_no_endless_memory() -> None:
    book = VoteBook()
    for number in range(3000):
        book.add(vote(0, f"noise {number}", attempt=number))
        book.doubt(commit_record(f"noise {number}"))
    for epoch in range(200):
        book.add(vote(1, epoch=epoch))
        book.doubt(vote(1, epoch=epoch).record)
    kept = [item for epoch in range(200) for item in book.votes(epoch)]
    assert 20 <= len(kept) <= 40
    assert book.votes(199)
    for number in range(5000):
        book.add(vote(number, epoch=200))
    assert len(book.votes(200)) < 4200


def test_the_peers_that_voted_for_a_root_are_asked_for_it_although_they_vote_otherwise_now() -> None:
    book = book_of(vote(0), vote(1), vote(1, "b", attempt=1), vote(2, "b"))
    assert [peer.to_bytes() for peer in book.writers(commit_record("a"))] == [peer_bytes(0), peer_bytes(1)]


def test_a_peer_of_each_user_is_asked_before_a_second_one_of_any() -> None:
    one = [Vote(peer_bytes(number), vote(0).record) for number in range(3)]
    book = book_of(*one, vote(4), vote(5))
    asked = [peer.to_bytes() for peer in book.writers(commit_record("a"))]
    assert asked == [peer_bytes(number) for number in (0, 4, 5, 1, 2)]


def test_votes_whose_bytes_came_too_slowly_go_on_counting() -> None:
    book = book_of(vote(0), vote(1, "b"))
    for _ in range(DOUBTS):
        book.doubt_slow(commit_record("a"))
    eligible = book.eligible(7, PARENT)
    assert len(book.votes(7)) == len(eligible) == 2
    assert [item.writer for item in book.tried_first(eligible)] == [peer_bytes(1)]
    assert book.tried_first(eligible[:1]) == eligible[:1], "there is no other"


def test_the_silent_are_known_after_some_epochs_whose_quorum_was_seen() -> None:
    everybody = Electorate(3, frozenset(f"user{number}" for number in range(3)))
    book = VoteBook()
    for epoch in range(7, 7 + RECENT):
        assert book.counted(everybody, epoch).seats([]) == 3
        for number in range(2):
            book.add(vote(number, epoch=epoch))
        book.note_decided(epoch)
    assert book.counted(everybody, 7 + RECENT).seats([]) == 2
    assert book.counted(everybody, 9 + RECENT).seats([]) == 3, "it was away"
    book.add(vote(2, epoch=6 + RECENT))
    assert book.counted(everybody, 7 + RECENT).seats([]) == 3


def test_the_silent_of_failed_ballots_are_not_counted_on_until_they_vote() -> None:
    everybody = Electorate(4, frozenset(f"user{number}" for number in range(4)))
    book = book_of(vote(0), vote(1))
    for _ in range(RECENT):
        assert book.counted(everybody, 7).seats([]) == 4
        book.note_missed(everybody, 7, PARENT)
    assert book.counted(everybody, 7).names == {"user0", "user1"}
    book.add(vote(2, epoch=8))
    assert book.counted(everybody, 8).names == {"user0", "user1", "user2"}
