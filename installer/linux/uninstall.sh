#!/bin/sh
# Removes what ./install has installed for one user. ./uninstall --help says how.
set -eu

usage() {
    cat <<'END'
Usage: ./uninstall [--prefix FOLDER] [--purge | --keep]

Ends Idlebrush and removes it from FOLDER (default: where this script is installed, or else ~/.local), with the
trainer's environment, downloaded runs, settings and logs. Your identities, contribution and pictures are kept, or
removed too (--purge); a terminal asks if neither is given.
END
}

fail() {
    printf 'uninstall: %s\n' "$1" >&2
    exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
prefix=${HOME:?}/.local
case $here in
    */share/idlebrush-app) prefix=${here%/share/idlebrush-app} ;;
esac
data=
while [ $# -gt 0 ]; do
    case $1 in
        --prefix) [ $# -gt 1 ] || fail 'Name a folder after --prefix.'; prefix=$2; shift 2 ;;
        --prefix=*) prefix=${1#--prefix=}; shift ;;
        --purge | --keep) data=$1; shift ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac
app=$prefix/share/idlebrush-app
[ -e "$app/files.txt" ] || fail "Idlebrush is not installed in $prefix. Name the folder by --prefix."
# Programs that run are known by their paths without links, and the prefix as ./install has spelled it in its list.
app=$(CDPATH='' cd -- "$app" && pwd -P)
prefix=$(CDPATH='' cd -- "$prefix" && pwd -P)
IFS= read -r first <"$app/files.txt" || :
case $first in
    /*/share/applications/idlebrush.desktop) prefix=${first%/share/applications/idlebrush.desktop} ;;
esac

left=0
"$app/current/bin/idlebrush" uninstall ${data:+"$data"} || left=1

# The app, if it is open: of all processes those whose program lies here. The status is 1 if there are none.
signal() {
    status=1
    for process in /proc/[0-9]*; do
        case $(readlink "$process/exe" 2>/dev/null) in
            "$app"/*) if kill "-$1" "${process#/proc/}" 2>/dev/null; then status=0; fi ;;
        esac
    done
    return "$status"
}
tries=0
if signal TERM; then
    while signal 0; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || { signal KILL || :; break; }
        sleep 0.1
    done
fi

while IFS= read -r file; do
    rm -f -- "$file"
done <"$app/files.txt"
for update in "update-desktop-database $prefix/share/applications" "update-mime-database $prefix/share/mime"; do
    [ ! -d "${update#* }" ] || { command -v "${update%% *}" >/dev/null && "${update%% *}" "${update#* }" >/dev/null 2>&1; } || :
done
# What those programs make is of use only beside files of others.
if rmdir "$prefix/share/mime/packages" 2>/dev/null; then
    for made in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version; do
        rm -f "$prefix/share/mime/$made"
    done
    rmdir "$prefix/share/mime" 2>/dev/null || :
fi
[ -n "$(find "$prefix/share/applications" -name '*.desktop' 2>/dev/null)" ] || rm -f "$prefix/share/applications/mimeinfo.cache"
is_within() {
    case $1 in
        "$prefix"/*) return 0 ;;
    esac
    return 1
}
# Folders that are empty now, up to the prefix, which may have been made for these files.
while IFS= read -r file; do
    folder=${file%/*}
    while is_within "$folder"; do
        rmdir "$folder" 2>/dev/null || :
        folder=${folder%/*}
    done
done <"$app/files.txt"
if [ "$(readlink "$prefix/bin/idlebrush" 2>/dev/null)" = ../share/idlebrush-app/current/bin/idlebrush ]; then
    rm -f "$prefix/bin/idlebrush"
fi
rm -rf "$app"
rmdir "$prefix/bin" "$prefix/share" 2>/dev/null || :

[ "$left" -eq 0 ] || fail 'The program is removed; what is named above is left.'
echo 'Idlebrush is removed.'
