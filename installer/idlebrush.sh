#!/bin/sh
# Starts Idlebrush by the Python beside it, from any place and through links.
program=$(readlink -f -- "$0") || exit 1
tree=${program%/bin/*}
# What a user has for another Python would be found before what this one needs.
unset PYTHONHOME PYTHONPATH PYTHONSTARTUP
export PYTHONNOUSERSITE=1
exec "$tree/python/bin/python3" -P -m client.cli "$@"
