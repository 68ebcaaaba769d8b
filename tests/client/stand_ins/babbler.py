"""A child that speaks no channel: writes what its start message names to standard output, `threads` times."""

import sys

from client.api.messages import STARTS

start = STARTS.validate_json(sys.stdin.readline())
sys.stdout.write(start.initial_peers[0] * start.threads)
sys.stdout.flush()
sys.stdin.read()
