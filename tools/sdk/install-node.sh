#!/usr/bin/env bash
# Installs the official TypeScript client, the reference library of Standard Webhooks, and the compiler of our own client,
# into .cache/sdk-node, where tests look for them. Does nothing when they are there already.
set -eu
cd "$(dirname "$0")/../.."
version=2.6.1
webhooks=1.0.0
typescript=5.9.3
mkdir -p .cache/sdk-node
exec 9>.cache/sdk-node.lock
flock 9
if [ "$(cat .cache/sdk-node/installed.txt 2>/dev/null)" = "$version $webhooks $typescript" ]; then exit 0; fi
command -v npm >/dev/null || tools/sdk/debian.sh ca-certificates nodejs npm
echo '{"private": true}' > .cache/sdk-node/package.json
npm install --silent --no-audit --no-fund --prefix .cache/sdk-node "@tabstack/sdk@$version" "standardwebhooks@$webhooks" \
  "typescript@$typescript"
echo "$version $webhooks $typescript" > .cache/sdk-node/installed.txt
