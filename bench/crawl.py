#!/usr/bin/env python3
"""Crawls a generated site on loopback with Huntsman, scrapy and crawl4ai, and says at what cost.

    cargo xtask bench crawl                                    # ours alone
    cargo xtask bench crawl --peer scrapy=VENV/bin/python --pages 10000
    cargo xtask bench crawl --peer crawl4ai=VENV/bin/python --pages 300
    cargo xtask bench crawl --site target/release/examples/numbered_site --pages 1000000 --marks 10000,100000,300000

Each runs as a process of its own, starts at the first page, follows every link and writes one line for each page. CPU and
memory are those of the whole process, as the kernel counts them; the site runs in processes of its own and does not count.
crawl4ai reads by HTTP, without a browser. `--site` names the example `numbered_site` of the crate
`demo`, which serves the same pages faster; then `--marks` says at how many pages the resident memory is read.
"""

import argparse
import http.server
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

SCRAPY = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class Site(CrawlSpider):
    name = "site"
    start_urls = [sys.argv[1]]
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True)]
    parse_start_url = lambda self, response: self.parse_page(response)
    def parse_page(self, response):
        text = " ".join(response.css("main ::text").getall())
        yield {"url": response.url, "title": response.css("h1::text").get(), "text": text}

process = CrawlerProcess({"CONCURRENT_REQUESTS": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0,
                          "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": True,
                          "CLOSESPIDER_PAGECOUNT": int(sys.argv[3]),
                          "FEEDS": {sys.argv[2]: {"format": "jsonlines"}}})
process.crawl(Site)
process.start()
"""

CRAWL4AI = """
import asyncio, json, sys
from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig, HTTPCrawlerConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from crawl4ai.deep_crawling import BFSDeepCrawlStrategy

async def crawl():
    follow = BFSDeepCrawlStrategy(max_depth=50, max_pages=int(sys.argv[3]))
    config = CrawlerRunConfig(deep_crawl_strategy=follow, stream=True, cache_mode=CacheMode.BYPASS, verbose=False)
    async with AsyncWebCrawler(crawler_strategy=AsyncHTTPCrawlerStrategy(HTTPCrawlerConfig()), verbose=False) as crawler:
        with open(sys.argv[2], "w") as out:
            async for page in await crawler.arun(sys.argv[1], config=config):
                result = {"url": page.url, "text": str(page.markdown), "status": "ok" if page.success else "failed"}
                out.write(json.dumps(result) + chr(10))

asyncio.run(crawl())
"""

SCRIPTS = {"scrapy": SCRAPY, "crawl4ai": CRAWL4AI}


def page(number, pages):
    """The page of a number: a text of its own, and links to those below it in a tree of ten each, and to neighbours."""
    below = [at for at in range(number * 10 + 1, number * 10 + 11) if at < pages]
    near = [(number * 7919 + step * 104729) % pages for step in range(20)]
    links = "".join(f"<li><a href='/p/{at}'>Page number {at}</a></li>" for at in below + near)
    text = "".join(f"<p>Paragraph {at} of page {number} says word{(number * 31 + at * 17) % 9973} about thing{at * number % 997} "
                   f"and thing{(at + number) % 991} once more.</p>" for at in range(20))
    return (f"<!doctype html><html><head><title>Page {number}</title></head><body><main><h1>Page {number}</h1>{text}</main>"
            f"<nav><ul>{links}</ul></nav></body></html>").encode()


def serve(listener, pages):
    class Site(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            number = self.path[3:] if self.path.startswith("/p/") else ""
            known = number.isdigit() and int(number) < pages
            body = page(int(number), pages) if known else b"<h1>Not found</h1>"
            self.send_response(200 if known else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(listener.getsockname(), Site, bind_and_activate=False)
    server.socket = listener
    server.serve_forever()


def resident(process):
    """Resident memory of a process in MB, and the same without pages of files."""
    with open(f"/proc/{process}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon"))


def watch(child, site, marks, rows):
    """Reads the memory of a process whenever the site has given so many of its pages."""
    for mark in marks:
        while child.returncode is None:
            with urllib.request.urlopen(f"{site}/stats") as answer:
                given = json.load(answer)["distinct"]
            if given >= mark:
                rows.append((mark, *resident(child.pid)))
                break
            time.sleep(0.5)


def measure(command, site, marks):
    """Runs a command; gives seconds, CPU seconds, peak memory in MB and the memory at the marks."""
    began, rows = time.monotonic(), []
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if marks:
        threading.Thread(target=watch, args=(child, site, marks, rows), daemon=True).start()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command[:2]} ended with {child.returncode}; memory at the marks: {rows}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, rows


def begin_site(asked):
    """Starts the site; gives its processes and its address."""
    if asked.site:
        site = subprocess.Popen([asked.site, "--pages", str(asked.pages)], stdout=subprocess.PIPE, text=True)
        return [site], site.stdout.readline().strip()
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    site = [multiprocessing.Process(target=serve, args=(listener, asked.pages), daemon=True) for _ in range(2)]
    for process in site:
        process.start()
    return site, f"http://127.0.0.1:{listener.getsockname()[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the huntsman binary, a release build")
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--peer", action="append", default=[], help="scrapy=PYTHON or crawl4ai=PYTHON")
    parser.add_argument("--site", help="the example numbered_site, which serves the pages")
    parser.add_argument("--limit", type=int, help="most pages that are read; all without it")
    parser.add_argument("--marks", default="", help="numbers of pages at which the memory is read; needs --site")
    asked = parser.parse_args()
    limit = str(asked.limit or asked.pages)
    marks = [int(mark) for mark in asked.marks.split(",") if mark]
    if marks and not asked.site:
        parser.error("--marks needs --site")
    site, address = begin_site(asked)
    start = f"{address}/p/0"
    print(f"{asked.pages} pages\n\n| | pages read | pages per second | CPU ms per page | peak MB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        out = lambda name: os.path.join(folder, f"{name}.jsonl")
        runs = [("huntsman", [asked.binary, "crawl", start, "--limit", limit, "--engine", "http", "--no-sitemap",
                              "--delay", "0", "-q", "-o", out("huntsman")])]
        for peer in asked.peer:
            name, python = peer.split("=", 1)
            script = os.path.join(folder, f"crawl_with_{name}.py")
            with open(script, "w") as file:
                file.write(SCRIPTS[name])
            runs.append((name, [python, script, start, out(name), limit]))
        os.environ["HUNTSMAN_DATA_DIR"] = os.path.join(folder, "data")
        # A run may take an hour unless it is said otherwise.
        os.environ["HUNTSMAN_RUN_SECONDS"] = "86400"
        for name, command in runs:
            seconds, cpu, memory, rows = measure(command, address, marks if name == "huntsman" else [])
            with open(out(name)) as file:
                pages = sum(1 for line in file if json.loads(line).get("status", "ok") == "ok")
            print(f"| {name} | {pages} | {pages / seconds:.0f} | {1000 * cpu / max(pages, 1):.2f} | {memory:.0f} |", flush=True)
            for mark, memory, own in rows:
                print(f"  {mark} pages: {memory:.0f} MB resident, {own:.0f} MB of it without pages of files", flush=True)
    if asked.site:
        with urllib.request.urlopen(f"{address}/stats") as answer:
            print(f"the site: {answer.read().decode()}")
    for process in site:
        process.kill()


main()
