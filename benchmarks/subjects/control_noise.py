"""Yields seeded invalid lines, mixed with some valid ones, for tests of the control channel."""

import json
import random
from collections.abc import Callable

from pydantic import SecretStr

from benchmarks.subjects.mutations import mutated
from client.api.commands import (
    CancelGeneration,
    CancelSignIn,
    Finish,
    Generate,
    Join,
    Leave,
    Pause,
    Quit,
    Resume,
    SetPreference,
    SignIn,
    SignOut,
)
from client.api.questions import GetStatus, Watch
from client.api.requests import AnyRequest
from client.service.channel.request_line import understand
from core.messages.lines import MAX_LINE, encode
from core.messages.pictures import GenerationRequest

SECRET = "hf_neverToBeSeenAgain"
"""Token that is sent whole and in pieces; no answer may contain it."""
_REQUESTS: tuple[AnyRequest, ...] = (
    GetStatus(),
    Watch(),
    Pause(),
    Pause(seconds=900.5),
    Resume(),
    Finish(),
    Quit(),
    Join(folder="/home/ümlaut/run"),
    Leave(),
    Generate(wanted=GenerationRequest(prompt="red heart, ümlaut", count=128, best=4, top_p=0.75)),
    CancelGeneration(generation="20260301-143000-ab12cd"),
    SetPreference(name="cpu.share", value="80%"),
    SignIn(token=SecretStr(SECRET)),
    SignIn(token=SecretStr(SECRET), keep="session"),
    CancelSignIn(),
    SignOut(),
)
_DICTIONARY = (
    b'"', b"\\", b"\\u0000", b"\\ud800", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\n", b"\r\n", b"\xff\xfe",
    b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"-1", b"9" * 400, b'"protocol":2,', b'"id":-1,', b'"type":',
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"//", b"'",
)  # fmt: skip
"""Inputs that parsers often mishandle."""


class Noise:
    """An endless stream of lines, the same for the same seed; none is a request of a `spared` kind."""

    def __init__(self, seed: int, spared: tuple[type[AnyRequest], ...] = (Quit,)) -> None:
        self._random = random.Random(seed)
        self._spared = spared
        self._valid = [encode(request) for request in _REQUESTS]
        self._kinds: dict[Callable[[], bytes], int] = {
            self._request: 20,
            self._mutated: 50,
            self._bytes: 10,
            self._json: 17,
            self._nested: 2,
            self._long: 1,
        }

    def line(self) -> bytes:
        """Return usually one line; some contain line ends, or have none."""
        while True:
            (make,) = self._random.choices(list(self._kinds), list(self._kinds.values()))
            line = make()
            if not self._is_spared(line):
                return line

    def _is_spared(self, line: bytes) -> bool:
        return any(isinstance(understand(part + b"\n"), self._spared) for part in line.split(b"\n"))

    def _request(self) -> bytes:
        return self._random.choice(self._valid)

    def _mutated(self) -> bytes:
        line = mutated(self._request(), self._random, _DICTIONARY)
        return line if self._random.random() < 0.02 else line.rstrip(b"\n") + b"\n"

    def _bytes(self) -> bytes:
        return self._random.randbytes(self._random.randrange(200)) + b"\n"

    def _json(self) -> bytes:
        return json.dumps(self._value(4)).encode() + b"\n"

    def _value(self, depth: int) -> object:
        kind = self._random.randrange(7 if depth else 5)
        if kind == 5:
            return [self._value(depth - 1) for _ in range(self._random.randrange(5))]
        if kind == 6:
            names = ("type", "id", "protocol", "seconds", "folder", "name", "value", "token", "keep", SECRET)
            chosen = self._random.sample(names, self._random.randrange(6))
            return {name: self._value(depth - 1) for name in chosen}
        return self._random.choice(
            (None, True, 1, -1, 2**53, 10**30, 0.5, "", "status", "sign_in", "watch", SECRET, "\0", "\ud800")
        )

    def _nested(self) -> bytes:
        opening = self._random.choice((b"[", b'{"id":', b'{"type":"status","id":['))
        return opening * self._random.randrange(1, 3000) + b"\n"

    def _long(self) -> bytes:
        """Return a line near the size limit, up to slightly beyond it."""
        text = b"x" * (MAX_LINE + self._random.randrange(-80, 80) - 20)
        return b'{"type":"join","folder":"' + text + b'"}\n'
