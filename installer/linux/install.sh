#!/bin/sh
# Installs Idlebrush for one user, from the folder that this script is in, without root. ./install --help says how.
set -eu

usage() {
    cat <<'END'
Usage: ./install [--prefix FOLDER]

Installs Idlebrush for you alone, into FOLDER (default: ~/.local): the program below share/idlebrush-app, a link to it
in bin, an entry for the desktop's menus, and the manual page. Nothing starts by itself afterwards.
FOLDER/share/idlebrush-app/uninstall removes all of it.
END
}

fail() {
    printf 'install: %s\n' "$1" >&2
    exit 1
}

prefix=${HOME:?}/.local
while [ $# -gt 0 ]; do
    case $1 in
        --prefix) [ $# -gt 1 ] || fail 'Name a folder after --prefix.'; prefix=$2; shift 2 ;;
        --prefix=*) prefix=${1#--prefix=}; shift ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac
[ "$(id -u)" -ne 0 ] || fail 'It installs for one user. Run it as that user, without sudo; for all users, install the .deb or .rpm package.'
[ "$(uname -m)" = x86_64 ] || fail "This archive is for x86_64 processors, and this computer has $(uname -m)."

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/tree/installation.toml" 2>/dev/null) || :
[ -n "$version" ] || fail "$here/tree is not complete. Unpack the archive again."
app=$prefix/share/idlebrush-app
"$here/tree/python/bin/python3" -I -c '' 2>/dev/null ||
    fail 'Its Python does not start here: it needs glibc 2.35 or newer (Debian 12, Ubuntu 22.04, Fedora 36 or newer).'

mkdir -p "$app" "$prefix/bin" || fail "You may not write to $prefix. Choose another folder by --prefix."
# One spelling of it in all that is written, whatever links and dots it was named by.
named=$prefix
prefix=$(CDPATH='' cd -- "$prefix" && pwd -P)
app=$prefix/share/idlebrush-app
link=../share/idlebrush-app/current/bin/idlebrush
if [ -e "$prefix/bin/idlebrush" ] || [ -L "$prefix/bin/idlebrush" ]; then
    [ "$(readlink "$prefix/bin/idlebrush")" = "$link" ] || fail "$prefix/bin/idlebrush is in the way: it is no link of ours."
fi
# Whole, or not at all: an interrupted copy has another name, and the next one begins with removing it.
rm -rf "$app"/incoming-*
incoming=$app/incoming-$$
clean() {
    [ -d "$app/$version" ] || [ ! -d "$incoming-old" ] || mv "$incoming-old" "$app/$version"
    rm -rf "$incoming" "$incoming-old" "$app/files.txt.new"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
cp -R "$here/tree" "$incoming" || fail "It cannot be copied to $app. Is there space on that disk?"
[ ! -d "$app/$version" ] || mv "$app/$version" "$incoming-old"
mv "$incoming" "$app/$version"
rm -rf "$incoming-old"
ln -s "$version" "$incoming"
mv -T "$incoming" "$app/current"
ln -sf "$link" "$prefix/bin/idlebrush"
cp "$here/uninstall" "$app/uninstall"

layout=$app/current/share/idlebrush-installer
PYTHONPATH=$layout PYTHONDONTWRITEBYTECODE=1 "$app/current/python/bin/python3" -s -P -m installer.linux.layout \
    "$prefix" --program "$prefix/bin/idlebrush" >"$app/files.txt.new"
mv "$app/files.txt.new" "$app/files.txt"
for update in "update-desktop-database $prefix/share/applications" "update-mime-database $prefix/share/mime"; do
    command -v "${update%% *}" >/dev/null && { "${update%% *}" "${update#* }" >/dev/null 2>&1 || :; }
done

printf 'Idlebrush %s is installed. Open it from the menu, or run: %s\n' "$version" "$prefix/bin/idlebrush"
printf 'To remove it: %s\n' "$app/uninstall"
case :${PATH:-}: in
    *:"$prefix/bin":* | *:"$named/bin":*) ;;
    *) printf '%s is not among the folders of programs (PATH) of this shell.\n' "$prefix/bin" ;;
esac
