#!/usr/bin/env bash
# Installs Debian packages, as root or by sudo, where the installers of the clients need them.
set -eu
cd "$(dirname "$0")/../.."
# Both installers may need packages at the same moment, and apt serves one at a time.
mkdir -p .cache
exec 8>.cache/debian.lock
flock 8
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo -n)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
  -o DPkg::Lock::Timeout=300 "$@"
