#!/usr/bin/env bash
# Our client in a scenario of the suite: its tools are listed, and those that the scenario wants are called. The last argument
# is the address of the suite's server; HUNTSMAN names the program, NODE a Node that reads the scenario's wishes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tools"
cat > "$folder/tools/mcp.json" <<JSON
{"mcpServers": {"suite": {"url": "${!#}"}}}
JSON
export HUNTSMAN_DATA_DIR="$folder" HUNTSMAN_TOOLS_DIR="$folder/tools" HUNTSMAN_ENGINE=http
export HUNTSMAN_ALLOW_HOSTS=localhost,127.0.0.1
case "${MCP_CONFORMANCE_SCENARIO:-}" in
tools_call) "$HUNTSMAN" tools run suite.add_numbers --params '{"a": 5, "b": 3}' ;;
sse-retry) "$HUNTSMAN" tools run suite.test_reconnection ;;
http-invalid-tool-headers) "$HUNTSMAN" tools run suite.valid_tool --params '{"region": "eu"}' ;;
http-custom-headers)
  "$NODE" -e 'for (const call of JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT).toolCalls) {
    const name = "suite." + call.name.replaceAll("-", "_");
    // A parameter that is null is left out: the schema of the tool wants a text.
    const params = JSON.stringify(Object.fromEntries(Object.entries(call.arguments).filter(([, value]) => value !== null)));
    require("child_process").spawnSync(process.env.HUNTSMAN, ["tools", "run", name, "--params", params], {stdio: "inherit"});
  }' ;;
*) "$HUNTSMAN" tools check ;;
esac
