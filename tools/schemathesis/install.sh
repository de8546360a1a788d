#!/usr/bin/env bash
# Installs Schemathesis into .cache/schemathesis, where `cargo xtask schemathesis` looks for it. Does nothing when it is there.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .cache
exec 9>.cache/schemathesis.lock
flock 9
if cmp -s tools/schemathesis/requirements.txt .cache/schemathesis/installed.txt; then exit 0; fi
rm -rf .cache/schemathesis
python3 -c 'import ensurepip, venv' 2>/dev/null || tools/sdk/debian.sh python3 python3-venv
python3 -m venv .cache/schemathesis
.cache/schemathesis/bin/pip install --quiet --disable-pip-version-check -r tools/schemathesis/requirements.txt
cp tools/schemathesis/requirements.txt .cache/schemathesis/installed.txt
