"""`Huntsman`: everything that a server does, as methods."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from typing import Any, Unpack, cast
from urllib.parse import quote, urlencode

from .run import Run
from .transport import Response, Transport
from .types import (
    BatchRequest,
    CrawlRequest,
    CreateMonitor,
    MapRequest,
    Monitor,
    MonitorHistory,
    PlanRequest,
    RunStatus,
    RunSummary,
    ScrapeRequest,
    SiteMap,
    ToolRequest,
    UpdateMonitor,
)


class Huntsman:
    """A server.

    `base_url` is `HUNTSMAN_URL` when absent, else http://127.0.0.1:8787; `api_key` is `HUNTSMAN_API_KEY` when absent.
    `timeout` is the longest silence of the server in seconds, `retries` how often a request is tried again after a passing
    failure. What starts a run is sent with a name of its own, so that it starts one run however often it is tried.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        retries: int = 5,
    ) -> None:
        base_url = base_url or os.environ.get("HUNTSMAN_URL") or "http://127.0.0.1:8787"
        api_key = api_key or os.environ.get("HUNTSMAN_API_KEY")
        self._transport = Transport(base_url, api_key, timeout, retries)

    def __enter__(self) -> Huntsman:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is kept open between requests."""

    # Runs

    def _begin(self, path: str, body: Any, detached: bool) -> Run:
        headers = {"prefer": "respond-async", "idempotency-key": uuid.uuid4().hex}
        response = self._transport.send("POST", path, body, headers)
        run_id = response.header("x-run-id") or ""
        response.close()
        return Run(self._transport, run_id, detached=detached)

    def scrape(self, *, detached: bool = False, **request: Unpack[ScrapeRequest]) -> Run:
        """Begins to read pages."""
        return self._begin("/api/scrape/stream", request, detached)

    def crawl(self, *, detached: bool = False, **request: Unpack[CrawlRequest]) -> Run:
        """Begins to find and read the pages of a site."""
        return self._begin("/v1/crawl", request, detached)

    def batch(self, *, detached: bool = False, **request: Unpack[BatchRequest]) -> Run:
        """Begins to read a long list of pages."""
        return self._begin("/v1/batch", request, detached)

    def run_plan(self, *, detached: bool = False, **request: Unpack[PlanRequest]) -> Run:
        """Begins to run a plan."""
        return self._begin("/v1/plans/run", request, detached)

    def check_plan(self, **request: Unpack[PlanRequest]) -> dict[str, Any]:
        """Says everything that is wrong with a plan; nothing runs."""
        return cast(dict[str, Any], self._transport.json("POST", "/v1/plans/check", request))

    def run(self, run_id: str) -> Run:
        """A run by its id."""
        return Run(self._transport, run_id)

    def runs(self, status: RunStatus | None = None) -> Iterator[RunSummary]:
        """All runs, newest first."""
        query: dict[str, Any] = {"limit": 100}
        if status is not None:
            query["status"] = status
        while True:
            page = self._transport.json("GET", f"/v1/runs?{urlencode(query)}")
            yield from page["runs"]
            if not page.get("next"):
                return
            query["cursor"] = page["next"]

    # Sites and tools

    def map(self, **request: Unpack[MapRequest]) -> SiteMap:
        """The addresses of a site."""
        return cast(SiteMap, self._transport.json("POST", "/v1/map", request))

    def tools(self, category: str | None = None) -> list[dict[str, Any]]:
        """Every tool with its manifest, or those of one category."""
        query = f"?{urlencode({'category': category})}" if category else ""
        return cast(list[dict[str, Any]], self._transport.json("GET", f"/v1/tools{query}")["tools"])

    def tool(self, name: str) -> dict[str, Any]:
        """One tool's manifest."""
        return cast(dict[str, Any], self._transport.json("GET", f"/v1/tools/{quote(name, safe='')}"))

    def run_tool(self, name: str, **request: Unpack[ToolRequest]) -> dict[str, Any]:
        """Runs one tool once. What it did may not be done twice, so that the request is sent once only."""
        response = self._transport.open("POST", f"/v1/tools/{quote(name, safe='')}/run", request, {})
        return _read(response)

    # Monitors

    def monitors(self) -> list[Monitor]:
        """Your monitors."""
        return cast(list[Monitor], self._transport.json("GET", "/v1/monitors")["monitors"])

    def create_monitor(self, **request: Unpack[CreateMonitor]) -> Monitor:
        """Begins to watch a page. The request is sent once only."""
        response = self._transport.open("POST", "/v1/monitors", request, {})
        return cast(Monitor, _read(response))

    def monitor(self, monitor_id: str) -> Monitor:
        """One monitor."""
        return cast(Monitor, self._transport.json("GET", _monitor(monitor_id)))

    def update_monitor(self, monitor_id: str, **request: Unpack[UpdateMonitor]) -> Monitor:
        """Changes a monitor, pauses or resumes it."""
        return cast(Monitor, self._transport.json("PATCH", _monitor(monitor_id), request))

    def delete_monitor(self, monitor_id: str) -> None:
        """Deletes a monitor with its history."""
        self._transport.json("DELETE", _monitor(monitor_id))

    def check_monitor(self, monitor_id: str) -> Monitor:
        """Checks the page now; the answer comes before the check is done."""
        return cast(Monitor, self._transport.json("POST", f"{_monitor(monitor_id)}/check"))

    def monitor_history(self, monitor_id: str, limit: int = 50) -> MonitorHistory:
        """The versions of the page, the newest first."""
        query = urlencode({"limit": limit})
        return cast(MonitorHistory, self._transport.json("GET", f"{_monitor(monitor_id)}/history?{query}"))


def _monitor(monitor_id: str) -> str:
    return f"/v1/monitors/{quote(monitor_id, safe='')}"


def _read(response: Response) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], json.loads(response.read()))
    finally:
        response.close()
