"""The MCP server through the official client: on stdio and over HTTP, in both eras of the protocol."""

import asyncio
import os
import re

from common import run_parts
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

TOOLS = ["read", "scrape", "research", "automate", "run_wait", "run_cancel", "tool_find", "tool_run"]


def text(result):
    assert len(result.content) == 1, result
    return result.content[0].text


async def everything(server, mode, page, slow):
    async with Client(server, mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
        read = await client.call_tool("read", {"url": page})
        assert not read.is_error and read.structured_content is None, read
        assert "| A lamp of brass" in text(read), text(read)
        wrong = await client.call_tool("read", {"ur": page})
        assert wrong.is_error and "did you mean" in text(wrong), wrong
        try:
            await client.call_tool("raed", {})
            raise AssertionError("an unknown tool")
        except MCPError as error:
            assert "did you mean read?" in str(error), error
        scraped = await client.call_tool("scrape", {"urls": [page]})
        assert scraped.structured_content["status"] == "completed", scraped
        run = scraped.structured_content["run_id"]
        resource = await client.read_resource(f"huntsman://runs/{run}/events")
        assert '"complete"' in resource.contents[0].text
        assert any(run in str(it.uri) for it in (await client.list_resources()).resources)
        assert len((await client.list_prompts()).prompts) == 3
        await long_call(client, slow)


async def long_call(client, slow):
    """A call whose run goes on: progress names it, the call is given up, the run is waited for and cancelled."""
    told = asyncio.Queue()

    async def progress(done, total, message):
        await told.put(message)

    call = asyncio.create_task(client.call_tool("scrape", {"urls": [slow]}, progress_callback=progress))
    run = re.search("run_[0-9a-f]{32}", await asyncio.wait_for(told.get(), 30)).group()
    call.cancel()
    waited = await client.call_tool("run_wait", {"run_id": run, "wait_seconds": 0})
    assert f"{run} is still running" in text(waited), waited
    cancelled = await client.call_tool("run_cancel", {"run_id": run})
    assert not cancelled.is_error, cancelled
    ended = await client.call_tool("run_wait", {"run_id": run})
    assert ended.is_error, ended


async def http(page, slow):
    base = os.environ["TABSTACK_BASE_URL"].removesuffix("/v1")
    for mode in ["legacy", "auto"]:
        await everything(f"{base}/mcp", mode, page, f"{slow}/http/{mode}")


async def stdio(program, folder, page, slow):
    settings = {"HUNTSMAN_DATA_DIR": folder, "HUNTSMAN_ALLOW_HOSTS": "127.0.0.1", "HUNTSMAN_ENGINE": "http"}
    server = StdioServerParameters(command=program, args=["mcp"], env=settings, cwd=folder)
    for mode in ["legacy", "auto"]:
        await everything(server, mode, page, f"{slow}/stdio/{mode}")


run_parts({"http": http, "stdio": stdio})
