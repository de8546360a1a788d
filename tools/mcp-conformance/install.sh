#!/usr/bin/env bash
# Installs the conformance suite of the Model Context Protocol, and the Node it needs, into .cache/mcp-conformance, where
# `cargo xtask mcp-conformance` looks for them. Does nothing when they are there.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .cache/mcp-conformance
exec 9>.cache/mcp-conformance.lock
flock 9
if cmp -s tools/mcp-conformance/package.json .cache/mcp-conformance/installed.json; then exit 0; fi
command -v npm >/dev/null || tools/sdk/debian.sh ca-certificates nodejs npm
cp tools/mcp-conformance/package.json .cache/mcp-conformance/package.json
npm install --silent --no-audit --no-fund --prefix .cache/mcp-conformance
cp tools/mcp-conformance/package.json .cache/mcp-conformance/installed.json
