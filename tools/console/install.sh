#!/usr/bin/env bash
# Installs axe-core and Playwright, which the console is tried with, into .cache/console, where tests look for them. The browser
# is the one that is there. Does nothing when they are there already.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .cache/console
exec 9>.cache/console.lock
flock 9
if cmp -s tools/console/package.json .cache/console/installed.json; then exit 0; fi
command -v npm >/dev/null || tools/sdk/debian.sh ca-certificates nodejs npm
cp tools/console/package.json .cache/console/package.json
PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --silent --no-audit --no-fund --prefix .cache/console
cp tools/console/package.json .cache/console/installed.json
