"""Pages as documents, for the loaders of LangChain and LlamaIndex."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from .client import Huntsman


def documents(
    client: Huntsman, urls: Sequence[str], crawl: str | None, limit: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The Markdown of pages with what is known of each: its address, and title, description, author and date where the
    page has them. A page that cannot be read is left out, with a warning that names it."""
    if bool(urls) == bool(crawl):
        raise ValueError("give either urls, a list of pages, or crawl, the first page of a site")
    if crawl:
        run = client.crawl(url=crawl, limit=limit, formats=["markdown", "item"])
    else:
        run = client.scrape(assets=list(urls), formats=["markdown", "item"])
    for page in run.pages():
        text = (page.get("formats") or {}).get("markdown")
        if page.get("status") != "ok" or not isinstance(text, str):
            error = page.get("error") or {}
            warnings.warn(f"{page['url']} is left out: {error.get('message', 'no text')}", stacklevel=2)
            continue
        item = page.get("item") or {}
        known = {"title": "title", "description": "description", "author": "author", "date_published": "date"}
        metadata: dict[str, Any] = {"source": page["url"]}
        metadata.update({to: item[key] for key, to in known.items() if isinstance(item.get(key), str)})
        yield text, metadata
