"""`agent.research` through the official client: every mode, sync and async, strict; and what is refused."""

import asyncio

import tabstack
from common import Watched, expect, run_parts
from tabstack import AsyncTabstack, Tabstack

QUESTION = "How tall are the Harrow windmills?"
MODES = ["fast", "balanced", "deep", "max", "ultra"]


def classes(events):
    """Every event in its own class, with what all of them have."""
    for event in events:
        wanted = "".join(part.capitalize() for part in event.event.split(":"))
        assert type(event).__name__ == f"V1ResearchEvent{wanted}", (type(event), event.event)
        assert event.data.message and event.data.timestamp > 0
    return [event.event for event in events]


def whole(events, mode):
    """A whole run: each start with its end, the report last."""
    names = classes(events)
    assert names[0] == "start" and names[-1] == "complete" and names.count("complete") == 1, names
    for name in names:
        if name.endswith(":start"):
            assert names.count(name) == names.count(name.replace(":start", ":end")), names
    done = events[-1].data
    assert done.metadata.mode == mode and done.metadata.prompt == QUESTION
    assert "22 metres tall" in done.report and "99 metres" not in done.report, done.report
    cited = done.metadata.cited_pages
    assert cited and all(page.claims and page.url.startswith("http://") for page in cited)
    assert [page.id for page in cited] == [str(number) for number in range(1, len(cited) + 1)]
    assert any(page.url.endswith(".pdf") for page in cited), cited
    followed = 0 if mode == "fast" else 1
    assert names.count("following:end") == followed, names
    assert done.metadata.metrics.fetches == 5 + followed and done.metadata.metrics.success_rates.searches == 1
    assert ("judging:end" in names) == (mode in ("deep", "max", "ultra"))


async def every_mode():
    for mode in MODES:
        with Tabstack(_strict_response_validation=True) as client:
            whole(list(client.agent.research(query=QUESTION, mode=mode, fetch_timeout=30)), mode)
    for mode in MODES:
        async with AsyncTabstack(_strict_response_validation=True) as client:
            stream = await client.agent.research(query=QUESTION, mode=mode, nocache=True)
            whole([event async for event in stream], mode)
    with Tabstack() as client:
        whole(list(client.agent.research(query=QUESTION)), "fast")


def wrong():
    watched = Watched()
    with watched.client() as client:
        cases = [
            ({"query": ""}, "query"),
            ({"query": " "}, "query"),
            ({"query": "x" * 10_001}, "10000"),
            ({"query": "x", "mode": "quick"}, "mode"),
            ({"query": "x", "fetch_timeout": 0}, "fetch_timeout"),
        ]
        for body, named in cases:
            error = expect(tabstack.BadRequestError, lambda: client.agent.research(**body))
            assert named in error.body["error"], error.body
    assert watched.statuses == [400] * len(cases), watched.statuses


def nothing():
    """Without search provider, source and index the three ways out are told, once."""
    watched = Watched()
    with watched.client() as client:
        error = expect(tabstack.UnprocessableEntityError, lambda: client.agent.research(query=QUESTION))
        for way in ["HUNTSMAN_SEARCH_PROVIDER", "sources", "huntsman index add"]:
            assert way in error.body["error"], error.body
    assert watched.statuses == [422], watched.statuses


def down(page):
    """A search provider that is down is told by its phase; the run ends by name, or goes on with what it has."""
    with Tabstack(_strict_response_validation=True) as client:
        events = list(client.agent.research(query=QUESTION, mode="balanced"))
        names = classes(events)
        assert names[-1] == "error" and "complete" not in names, names
        assert events[-1].data.error.name == "SEARCH_FAILED", events[-1]
        told = [event.data for event in events if event.event == "searching:end"]
        assert told and all(it.urls_found == 0 and "searxng" in it.message for it in told), told
        events = list(client.agent.research(query=f"What does {page} say?", mode="fast"))
        assert classes(events)[-1] == "complete" and "prefetching:end" in classes(events), classes(events)
        assert events[-1].data.metadata.cited_pages[0].url == page


if __name__ == "__main__":
    run_parts(globals())
