#!/bin/sh
# dpkg removes /opt with the last package that has files there, although every system has that folder.
set -eu
mkdir -p /opt
