"""Work beside the event loop: in turn, with what it returns or raises, and never in the way of an exit."""

import asyncio
import subprocess
import sys
import threading

import pytest

from client.side_thread import SideThread

_HANGS = """
import asyncio, threading
from client.side_thread import SideThread

async def main():
    thread = SideThread("hangs")
    try:
        async with asyncio.timeout(0.1):
            await thread.do(threading.Event().wait)
    except TimeoutError:
        print("given up")
    thread.close(lambda: print("never"))

asyncio.run(main())
"""


def test_work_is_done_in_turn_by_one_thread_which_then_ends() -> None:
    async def body() -> None:
        thread = SideThread("side")
        done: list[int] = []
        workers = await asyncio.gather(*(thread.do(lambda: _note(done)) for _ in range(3)))
        assert done == [0, 1, 2]
        assert len(set(workers)) == 1
        with pytest.raises(ValueError, match="invalid literal"):
            await thread.do(lambda: int("x"))
        ended = threading.Event()
        thread.close(ended.set)
        assert ended.wait(10)
        workers[0].join(10)
        assert not workers[0].is_alive()

    asyncio.run(body())


def _note(done: list[int]) -> threading.Thread:
    done.append(len(done))
    return threading.current_thread()


def test_what_hangs_keeps_no_process_from_exiting() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _HANGS], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == "given up\n"
