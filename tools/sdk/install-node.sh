#!/usr/bin/env bash
# Installs the official TypeScript client into .cache/sdk-node, where tests look for it. Does nothing when it is there
# already.
set -eu
cd "$(dirname "$0")/../.."
version=2.6.1
mkdir -p .cache/sdk-node
exec 9>.cache/sdk-node.lock
flock 9
if [ "$(cat .cache/sdk-node/installed.txt 2>/dev/null)" = "$version" ]; then exit 0; fi
command -v npm >/dev/null || tools/sdk/debian.sh ca-certificates nodejs npm
echo '{"private": true}' > .cache/sdk-node/package.json
npm install --silent --no-audit --no-fund --prefix .cache/sdk-node "@tabstack/sdk@$version"
echo "$version" > .cache/sdk-node/installed.txt
