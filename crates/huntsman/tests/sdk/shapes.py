"""`extract.json` and `generate.json` through the official client: sync and async, strict and loose."""

import asyncio
import json
import os
import urllib.request

import tabstack
from common import expect, run_parts, strictness
from tabstack import AsyncTabstack, Tabstack

SCHEMA = {
    "type": "object",
    "required": ["name", "price", "page_title"],
    "properties": {
        "name": {"type": "string"},
        "price": {"type": "number"},
        "page_title": {"type": "string"},
    },
}
WANT = {"name": "Nova lamp", "price": 1299, "page_title": "Nova lamp - Lumen"}
DEEP = {"type": "string"}
for _ in range(70):
    DEEP = {"type": "array", "items": DEEP}


def good(page):
    for how in strictness():
        with Tabstack(**how) as client:
            assert client.extract.json(url=page, json_schema=SCHEMA, effort="min", nocache=True) == WANT
            made = client.generate.json(url=page, json_schema=SCHEMA, instructions="name and price")
            assert made == WANT, made


async def good_async(page):
    for how in strictness():
        async with AsyncTabstack(**how) as client:
            both = await asyncio.gather(
                client.extract.json(url=page, json_schema=SCHEMA),
                client.generate.json(url=page, json_schema=SCHEMA, instructions="name and price"),
            )
            assert both == [WANT, WANT], both


def refused(named, **request):
    """The request is refused, and the text names what is wrong."""
    call = {"url": "https://example.com/", "json_schema": SCHEMA} | request
    with Tabstack(max_retries=0) as client:
        resource = client.generate if "instructions" in call else client.extract
        error = expect(tabstack.BadRequestError, lambda: resource.json(**call))
        assert named in error.body["error"], error.body


def wrong(page):
    refused("url", url="no address")
    refused("geo_target.country", geo_target={"country": "DE"})
    refused("json_schema", json_schema="no schema")
    refused("json_schema", json_schema={"type": "thing"})
    refused("json_schema", json_schema={"$ref": page})
    refused("64", json_schema=DEEP)
    refused("instructions", instructions=" ")
    refused("instructions", instructions="x" * 20_001)


def stream(page):
    """The scrape stream over plain HTTP: the model's work is a pair of steps with one id."""
    base = os.environ["TABSTACK_BASE_URL"].removesuffix("/v1")
    body = {"assets": [page], "instructions": "the lamp", "mode": "llm_dynamic_adaptive", "columns": ["title", "maker"]}
    request = urllib.request.Request(
        base + "/api/scrape/stream", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        lines = answer.read().decode().splitlines()
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    calls = [event["data"] for event in events if event.get("data", {}).get("action") == "tool_call"]
    assert [call["status"] for call in calls] == ["running", "completed"] * (len(calls) // 2) and calls, calls
    assert all(one["call_id"] == other["call_id"] for one, other in zip(calls[::2], calls[1::2]))
    result = events[-1]["data"]["extracted_data"][page]
    assert result["item"]["brand"] == "Lumen Works", result
    assert result["item"]["provenance"]["brand"]["from"] == "model", result
    assert result["meta"]["missing"] == [], result["meta"]


async def crowd(page):
    """One request more than there are places is refused at once, and nothing is begun for it."""
    async with AsyncTabstack(max_retries=0) as client:
        ask = lambda: client.extract.json(url=page, json_schema=SCHEMA, effort="max")
        tasks = [asyncio.ensure_future(ask()) for _ in range(17)]
        done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        errors = [task.exception() for task in done]
        assert all(type(error) is tabstack.RateLimitError for error in errors), errors
        assert all(int(error.response.headers["retry-after"]) > 0 for error in errors)
        for task in waiting:
            task.cancel()


if __name__ == "__main__":
    run_parts(globals())
