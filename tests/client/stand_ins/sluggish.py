"""A child whose main loop is looked after at every so many heartbeats alone, `threads` of them."""

import itertools
import os
import time

from client.api.messages import STARTS
from core.messages.children import Heartbeat, Hello
from core.messages.lines import Channel

_BEAT_SECONDS = 0.1

channel = Channel.claim()
start = channel.receive(STARTS)
assert start is not None
channel.send(Hello(pid=os.getpid()))
looked = time.monotonic()
for beat in itertools.count(1):
    channel.send(Heartbeat(idle_seconds=time.monotonic() - looked))
    if beat % start.threads == 0:
        looked = time.monotonic()
    time.sleep(_BEAT_SECONDS)
