"""Requests to the server over the standard library, tried again where that is safe."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import time
from typing import Any
from urllib.parse import urlsplit

from .errors import ConnectionLost, HuntsmanError

# Statuses after which the server may be asked again.
_PASSING = (429, 502, 503, 504)
# The longest pause between two tries, in seconds.
_MOST_PAUSE = 30.0


class Transport:
    """Sends requests to one server. Each request has a connection of its own, so that threads can share a transport."""

    def __init__(self, base_url: str, api_key: str | None, timeout: float, retries: int) -> None:
        address = urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"base_url: {base_url!r} is no http or https address, such as http://127.0.0.1:8787")
        if address.username is not None or address.query or address.fragment:
            raise ValueError("base_url: takes a scheme, a host, a port and a path; the key goes into api_key")
        if timeout <= 0:
            raise ValueError("timeout: must be more than 0 seconds")
        if retries < 0:
            raise ValueError("retries: must be 0 or more")
        self._secure = address.scheme == "https"
        self._host: str = address.hostname
        self._port = address.port
        self._path = address.path.rstrip("/").removesuffix("/v1")
        self._key = api_key
        self._timeout = timeout
        self.retries = retries

    def open(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Response:
        """Sends a request once and waits for the head of its answer."""
        connection: http.client.HTTPConnection
        if self._secure:
            context = ssl.create_default_context()
            connection = http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=context)
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        sent = {"accept": "application/json, text/event-stream", **headers}
        if self._key:
            sent["authorization"] = f"Bearer {self._key}"
        data = None
        if body is not None:
            sent["content-type"] = "application/json"
            data = json.dumps(body).encode()
        try:
            connection.request(method, self._path + path, data, sent)
            answer = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        response = Response(connection, answer)
        if answer.status >= 400:
            raise _refusal(response)
        return response

    def send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Response:
        """Sends a request, and again after a passing failure. The caller makes sure that it may be sent twice."""
        tries = 0
        while True:
            try:
                return self.open(method, path, body, headers or {})
            except HuntsmanError as error:
                if not error.is_passing or tries >= self.retries:
                    raise
                pause = error.retry_after
            except (OSError, http.client.HTTPException) as error:
                if tries >= self.retries:
                    raise ConnectionLost(f"{self._host} cannot be reached: {error}") from error
                pause = None
            tries += 1
            wait(tries, pause)

    def json(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """As `send`, with the answer read as JSON."""
        response = self.send(method, path, body, headers)
        try:
            return json.loads(response.read() or b"null")
        finally:
            response.close()


class Response:
    """An answer whose body is still to be read."""

    def __init__(self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._answer = answer
        self.status = answer.status

    def header(self, name: str) -> str | None:
        return self._answer.getheader(name)

    def read(self) -> bytes:
        return self._answer.read()

    def readline(self) -> bytes:
        return self._answer.readline()

    def close(self) -> None:
        self._connection.close()


def wait(tries: int, pause: float | None) -> None:
    """Waits before the next try: as the server asks, else twice as long each time."""
    if pause is None:
        pause = random.uniform(0.5, 1.0) * 0.1 * 2**tries
    time.sleep(min(pause, _MOST_PAUSE))


def _refusal(response: Response) -> HuntsmanError:
    try:
        text = response.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):
        text = ""
    finally:
        response.close()
    try:
        message = str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        message = text[:500] or "the server gave no reason"
    try:
        after = float(response.header("retry-after") or "")
    except ValueError:
        after = None
    # Where the server says when to ask again, asking again helps; it also says where it cannot.
    is_passing = (response.status in _PASSING or after is not None) and response.header("x-should-retry") != "false"
    return HuntsmanError(response.status, response.header("x-error-code") or "", message, after, is_passing)
