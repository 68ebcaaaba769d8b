#!/bin/sh
# Makes the signed repositories of apt and dnf from a folder of packages: linux_repositories.sh PACKAGES OUT KEY.
#
# PACKAGES has *.deb and *.rpm of any number of versions; KEY is the id of a secret key in gpg's keyring (GNUPGHOME).
# OUT gets apt/, rpm/ and idlebrush.asc, the public key, to be served as they are over HTTPS. Needs apt-ftparchive
# (apt-utils), createrepo_c and gpg.
set -eu

if [ $# -ne 3 ]; then
    echo "usage: $0 PACKAGES OUT KEY" >&2
    exit 2
fi
packages=$(realpath "$1") key=$3
for tool in apt-ftparchive createrepo_c gpg; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed." >&2; exit 2; }
done
mkdir -p "$2"
out=$(realpath "$2")

sign() {
    gpg --batch --yes --pinentry-mode loopback --local-user "$key" "$@"
}

# A computer that looks while this runs finds the old repository: each new one is made beside it, and renamed.
new=$(mktemp -d "$out/.new.XXXXXX")
trap 'rm -rf "$new"' EXIT
chmod 755 "$new"

suite="$new/apt/dists/stable"
mkdir -p "$new/apt/pool/main" "$new/rpm"
find "$packages" -maxdepth 1 -name '*.deb' -exec cp {} "$new/apt/pool/main/" \;
find "$packages" -maxdepth 1 -name '*.rpm' -exec cp {} "$new/rpm/" \;
cd "$new/apt"
for machine in amd64 arm64; do
    binary="$suite/main/binary-$machine"
    mkdir -p "$binary"
    apt-ftparchive --arch "$machine" packages pool/main >"$binary/Packages"
    gzip --keep --no-name --best "$binary/Packages"
done
# An old index must not be passed off as the newest for ever.
apt-ftparchive \
    -o APT::FTPArchive::Release::Origin=Idlebrush \
    -o APT::FTPArchive::Release::Label=Idlebrush \
    -o APT::FTPArchive::Release::Suite=stable \
    -o APT::FTPArchive::Release::Codename=stable \
    -o APT::FTPArchive::Release::Components=main \
    -o APT::FTPArchive::Release::Architectures="amd64 arm64" \
    -o APT::FTPArchive::Release::ValidTime=1209600 \
    release "$suite" >"$new/Release"
mv "$new/Release" "$suite/Release"
sign --clearsign --output "$suite/InRelease" "$suite/Release"
sign --armor --detach-sign --output "$suite/Release.gpg" "$suite/Release"

createrepo_c --quiet "$new/rpm"
sign --armor --detach-sign --output "$new/rpm/repodata/repomd.xml.asc" "$new/rpm/repodata/repomd.xml"

sign --armor --export "$key" >"$new/idlebrush.asc"
for part in apt rpm idlebrush.asc; do
    rm -rf "$out/$part"
    mv "$new/$part" "$out/$part"
done
