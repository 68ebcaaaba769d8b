#!/bin/sh
# Signs Idlebrush.app and has it notarised, on a Mac with Xcode's tools. It has never been run.
#
#   installer/macos/sign.sh Idlebrush.app "Developer ID Application: NAME (TEAM)" KEYCHAIN_PROFILE
#
# KEYCHAIN_PROFILE comes from `xcrun notarytool store-credentials`.
set -eu

bundle=$1 identity=$2 profile=$3
here=$(cd "$(dirname "$0")" && pwd)
archive=${bundle%.app}.zip

sign() {
    codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$identity" "$1"
}

# From the inside out: a signature covers those of the libraries below it.
find "$bundle/Contents/Resources" -type f \( -name '*.so' -o -name '*.dylib' -o -perm -u+x \) | while read -r file; do
    file -b "$file" | grep -q Mach-O && sign "$file"
done
find "$bundle/Contents/Resources" -type d -name '*.framework' | while read -r framework; do
    sign "$framework"
done
sign "$bundle"
codesign --verify --deep --strict --verbose=2 "$bundle"

ditto -c -k --keepParent "$bundle" "$archive"
xcrun notarytool submit "$archive" --keychain-profile "$profile" --wait
xcrun stapler staple "$bundle"
spctl --assess --type execute --verbose "$bundle"
rm "$archive"
ditto -c -k --keepParent "$bundle" "$archive"
