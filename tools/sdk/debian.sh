#!/usr/bin/env bash
# Installs Debian packages, as root or by sudo, where a machine has not what the clients' installers need.
set -eu
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo -n)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
