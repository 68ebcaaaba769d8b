#!/bin/sh
# Starts the agent (core/children/agent), by which Idlebrush on Windows reaches what runs in here.
exec /opt/idlebrush/python/bin/python3 -P -m core.children.agent "$@"
