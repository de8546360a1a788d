"""A LlamaIndex reader. Needs the package `llama-index-core`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from .client import Huntsman
from .documents import documents


class HuntsmanReader(BaseReader):
    """Reads pages as Markdown.

        HuntsmanReader().load_data(["https://example.org"])
    """

    def __init__(self, client: Huntsman | None = None) -> None:
        self._client = client or Huntsman()

    def lazy_load_data(
        self, urls: Sequence[str] = (), *, crawl: str | None = None, limit: int = 100, **_: Any
    ) -> Iterable[Document]:
        """The pages of `urls`, or up to `limit` pages of the site that `crawl` begins, each as soon as it is read."""
        for text, metadata in documents(self._client, urls, crawl, limit):
            yield Document(text=text, metadata=metadata)
