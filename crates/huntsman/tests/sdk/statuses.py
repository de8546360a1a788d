"""Every status that `extract.json` and `generate.json` answer has its class: sync and async, strict and loose. And how
often the client asks again by itself."""

import asyncio
import json

import tabstack
from common import Watched, expect, expect_async, run_parts, strictness
from tabstack import AsyncTabstack, Tabstack

SCHEMA = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}


def asks(client, case):
    call = {"url": case["url"], "json_schema": SCHEMA, "extra_headers": case.get("headers", {})}
    yield lambda: client.extract.json(**call)
    yield lambda: client.generate.json(**call, instructions="the name")


async def classes(cases):
    for case in json.loads(cases):
        kind = getattr(tabstack, case["class"])
        how = {"max_retries": 0} | ({"base_url": case["base"]} if "base" in case else {})

        def told(error):
            assert error.status_code == case["status"], (case, error)
            assert case.get("named", "") in error.body["error"], (case, error)

        def in_turn(more):
            with Tabstack(**how, **more) as client:
                for ask in asks(client, case):
                    told(expect(kind, ask))

        async def at_once(more):
            async with AsyncTabstack(**how, **more) as client:
                for error in await asyncio.gather(*[expect_async(kind, ask()) for ask in asks(client, case)]):
                    told(error)

        # The two kinds of clients take turns at being strict.
        loose, strict = strictness()
        await asyncio.gather(asyncio.to_thread(in_turn, strict), at_once(loose))
        await asyncio.gather(asyncio.to_thread(in_turn, loose), at_once(strict))


def again(cases):
    """A failure that may pass is asked about again, at most twice; one that cannot is told at once."""
    for case in json.loads(cases):
        watched = Watched()
        with watched.client() as client:
            ask = lambda: client.extract.json(url=case["url"], json_schema=SCHEMA)
            if case["statuses"][-1] == 200:
                assert ask() == {"name": "Nova lamp"}
            else:
                expect(getattr(tabstack, case["class"]), ask)
        assert watched.statuses == case["statuses"], (case, watched.statuses)
        assert watched.counts == list(range(len(watched.counts))), watched.counts


if __name__ == "__main__":
    run_parts(globals())
