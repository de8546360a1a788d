#!/usr/bin/env python3
"""Crawls saved pages of real sites from loopback, and compares each page with a reading of it alone.

    bench/saved_sites.py --binary target/release/huntsman FOLDER...

A folder has `truth.jsonl` with `url` and `file` (HTML, maybe packed with gzip) of each page. Each page is served under its own
path, behind the name of its host; links between saved pages lead to the saved ones. Beside them are copies of some pages, an
endless calendar and filters without end, as traps. The crawl starts at a list of one page of each host and follows links; the
list of all pages is the site map.
"""

import argparse
import collections
import gzip
import http.server
import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import urllib.parse

COPIES = 10


def saved(folders):
    """The saved pages by path."""
    pages = {}
    for folder in folders:
        with open(os.path.join(folder, "truth.jsonl")) as file:
            for line in file:
                row = json.loads(line)
                if not row.get("url"):
                    continue
                with open(os.path.join(folder, row["file"]), "rb") as page:
                    body = page.read()
                body = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
                pages.setdefault(path_of(row["url"]), body.decode("utf-8", "replace"))
    return pages


def path_of(url):
    parts = urllib.parse.urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"/{parts.hostname}{urllib.parse.quote(parts.path or '/', safe='/%:@!$&()*+,;=~-._')}{query}"


def rewritten(path, html, pages):
    """The page, whose links lead to saved pages where there are such, and elsewhere not to this server."""
    host = path.split("/")[1]
    base = f"https://{host}{path[len(host) + 1:]}"

    def turned(found):
        try:
            target = path_of(urllib.parse.urljoin(base, found.group(2).replace("&amp;", "&")))
        except ValueError:
            return found.group(0)
        to = target if target in pages else urllib.parse.urljoin(base, found.group(2)) if ":" not in found.group(2)[:12] else found.group(2)
        return f"{found.group(1)}{to.replace('&', '&amp;') if target in pages else to}{found.group(3)}"

    return re.sub(r'(<a\b[^>]*?\shref=")([^"]*)(")', turned, html, flags=re.I)


def site(pages):
    """The answers by path; calendars and filters are made when asked for."""
    answers = {path: rewritten(path, html, pages) for path, html in pages.items()}
    for number, path in enumerate(list(pages)[:COPIES]):
        answers[f"/copies/{number}"] = answers[path]
    return answers


def page_of(answers, path):
    if path in answers:
        return answers[path]
    if path.startswith("/calendar/"):
        month = int(re.sub(r"\D", "", path) or 0)
        days = "".join(f"<a href='/calendar/{(month * 31 + step) % 290 + 1905}/{step % 12 + 1:02}'>month</a> " for step in range(40))
        return f"<title>{path}</title><main><h1>{path}</h1><p>Nothing happens in month {month} of this calendar.</p>{days}</main>"
    if path.startswith("/filter"):
        seed = sum(path.encode())
        links = "".join(f"<a href='/filter?size={seed + step}&amp;colour={step}&amp;sort={step % 3}&amp;page={seed % 97}'>f</a> " for step in range(40))
        return f"<title>{path}</title><main><h1>{path}</h1><p>Filters {path} of a shop without goods.</p>{links}</main>"
    return None


def serve(answers):
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    hosts = collections.OrderedDict((path.split("/")[1], path) for path in answers)
    links = "".join(f"<li><a href='{path.replace('&', '&amp;')}'>{host}</a></li>" for host, path in hosts.items())
    traps = "<li><a href='/calendar/2026/01'>calendar</a></li><li><a href='/filter'>filter</a></li>"
    start = f"<title>Start</title><main><h1>Start</h1><ul>{links}{traps}</ul></main>"
    entries = "".join(f"<url><loc>{origin}{path.replace('&', '&amp;')}</loc></url>" for path in answers)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            kind, body = "text/html", page_of(answers, self.path)
            if self.path == "/":
                body = start
            elif self.path == "/sitemap.xml":
                kind, body = "application/xml", f"<urlset>{entries}</urlset>"
            data = (body or "<h1>Not found</h1>").encode("utf-8", "replace")
            self.send_response(404 if body is None else 200)
            self.send_header("content-type", f"{kind}; charset=utf-8")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = http.server.ThreadingHTTPServer(listener.getsockname(), Handler, bind_and_activate=False)
    server.socket = listener
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return origin


def results(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("folders", nargs="+")
    asked = parser.parse_args()
    answers = site(saved(asked.folders))
    origin = serve(answers)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HUNTSMAN_DATA_DIR"] = folder
        common = ["--engine", "http", "-q"]
        crawled, said = results([asked.binary, "crawl", f"{origin}/", "--delay", "0", "--limit", "3000", *common])
        print(said)
        by_path = {result["url"][len(origin):]: result for result in crawled}
        listed = os.path.join(folder, "list.txt")
        with open(listed, "w") as file:
            file.writelines(f"{origin}{path}\n" for path in answers)
        alone, _ = results([asked.binary, "scrape", "--input", listed, "--delay", "0", "--format", "jsonl", "--engine", "http"])
    alone = {result["url"][len(origin):]: result for result in alone}
    states = collections.Counter(result["status"] for path, result in by_path.items() if path in answers)
    traps = sum(path.startswith(("/calendar/", "/filter")) for path in by_path)
    read = lambda found, path: found.get(path, {}).get("item") is not None
    both = [path for path in answers if read(by_path, path) and read(alone, path)]
    differing = [path for path in both if by_path[path].get("item") != alone[path].get("item")]
    pairs = [(path, f"/copies/{number}") for number, path in enumerate(list(answers)[:COPIES])]
    copies = sum(any(by_path.get(path, {}).get("status") == "duplicate" for path in pair) for pair in pairs)
    missed = [path for path in answers if path not in by_path]
    print(f"saved pages and copies: {len(answers)}; of these {dict(states)}, not reached {len(missed)}")
    print(f"pairs of a page and its copy, of which one was told as a duplicate: {copies} of {COPIES}")
    print(f"pages of traps that were read: {traps}")
    print(f"read by the crawl and alone: {len(both)}; the item differs on {len(differing)}")
    for path in (missed + differing)[:10]:
        print(f"  {path} {by_path.get(path, {}).get('error') or ''}")


if __name__ == "__main__":
    main()
