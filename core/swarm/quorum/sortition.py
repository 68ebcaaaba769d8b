"""The committee of a large swarm: who is drawn for it, and how many of its votes decide; pure functions.

The lot of a user is a hash of the last root and the user's name. The reducer that ends last can try roots until it
likes the draw. So a commit needs more votes than hostile users get by luck, in any of a million draws, and each draw
takes a tenth of a second to look at. Draws by a signature of the peer's own key, as in Algorand (Gilad et al., 2017),
would not do: a user may have 32 keys, and make new ones after the root is known, but has one name.
"""

import hashlib
import math
from fractions import Fraction
from functools import lru_cache

COMMITTEE = 128
"""Number of users up to which all vote; of a larger number this many are drawn on average."""
HOSTILE_SHARE = Fraction(3, 10)
"""Share of the users that may mean harm, and vote alike."""
MOST_CHANCE = 2.0**-40
"""Chance with which hostile users may have the quorum in one draw of a committee, at most."""

_SCRYPT_ROUNDS, _SCRYPT_BLOCKS = 1 << 14, 8
"""Cost of one draw: 16 MiB of memory, which keeps graphics cards from trying thousands at once, and 0.1 s."""
_SCRYPT_BYTES = 32 << 20
_SEED_BYTES = 32
_SALT = b"idlebrush: committee"
_NEGLIGIBLE = 1e-30


@lru_cache(maxsize=64)
def seed_of(parent: bytes) -> bytes:
    """Return the seed of the draw for the commit after ``parent``, the last one's root.

    It is scrypt (RFC 7914) of the root, slow on purpose.
    """
    return hashlib.scrypt(
        parent,
        salt=_SALT,
        n=_SCRYPT_ROUNDS,
        r=_SCRYPT_BLOCKS,
        p=1,
        maxmem=_SCRYPT_BYTES,
        dklen=_SEED_BYTES,
    )


def lot_of(seed: bytes, voice: str) -> float:
    """Return the lot of the user with that ``voice`` in the draw of ``seed``, evenly spread from 0 to 1."""
    drawn = hashlib.sha256(seed + voice.encode()).digest()[:8]
    return int.from_bytes(drawn, "big") / float(1 << 64)


def drawn_share(users: int, growth: int = 0) -> float:
    """Return the share of a number of ``users`` that vote: 1 in a small swarm; in a large one, a committee's.

    The committee doubles with each step of ``growth``.
    """
    return min(1.0, (COMMITTEE << growth) / users) if users else 1.0


@lru_cache(maxsize=1024)
def votes_needed(users: int, growth: int = 0) -> int:
    """Return the least number of votes that decide in the committee of a number of ``users``.

    That is more than half of those that are drawn on average, and more than `HOSTILE_SHARE` of the users get but with
    `MOST_CHANCE`. Where all vote, it is more than half of them.

    Args:
        users: number of the users in the swarm.
        growth: steps by which the committee has grown.
    """
    share, hostile = drawn_share(users, growth), int(HOSTILE_SHARE * users)
    votes = int(share * users) // 2 + 1
    while chance_of_seats(hostile, share, votes) > MOST_CHANCE:
        votes += 1
    return votes


def chance_of_seats(users: int, share: float, seats: int) -> float:
    """Return the chance that at least that number of ``seats`` falls to some ``users``, each drawn by itself.

    Args:
        users: number of the users.
        share: chance of each of them to be drawn.
        seats: number of those that are drawn.
    """
    if share >= 1.0:
        return float(users >= seats)
    total = 0.0
    for number in range(seats, users + 1):
        term = _binomial(users, share, number)
        total += term
        if term < _NEGLIGIBLE and number > share * users:
            break
    return total


def _binomial(users: int, share: float, number: int) -> float:
    ways = math.lgamma(users + 1) - math.lgamma(number + 1) - math.lgamma(users - number + 1)
    return math.exp(ways + number * math.log(share) + (users - number) * math.log1p(-share))
