"""Reads pages with a peer: `{"id", "url", "html"}` a line of stdin gives one answer a line of stdout.

    python read.py trafilatura < pages.jsonl
    python read.py set http://127.0.0.1:8800 FOLDER

The second form writes pages of the demo site as a set for `cargo xtask bench speed`.
"""

import gzip
import json
import sys
import urllib.error
import urllib.request
from pathlib import Path

# Pages of the demo site: products, lists, tables, posts.
SINGLE = ["/", "/shop", "/shop/plain", "/tables", "/hn", "/reddit"]
PRODUCTS = 80


def trafilatura():
    from trafilatura import extract

    return lambda html, url: extract(html, url=url)


def readability():
    from readability import Document

    return lambda html, url: Document(html, url=url).summary()


def html2text():
    from html2text import HTML2Text

    def read(html, url):
        reader = HTML2Text(baseurl=url)
        reader.body_width = 0
        return reader.handle(html)

    return read


def markdownify():
    from markdownify import markdownify

    return lambda html, url: markdownify(html)


def extruct():
    from extruct import extract

    return lambda html, url: extract(html, base_url=url)


PEERS = {peer.__name__: peer for peer in [trafilatura, readability, html2text, markdownify, extruct]}


def write_set(site, folder):
    """Fetches the pages that are there and lists them as `bench/speed.py` reads them."""
    folder = Path(folder)
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    rows = []
    for path in SINGLE + [f"/shop/item/{number}" for number in range(1, PRODUCTS + 1)]:
        try:
            with urllib.request.urlopen(site.rstrip("/") + path) as answer:
                html = answer.read()
        except urllib.error.HTTPError:
            continue
        file = f"pages/{len(rows)}.html.gz"
        (folder / file).write_bytes(gzip.compress(html))
        rows.append({"file": file, "url": site.rstrip("/") + path})
    if len(rows) < PRODUCTS:
        raise SystemExit(f"{site} has {len(rows)} of the pages only")
    (folder / "truth.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def main():
    if sys.argv[1] == "set":
        return write_set(*sys.argv[2:])
    read = PEERS[sys.argv[1]]()
    for line in sys.stdin:
        page = json.loads(line)
        answer = read(page["html"], page["url"])
        print(json.dumps({"id": page["id"], "answer": answer}, default=str))


main()
