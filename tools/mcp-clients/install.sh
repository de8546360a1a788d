#!/usr/bin/env bash
# Installs the clients of the Model Context Protocol that our server is tried with into .cache/mcp-clients, where tests look for
# them: the Inspector, both majors of the TypeScript client with the Node they need, and the Python client of the major before the
# last. Does nothing when they are there.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .cache/mcp-clients
exec 9>.cache/mcp-clients.lock
flock 9
wanted=$(cat tools/mcp-clients/package.json tools/mcp-clients/requirements.txt)
if [ "$(cat .cache/mcp-clients/installed.txt 2>/dev/null)" = "$wanted" ]; then exit 0; fi
command -v npm >/dev/null || tools/sdk/debian.sh ca-certificates nodejs npm
python3 -c 'import ensurepip, venv' 2>/dev/null || tools/sdk/debian.sh python3 python3-venv
cp tools/mcp-clients/package.json .cache/mcp-clients/package.json
npm install --silent --no-audit --no-fund --prefix .cache/mcp-clients
rm -rf .cache/mcp-clients/python
python3 -m venv .cache/mcp-clients/python
.cache/mcp-clients/python/bin/pip install --quiet --disable-pip-version-check -r tools/mcp-clients/requirements.txt
echo "$wanted" > .cache/mcp-clients/installed.txt
