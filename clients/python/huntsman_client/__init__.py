"""Client of a Huntsman server: scrapes, crawls, batches, plans, tools, runs and monitors.

    from huntsman_client import Huntsman

    with Huntsman() as client:
        for page in client.scrape(assets=["https://example.org"]).pages():
            print(page["url"], page["status"])
"""

from . import types
from .client import Huntsman
from .errors import ConnectionLost, HuntsmanError, RunFailed
from .run import Event, Run

__all__ = ["ConnectionLost", "Event", "Huntsman", "HuntsmanError", "Run", "RunFailed", "types"]
