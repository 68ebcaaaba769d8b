#!/bin/sh
# Installs the programs that tests run against, real parts of a Linux desktop, a browser, a database and network tools, where some of them are missing.
set -eu

# A program, and the package of Debian and Ubuntu that it comes with.
NEEDED='
/usr/libexec/at-spi-bus-launcher at-spi2-core
/usr/sbin/ip           iproute2
/usr/sbin/miniupnpd    miniupnpd-nftables
/usr/sbin/nft          nftables
/usr/sbin/nginx        nginx-light
/usr/sbin/sysctl       procps
/usr/sbin/tc           iproute2
Xvfb                   xvfb
appstreamcli           appstream
chromium               chromium
debootstrap            debootstrap
dbus-daemon            dbus
desktop-file-validate  desktop-file-utils
display                imagemagick
faketime               faketime
gdbus                  libglib2.0-bin
gio                    libglib2.0-bin
gnome-keyring-daemon   gnome-keyring
kwin_wayland           kwin-wayland
man                    man-db
mutter                 mutter
openbox                openbox
sway                   sway
wmctrl                 wmctrl
xdotool                xdotool
xprintidle             xprintidle
xprop                  x11-utils
pg_ctlcluster          postgresql
trayer                 trayer
update-mime-database   shared-mime-info
xfce4-panel            xfce4-panel
'
# Libraries that Qt loads when a window opens, and their packages; see client/console/desktop.py.
LIBRARIES='
libEGL.so.1             libegl1
libGL.so.1              libgl1
libdbus-1.so.3          libdbus-1-3
libfontconfig.so.1      libfontconfig1
libxcb-cursor.so.0      libxcb-cursor0
libxcb-icccm.so.4       libxcb-icccm4
libxcb-image.so.0       libxcb-image0
libxcb-keysyms.so.1     libxcb-keysyms1
libxcb-randr.so.0       libxcb-randr0
libxcb-render-util.so.0 libxcb-render-util0
libxcb-shape.so.0       libxcb-shape0
libxcb-xkb.so.1         libxcb-xkb1
libxkbcommon-x11.so.0   libxkbcommon-x11-0
'
DBUSMOCK='python3-dbusmock, a module of /usr/bin/python3'

programs=
packages=
needs() {
    programs="$programs
  $1"
    case "$packages " in *" $2 "*) ;; *) packages="$packages $2" ;; esac
}

while read -r program package; do
    [ -z "$program" ] || command -v "$program" >/dev/null || needs "$program" "$package"
done <<END
$NEEDED
END
# Where nothing tells which libraries there are, the tests do.
libraries=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null) || libraries=
while [ -n "$libraries" ] && read -r library package; do
    case "$libraries" in *"${library:- }"*) ;; *) needs "$library" "$package" ;; esac
done <<END
$LIBRARIES
END
# Tests take the system's Python for it: its bindings to D-Bus do not come from PyPI without a compiler.
/usr/bin/python3 -c 'import dbusmock' 2>/dev/null || needs "$DBUSMOCK" python3-dbusmock
[ -n "$packages" ] || exit 0

stop() {
    echo "Tests run against programs that are not installed here:$programs"
    echo "$1"
    exit 1
}

command -v apt-get >/dev/null || stop "Install them, and try again."
as_root=
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || stop "Install them, and try again: sudo apt-get install$packages"
    as_root='sudo -n'
fi
echo "Installing what tests run against, up to 1 GB in a few minutes:$packages"
$as_root apt-get update -qq
# shellcheck disable=SC2086  # these are lists of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $packages >/dev/null
