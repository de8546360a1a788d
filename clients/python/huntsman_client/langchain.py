"""A LangChain loader. Needs the package `langchain-core`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

from .client import Huntsman
from .documents import documents


class HuntsmanLoader(BaseLoader):
    """Loads pages as Markdown: those of `urls`, or up to `limit` pages of the site that `crawl` begins.

        HuntsmanLoader(["https://example.org"]).load()
    """

    def __init__(
        self,
        urls: Sequence[str] = (),
        *,
        crawl: str | None = None,
        limit: int = 100,
        client: Huntsman | None = None,
    ) -> None:
        self._urls = urls
        self._crawl = crawl
        self._limit = limit
        self._client = client or Huntsman()

    def lazy_load(self) -> Iterator[Document]:
        """The pages, each as soon as it is read."""
        for text, metadata in documents(self._client, self._urls, self._crawl, self._limit):
            yield Document(page_content=text, metadata=metadata)
