#!/bin/sh
# Ends what runs from /opt/idlebrush, of all users: before its files are removed, or replaced by those of another
# version, which the modules that are loaded later would be of. Each daemon leaves its swarm in order.
set -eu

# In an upgrade, the new version's script that runs before its files are laid does it. The one of the old version, that
# runs before its files are removed, does not: dpkg calls it first, and a new version that then refuses to be installed
# would leave nothing running; rpm calls it last, when the new version may run already. (rpm's 1 means the upgrade
# there, and here a first installation.)
case ${DPKG_MAINTSCRIPT_NAME:-rpm}:${1:-} in
    prerm:upgrade | prerm:failed-upgrade | rpm:1) exit 0 ;;
esac

# Sends a signal to all of them; the status is 1 if there are none.
signal() {
    status=1
    for process in /proc/[0-9]*; do
        case $(readlink "$process/exe" 2>/dev/null) in
            /opt/idlebrush/*) if kill "-$1" "${process#/proc/}" 2>/dev/null; then status=0; fi ;;
        esac
    done
    return "$status"
}

tries=0
if signal TERM; then
    # Signal 0 only looks whether they are there.
    while signal 0; do
        tries=$((tries + 1))
        [ "$tries" -lt 60 ] || { signal KILL || :; break; }
        sleep 0.5
    done
fi
exit 0
