"""One run: its events, which survive broken connections, its pages and its result."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote

from .errors import ConnectionLost, HuntsmanError, RunFailed
from .transport import Response, Transport, wait
from .types import RunDetail

_FINAL = ("completed", "failed", "cancelled")


@dataclass(frozen=True)
class Event:
    """One event of a run: its number in the run's log, its name and its data."""

    id: int
    name: str
    data: dict[str, Any]


class Run:
    """A run of the server. It goes on when the connection breaks and when this process ends.

    A loop over `events` or `pages` that is left early cancels the run, unless it was begun with `detached=True` or found
    by its id.
    """

    def __init__(self, transport: Transport, run_id: str, *, detached: bool = True) -> None:
        self.id = run_id
        self._transport = transport
        self._detached = detached

    @property
    def _path(self) -> str:
        return f"/v1/runs/{quote(self.id, safe='')}"

    def events(self, after: int = 0) -> Iterator[Event]:
        """The events after number `after`, up to the last one of the run. A broken connection is taken up again where it
        broke: no event is missed or given twice."""
        ended = False
        try:
            for event in self._follow(after):
                yield event
            ended = True
        finally:
            if not ended and not self._detached:
                self._cancel_quietly()

    def _follow(self, after: int) -> Iterator[Event]:
        tries = 0
        while True:
            before = after
            response = None
            try:
                headers = {"last-event-id": str(after)} if after else {}
                response = self._transport.send("GET", f"{self._path}/events", headers=headers)
                for event in _frames(response):
                    if event.id <= after:
                        continue
                    after = event.id
                    yield event
            except (OSError, http.client.HTTPException):
                pass
            finally:
                if response is not None:
                    response.close()
            # A stream that ended may have been cut: the run itself says whether there is more.
            detail = self.detail()
            if detail["status"] in _FINAL and detail["last_seq"] <= after:
                return
            tries = 0 if after > before else tries + 1
            if tries > self._transport.retries:
                raise ConnectionLost(f"the events of {self.id} cannot be read")
            wait(tries, None)

    def pages(self) -> Iterator[dict[str, Any]]:
        """The results of a scrape, crawl, batch or plan, each as soon as it is there: `url`, `status` and `item`,
        `formats`, `rows` or `error`."""
        for event in self.events():
            if event.name != "step":
                continue
            step = event.data.get("data") or {}
            result = (step.get("extracted_data") or {}).get("result")
            if step.get("action") == "complete" and isinstance(result, dict):
                yield result

    def result(self) -> Any:
        """Waits for the end, and gives the result.

        Raises `RunFailed` when the run failed or was cancelled.
        """
        for _ in self.events():
            pass
        detail = self.detail()
        if detail["status"] != "completed":
            error = cast(dict[str, Any], detail.get("error") or {})
            code, message = str(error.get("code", "")), str(error.get("message", ""))
            raise RunFailed(self.id, detail["status"], code, message)
        return detail.get("result")

    def detail(self) -> RunDetail:
        """How the run stands, with what was asked and what came of it."""
        return cast(RunDetail, self._transport.json("GET", self._path))

    def cancel(self) -> None:
        """Stops the run; one that has ended stays as it is."""
        self._transport.json("DELETE", self._path)

    def _cancel_quietly(self) -> None:
        try:
            self.cancel()
        except (HuntsmanError, ConnectionLost):
            # The loop is being left; its own error counts.
            pass


def _frames(response: Response) -> Iterator[Event]:
    """The events of a stream (HTML standard, server-sent events)."""
    name, number = "", 0
    data: list[str] = []
    while line := response.readline():
        if not line.endswith(b"\n"):
            # The connection broke within a line.
            return
        text = line.decode(errors="replace").rstrip("\r\n")
        if not text:
            if data:
                yield Event(number, name, json.loads("\n".join(data)))
            name, data = "", []
            continue
        field, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if field == "id" and value.isdecimal():
            number = int(value)
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
