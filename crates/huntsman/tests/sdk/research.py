"""`agent.research` through the official client: every mode, sync and async, strict; and what is refused."""

import asyncio
import sys

import tabstack
from tabstack import AsyncTabstack, Tabstack

QUESTION = "How tall are the Harrow windmills?"
MODES = ["fast", "balanced", "deep", "max", "ultra"]


def whole(events, mode):
    """A whole run: every event in its own class, each start with its end, the report last."""
    names = [event.event for event in events]
    assert names[0] == "start" and names[-1] == "complete" and names.count("complete") == 1, names
    for name in names:
        if name.endswith(":start"):
            assert names.count(name) == names.count(name.replace(":start", ":end")), names
    for event in events:
        wanted = "".join(part.capitalize() for part in event.event.split(":"))
        assert type(event).__name__ == f"V1ResearchEvent{wanted}", (type(event), event.event)
        assert event.data.message and event.data.timestamp > 0
    done = events[-1].data
    assert done.metadata.mode == mode and done.metadata.prompt == QUESTION
    assert "22 metres tall" in done.report and "99 metres" not in done.report, done.report
    cited = done.metadata.cited_pages
    assert cited and all(page.claims and page.url.startswith("http://") for page in cited)
    assert [page.id for page in cited] == [str(number) for number in range(1, len(cited) + 1)]
    assert done.metadata.metrics.fetches == 4 and done.metadata.metrics.success_rates.searches == 1
    assert ("judging:end" in names) == (mode in ("deep", "max", "ultra"))


async def every_mode():
    for mode in MODES:
        with Tabstack(_strict_response_validation=True) as client:
            whole(list(client.agent.research(query=QUESTION, mode=mode, fetch_timeout=30)), mode)
    for mode in MODES[:2]:
        async with AsyncTabstack(_strict_response_validation=True) as client:
            stream = await client.agent.research(query=QUESTION, mode=mode, nocache=True)
            whole([event async for event in stream], mode)
    with Tabstack(max_retries=0) as client:
        for wrong in [{"query": " "}, {"query": "x" * 10_001}, {"query": "x", "mode": "quick"}]:
            try:
                client.agent.research(**wrong)
            except tabstack.BadRequestError as error:
                assert list(error.body) == ["error"], error.body
            else:
                raise AssertionError(wrong)


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    outcome = globals()[what](*words)
    if asyncio.iscoroutine(outcome):
        asyncio.run(outcome)
    print("well")
