"""The MCP server through the official Python client of the major before the last: over HTTP and on stdio."""

import asyncio
import json
import os
import re
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import McpError
from mcp.types import ElicitResult

TOOLS = ["read", "scrape", "research", "automate", "run_wait", "run_cancel", "tool_find", "tool_run"]


def text(result):
    assert len(result.content) == 1, result
    return result.content[0].text


async def everything(streams, label, site):
    asked = []

    async def answer(context, params):
        [(ref, field)] = params.requestedSchema["properties"].items()
        asked.append(field["title"])
        return ElicitResult(action="accept", content={ref: "ann@example.org"})

    async with streams as (read, write, *_), ClientSession(read, write, elicitation_callback=answer) as client:
        await client.initialize()
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
        page = await client.call_tool("read", {"url": f"{site}/lamp"})
        assert not page.isError and "| A lamp of brass" in text(page), page
        wrong = await client.call_tool("read", {"ur": site})
        assert wrong.isError and "did you mean url?" in text(wrong), wrong
        try:
            await client.call_tool("raed", {})
            raise AssertionError("an unknown tool")
        except McpError as error:
            assert "did you mean read?" in str(error), error
        scraped = await client.call_tool("scrape", {"urls": [f"{site}/lamp"]})
        run = scraped.structuredContent["run_id"]
        resource = await client.read_resource(f"huntsman://runs/{run}/events")
        assert '"complete"' in resource.contents[0].text
        assert any(run in str(it.uri) for it in (await client.list_resources()).resources)
        assert len((await client.list_prompts()).prompts) == 3
        await long_call(client, f"{site}/slow/{label}".replace(" ", "-"))
        await question(client, asked, label, site)


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
    assert not (await client.call_tool("run_cancel", {"run_id": run})).isError
    assert (await client.call_tool("run_wait", {"run_id": run})).isError


async def question(client, asked, label, site):
    """A run that asks a person: by a form on stdio, by words over HTTP, where this era has no way to ask."""
    task = {"task": f"order it, {label}", "url": f"{site}/shop", "interactive": True}
    answer = text(await client.call_tool("automate", task))
    if label.endswith("http"):
        assert not asked and "waits for a person" in answer, answer
        await client.call_tool("run_cancel", {"run_id": re.search("run_[0-9a-f]{32}", answer).group()})
        return
    assert asked == ["E-mail"] and "| ordered" in answer, (asked, answer)


async def main(site, program, folder, settings):
    url = os.environ["TABSTACK_BASE_URL"].removesuffix("/v1") + "/mcp"
    await everything(streamable_http_client(url), "older Python http", site)
    server = StdioServerParameters(command=program, args=["mcp"], env=json.loads(settings), cwd=folder)
    await everything(stdio_client(server), "older Python stdio", site)


asyncio.run(main(*sys.argv[1:]))
print("well")
