"""`agent.automate` and `agent.automate_input` through the official client: sync and async, strict and loose."""

import asyncio
import time
from collections import Counter

import tabstack
from common import Watched, expect, expect_async, house, run_parts, strictness
from tabstack import AsyncTabstack, Tabstack

# Every event that a reader of the public stream meets in these runs has a class of its own.
UNION = "V1AutomateEvent"
SECRET = "ada.canary@example.org"


def names(events):
    for event in events:
        assert type(event).__name__.startswith(UNION), event
        kind = type(event).__name__.removeprefix(UNION).lower()
        assert kind == event.event.replace(":", "").replace("_", "").lower(), event
    return [event.event for event in events]


def ended(events, success, code=None):
    """A run that has its result and its end, in this order."""
    assert names(events)[-3:] == ["task:completed", "complete", "done"], names(events)
    complete = events[-2].data
    assert complete.success == success and (complete.error and complete.error.code) == code, complete
    return complete


def whole(page):
    for how in strictness():
        with Tabstack(**how) as client:
            events = list(client.agent.automate(task="what does it cost?", url=page, max_iterations=9))
            seen = names(events)
            assert seen[0] == "task:trace_context", seen
            assert Counter(seen)["agent:step"] == 2, seen
            complete = ended(events, True)
            assert complete.final_answer == "12.50 EUR", complete
            assert complete.stats.iterations == 2 and complete.stats.actions == 1, complete


async def whole_async(page):
    for how in strictness():
        async with AsyncTabstack(**how) as client:
            stream = await client.agent.automate(task="what does it cost?", url=page)
            assert ended([event async for event in stream], True).final_answer == "12.50 EUR"


def interactive(client, page, event, react):
    """The events of an order in which a person is asked; `react` is called with each event of this name."""
    seen = []
    for it in client.agent.automate(task="order it", url=page, interactive=True):
        seen.append(it)
        if it.event == event:
            react(it.data)
    return seen


def asked(page):
    """A question is answered once, by its own id only."""
    for how in strictness():
        with Tabstack(**how) as client:
            answer = client.agent.automate_input

            def react(asked):
                question = asked.request_id
                fields = [{"ref": it.ref, "value": SECRET} for it in asked.fields]
                expect(tabstack.BadRequestError, lambda: answer(question))
                expect(tabstack.NotFoundError, lambda: answer(question[:-4] + "0000", fields=fields))
                assert answer(question, fields=fields).status == "accepted"
                gone = expect(tabstack.APIStatusError, lambda: answer(question, cancelled=True))
                assert gone.status_code == 410, gone

            seen = interactive(client, page, "interactive:form_data:request", react)
            assert ended(seen, True).final_answer == "ordered"
            assert "ada.canary" not in str(seen), "a value of the person has leaked"


async def asked_async(page):
    for how in strictness():
        async with AsyncTabstack(**how) as client:
            seen = []
            async for event in await client.agent.automate(task="order it", url=page, interactive=True):
                seen.append(event)
                if event.event != "interactive:form_data:request":
                    continue
                question = event.data.request_id
                fields = [{"ref": it.ref, "value": SECRET} for it in event.data.fields]
                answer = client.agent.automate_input
                assert (await answer(question, fields=fields)).status == "accepted"
                gone = await expect_async(tabstack.APIStatusError, answer(question, fields=fields))
                assert gone.status_code == 410, gone
            assert ended(seen, True).final_answer == "ordered"
            assert "ada.canary" not in str(seen), "a value of the person has leaked"


def declined(page):
    """A person who does not want to answer ends the question, not the run."""
    for how in strictness():
        with Tabstack(**how) as client:

            def react(asked):
                assert client.agent.automate_input(asked.request_id, cancelled=True).status == "accepted"

            seen = interactive(client, page, "interactive:form_data:request", react)
            assert ended(seen, False, "TASK_ABORTED").final_answer == "nothing was given"


async def expired(page):
    """A question whose time is over is gone, which is told once and not tried again."""

    async def late(how):
        watched = Watched()
        async with watched.async_client(**how) as client:
            seen = []
            async for event in await client.agent.automate(task="order it", url=page, interactive=True):
                seen.append(event)
                if event.event != "interactive:form_data:error":
                    continue
                assert list(event.data.field_errors) == ["_callback"], event
                before = len(watched.statuses)
                answer = client.agent.automate_input(event.data.request_id, fields=[{"ref": "E3", "value": SECRET}])
                gone = await expect_async(tabstack.APIStatusError, answer)
                assert gone.status_code == 410 and watched.statuses[before:] == [410], watched.statuses
            assert names(seen).count("interactive:form_data:error") == 1
            ended(seen, False, "TASK_ABORTED")

    def late_sync(how):
        watched = Watched()
        with watched.client(**how) as client:

            def react(late):
                answer = lambda: client.agent.automate_input(late.request_id, cancelled=True)
                assert expect(tabstack.APIStatusError, answer).status_code == 410

            seen = interactive(client, page, "interactive:form_data:error", react)
            ended(seen, False, "TASK_ABORTED")
            assert watched.statuses == [200, 410], watched.statuses

    waiting = [asyncio.to_thread(late_sync, how) for how in strictness()]
    await asyncio.gather(*waiting, *[late(how) for how in strictness()])


