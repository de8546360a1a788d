"""The MCP server through the official client: on stdio and over HTTP, in both eras of the protocol."""

import asyncio
import json
import os
import re

from common import run_parts
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

TOOLS = ["read", "scrape", "research", "automate", "run_wait", "run_cancel", "tool_find", "tool_run"]


def text(result):
    assert len(result.content) == 1, result
    return result.content[0].text


async def everything(server, mode, label, site):
    asked = []

    async def answer(context, params):
        [(ref, field)] = params.requested_schema["properties"].items()
        asked.append(field["title"])
        return ElicitResult(action="accept", content={ref: "ann@example.org"})

    async with Client(server, mode=mode, elicitation_callback=answer) as client:
        page = f"{site}/lamp"
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
    cancelled = await client.call_tool("run_cancel", {"run_id": run})
    assert not cancelled.is_error, cancelled
    ended = await client.call_tool("run_wait", {"run_id": run})
    assert ended.is_error, ended


async def question(client, asked, label, site):
    """A run that asks a person: by a form where the protocol has one, else by words."""
    task = {"task": f"order it, {label}", "url": f"{site}/shop", "interactive": True}
    answer = text(await client.call_tool("automate", task))
    if label == "http legacy":
        assert not asked and "waits for a person" in answer, answer
        await client.call_tool("run_cancel", {"run_id": re.search("run_[0-9a-f]{32}", answer).group()})
        return
    assert asked == ["E-mail"] and "| ordered" in answer, (asked, answer)


async def both(site, program, folder, settings):
    url = os.environ["TABSTACK_BASE_URL"].removesuffix("/v1") + "/mcp"
    server = StdioServerParameters(command=program, args=["mcp"], env=json.loads(settings), cwd=folder)
    for mode in ["legacy", "auto"]:
        await everything(url, mode, f"http {mode}", site)
        await everything(server, mode, f"stdio {mode}", site)


run_parts({"both": both})
