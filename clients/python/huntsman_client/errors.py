"""What can go wrong: a refused request, a lost connection, a run that failed."""

from __future__ import annotations


class HuntsmanError(Exception):
    """The server refused a request.

    `status` is the HTTP status, `code` the error code of `docs/errors.md`, `retry_after` how many seconds to wait before
    trying again, where the server says so, and `is_passing` whether trying again may help.
    """

    def __init__(
        self, status: int, code: str, message: str, retry_after: float | None = None, is_passing: bool = False
    ) -> None:
        super().__init__(f"{code or status}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after
        self.is_passing = is_passing


class ConnectionLost(Exception):
    """The server could not be reached, however often it was tried."""


class RunFailed(Exception):
    """A run ended without a result: it failed or was cancelled."""

    def __init__(self, run_id: str, status: str, code: str, message: str) -> None:
        super().__init__(f"{run_id} is {status}: {message or code or 'without a reason'}")
        self.run_id = run_id
        self.status = status
        self.code = code
        self.message = message