def cancelled(page):
    """A run ends when it is cancelled, and when its client leaves."""
    for how in strictness():
        with Tabstack(**how) as client:
            seen = []
            stream = client.agent.automate(task="wait for it", url=page)
            run = stream.response.headers["x-run-id"]
            for event in stream:
                seen.append(event)
                if event.event == "browser:action_started":
                    assert house("DELETE", f"/runs/{run}")["status"] == "cancelled"
            ended(seen, False, "TASK_ABORTED")
            left = client.agent.automate(task="wait for it", url=page)
            run = left.response.headers["x-run-id"]
            next(event for event in left if event.event == "browser:action_started")
            left.close()
            until_it_stands(run, "cancelled")


async def cancelled_async(page):
    async with AsyncTabstack(_strict_response_validation=True) as client:
        stream = await client.agent.automate(task="wait for it", url=page)
        run = stream.response.headers["x-run-id"]
        async for event in stream:
            if event.event == "browser:action_started":
                break
        await stream.close()
        await asyncio.to_thread(until_it_stands, run, "cancelled")


def until_it_stands(run, status):
    """Waits, without following the run: whoever follows it keeps it alive."""
    deadline = time.monotonic() + 30
    while (now := house("GET", f"/runs/{run}")["status"]) != status:
        assert time.monotonic() < deadline, f"the run is {now} and not {status}"
        time.sleep(0.05)


def failed(page):
    """A failure of the agent is a result; a failure before it is an error. Neither is tried again by the client."""
    for how in strictness():
        watched = Watched()
        with watched.client(**how) as client:
            ended(list(client.agent.automate(task="give up", url=page)), False, "TASK_ABORTED")
            events = list(client.agent.automate(task="no plan", url=page))
            assert names(events)[-1] == "error" and events[-1].data.error.code == "LLM_UNAUTHORIZED", events[-1]
            ended(list(client.agent.automate(task="break", url=page)), False, "MAX_ERRORS")
        assert watched.statuses == [200, 200, 200] and watched.counts == [0, 0, 0], watched.statuses


async def failed_async(page):
    async with AsyncTabstack(_strict_response_validation=True) as client:
        stream = await client.agent.automate(task="no plan", url=page)
        events = [event async for event in stream]
        assert names(events)[-1] == "error" and events[-1].data.error.code == "LLM_UNAUTHORIZED", events[-1]


def wrong(page):
    watched = Watched()
    with watched.client() as client:
        cases = [
            {"task": " "},
            {"task": "x", "url": "nowhere"},
            {"task": "x", "max_iterations": 101},
            {"task": "x", "max_validation_attempts": 0},
            {"task": "x", "trusted_hostnames": ["https://a.example"]},
        ]
        for body in cases:
            expect(tabstack.BadRequestError, lambda: client.agent.automate(**body))
    assert watched.statuses == [400] * len(cases), watched.statuses


def leaves(page):
    """Forty streams are opened and closed at once."""
    with Tabstack() as client:
        for _ in range(40):
            with client.agent.with_streaming_response.automate(task="what does it cost?", url=page) as stream:
                assert stream.status_code == 200


def full(page):
    """Where two runs fill the house a third is refused before any work, comes again when it was told to, and is let in."""
    runs = []

    def make_room(response):
        if response.status_code == 503:
            assert 0 < int(response.headers["retry-after"]) <= 60, response.headers
            while runs:
                house("DELETE", f"/runs/{runs.pop()}")

    watched = Watched(make_room)
    with Tabstack(max_retries=0) as client, watched.client(_strict_response_validation=True) as patient:
        working = client.agent.automate(task="wait for it", url=page)
        next(iter(working))
        waiting = client.agent.automate(task="wait for it", url=page)
        expect(tabstack.InternalServerError, lambda: client.agent.automate(task="what does it cost?", url=page))
        runs.extend(stream.response.headers["x-run-id"] for stream in (working, waiting))
        ended(list(patient.agent.automate(task="what does it cost?", url=page)), True)
        assert (watched.statuses, watched.counts) == ([503, 200], [0, 1]), (watched.statuses, watched.counts)
        working.close()
        waiting.close()


def unready(_page):
    """What no second try can mend is not tried again, although it is a 5xx."""
    for how in strictness():
        watched = Watched()
        with watched.client(**how) as client:
            error = expect(tabstack.InternalServerError, lambda: client.agent.automate(task="x"))
            assert error.status_code == 503 and "HUNTSMAN_LLM_PROVIDER" in str(error), error
        assert watched.statuses == [503], watched.statuses


if __name__ == "__main__":
    run_parts(globals())
