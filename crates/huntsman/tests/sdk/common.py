"""What the scripts of this folder share: clients that are watched, what is expected of them, and how parts are run."""

import asyncio
import json
import os
import sys
import urllib.request

import tabstack
from tabstack import AsyncTabstack, DefaultAsyncHttpxClient, DefaultHttpxClient, Tabstack


def strictness():
    return [{}, {"_strict_response_validation": True}]


class Watched:
    """Statuses of the answers in order of arrival, and the retry counts that the client sent."""

    def __init__(self, meet=lambda response: None):
        self.statuses, self.counts, self.meet = [], [], meet

    def note(self, response):
        self.statuses.append(response.status_code)
        self.counts.append(int(response.request.headers["x-stainless-retry-count"]))
        self.meet(response)

    async def note_async(self, response):
        self.note(response)

    def client(self, **how):
        return Tabstack(http_client=DefaultHttpxClient(event_hooks={"response": [self.note]}), **how)

    def async_client(self, **how):
        return AsyncTabstack(http_client=DefaultAsyncHttpxClient(event_hooks={"response": [self.note_async]}), **how)


def expect(kind, do):
    """The error of exactly this class that comes of it; its body is `{"error": text}`."""
    try:
        done = do()
    except tabstack.APIStatusError as error:
        assert type(error) is kind, (type(error), error)
        assert list(error.body) == ["error"], error.body
        return error
    raise AssertionError(f"no {kind.__name__} but {done}")


async def expect_async(kind, do):
    try:
        done = await do
    except tabstack.APIStatusError as error:
        assert type(error) is kind, (type(error), error)
        assert list(error.body) == ["error"], error.body
        return error
    raise AssertionError(f"no {kind.__name__} but {done}")


def house(method, path):
    """What the server's own part of the API answers."""
    base = os.environ["TABSTACK_BASE_URL"]
    with urllib.request.urlopen(urllib.request.Request(base + path, method=method)) as answer:
        return json.load(answer)


def run_parts(parts):
    """Runs the parts named on the command line, separated by commas, each with the words after them."""
    names, *words = sys.argv[1:]
    for name in names.split(","):
        outcome = parts[name](*words)
        if asyncio.iscoroutine(outcome):
            asyncio.run(outcome)
    print("well")
