#!/usr/bin/env bash
# Installs the official Python client into .cache/sdk, where tests look for it. Does nothing when it is there already.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .cache
exec 9>.cache/sdk.lock
flock 9
if cmp -s tools/sdk/requirements.txt .cache/sdk/installed.txt; then exit 0; fi
rm -rf .cache/sdk
python3 -c 'import ensurepip, venv' 2>/dev/null || tools/sdk/debian.sh python3 python3-venv
python3 -m venv .cache/sdk
.cache/sdk/bin/pip install --quiet --disable-pip-version-check -r tools/sdk/requirements.txt
cp tools/sdk/requirements.txt .cache/sdk/installed.txt
