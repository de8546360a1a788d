"""`agent.automate` and `agent.automate_input` through the official client: sync and async, strict and loose."""

import asyncio
import sys
from collections import Counter

import tabstack
from tabstack import AsyncTabstack, Tabstack

# Every event that a reader of the public stream meets in these runs has a class of its own.
UNION = "V1AutomateEvent"


def strictness():
    return [{}, {"_strict_response_validation": True}]


def names(events):
    for event in events:
        assert type(event).__name__.startswith(UNION), event
        kind = type(event).__name__.removeprefix(UNION).lower()
        assert kind == event.event.replace(":", "").replace("_", "").lower(), event
    return [event.event for event in events]


def whole(page):
    for how in strictness():
        with Tabstack(**how) as client:
            events = list(client.agent.automate(task="what does it cost?", url=page, max_iterations=9))
            seen = names(events)
            assert seen[0] == "task:trace_context" and seen[-2:] == ["complete", "done"], seen
            assert Counter(seen)["agent:step"] == 2, seen
            complete = events[-2].data
            assert complete.success and complete.final_answer == "12.50 EUR", complete
            assert complete.stats.iterations == 2 and complete.stats.actions == 1, complete


async def whole_async(page):
    for how in strictness():
        async with AsyncTabstack(**how) as client:
            events = []
            async for event in await client.agent.automate(task="what does it cost?", url=page):
                events.append(event)
            assert names(events)[-1] == "done"


def asked(page):
    """A question is answered once, by its own id only."""
    with Tabstack() as client:
        seen = []
        for event in client.agent.automate(task="order it", url=page, interactive=True):
            seen.append(event)
            if event.event != "interactive:form_data:request":
                continue
            question = event.data.request_id
            fields = [{"ref": it.ref, "value": "ada.canary@example.org"} for it in event.data.fields]
            expect(tabstack.BadRequestError, lambda: client.agent.automate_input(question))
            expect(tabstack.NotFoundError, lambda: client.agent.automate_input(question[:-4] + "0000", fields=fields))
            taken = client.agent.automate_input(question, fields=fields)
            assert taken.status == "accepted", taken
            gone = expect(tabstack.APIStatusError, lambda: client.agent.automate_input(question, cancelled=True))
            assert gone.status_code == 410, gone
        assert names(seen)[-1] == "done" and seen[-2].data.success, seen[-2]
        assert "ada.canary" not in str(seen), "a value of the person has leaked"


def failed(page):
    """A failure of the agent is a result; a failure before it is an error."""
    with Tabstack() as client:
        events = list(client.agent.automate(task="give up", url=page))
        assert not events[-2].data.success and events[-2].data.error.code == "TASK_ABORTED", events[-2]
        events = list(client.agent.automate(task="no plan", url=page))
        assert names(events)[-1] == "error" and events[-1].data.error.code == "LLM_UNAUTHORIZED", events[-1]


def wrong(page):
    with Tabstack() as client:
        for body in [
            {"task": " "},
            {"task": "x", "url": "nowhere"},
            {"task": "x", "max_iterations": 101},
            {"task": "x", "max_validation_attempts": 0},
            {"task": "x", "trusted_hostnames": ["https://a.example"]},
        ]:
            expect(tabstack.BadRequestError, lambda: list(client.agent.automate(**body)))


def leaves(page):
    """Forty streams are opened and closed at once."""
    with Tabstack() as client:
        for _ in range(40):
            with client.agent.with_streaming_response.automate(task="what does it cost?", url=page) as stream:
                assert stream.status_code == 200


def expect(kind, do):
    try:
        do()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


if __name__ == "__main__":
    name, *words = sys.argv[1:]
    done = globals()[name](*words)
    if asyncio.iscoroutine(done):
        asyncio.run(done)
    print("well")
