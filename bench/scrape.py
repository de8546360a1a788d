#!/usr/bin/env python3
"""Scrapes the same pages from loopback with Huntsman and with its peers, and says how fast and at what cost.

    cargo xtask bench scrape                                   # ours alone
    cargo xtask bench scrape --peer crawl4ai=VENV/bin/python --peer scrapy=VENV/bin/python

Each runs as a process of its own, with the same addresses and the same number of pages at once. The time is that of the
whole process for us; for a peer it is what its own run takes once everything is imported, which is to its favour.
CPU and memory are those of the whole process and its children, as the kernel counts them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

SCRAPY = """
import json, sys, time, logging
import scrapy
from scrapy.crawler import CrawlerProcess
urls, at_once = json.load(open(sys.argv[1])), int(sys.argv[2])
seen = []

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = urls
    def parse(self, response):
        text = " ".join(response.css("main ::text").getall())
        seen.append((response.css("h1::text").get(), response.css(".price::text").get(), len(text)))

process = CrawlerProcess({"CONCURRENT_REQUESTS": at_once, "CONCURRENT_REQUESTS_PER_DOMAIN": at_once, "DOWNLOAD_DELAY": 0,
                          "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": False})
began = time.monotonic()
process.crawl(Pages)
process.start()
print(json.dumps({"seconds": time.monotonic() - began, "pages": sum(1 for it in seen if it[0])}))
"""

CRAWL4AI = """
import asyncio, json, sys, time
from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig, HTTPCrawlerConfig, SemaphoreDispatcher
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
urls, at_once = json.load(open(sys.argv[1])), int(sys.argv[2])

async def main():
    strategy = AsyncHTTPCrawlerStrategy(HTTPCrawlerConfig())
    config = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False)
    async with AsyncWebCrawler(crawler_strategy=strategy, verbose=False) as crawler:
        began = time.monotonic()
        dispatcher = SemaphoreDispatcher(semaphore_count=at_once)
        results = await crawler.arun_many(urls, config=config, dispatcher=dispatcher)
        pages = sum(1 for it in results if it.success and it.markdown)
        print(json.dumps({"seconds": time.monotonic() - began, "pages": pages}))

asyncio.run(main())
"""

PEERS = {"scrapy": SCRAPY, "crawl4ai": CRAWL4AI}


def measure(command, inside):
    """Runs a command; gives pages, seconds, CPU seconds and peak memory in MB."""
    out = tempfile.TemporaryFile()
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    out.seek(0)
    lines = out.read().decode(errors="replace").strip().splitlines()
    if child.returncode != 0:
        sys.exit(f"{command[:2]} ended with {child.returncode}: {lines[-1:]}")
    if inside:
        told = json.loads(lines[-1])
        pages, seconds = told["pages"], told["seconds"]
    else:
        pages = sum(1 for it in lines if '"status":"failed"' not in it.replace(" ", ""))
    return pages, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", required=True, help="address of a running demo site")
    parser.add_argument("--binary", required=True, help="the huntsman binary")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=6, help="ours takes six at once from one host, and no more")
    parser.add_argument("--rounds", type=int, default=3, help="the best round counts")
    parser.add_argument("--peer", action="append", default=[], help="scrapy=PYTHON or crawl4ai=PYTHON")
    asked = parser.parse_args()
    urls = [f"{asked.site.rstrip('/')}/shop/item/{1 + at % 200}?n={at}" for at in range(asked.pages)]
    runs = [("huntsman", [asked.binary, "scrape", "--store", "memory", "--format", "jsonl", "-q", *urls], False)]
    with tempfile.TemporaryDirectory() as folder:
        listed = os.path.join(folder, "urls.json")
        with open(listed, "w") as file:
            json.dump(urls, file)
        for peer in asked.peer:
            name, python = peer.split("=", 1)
            script = os.path.join(folder, f"peer_{name}.py")
            with open(script, "w") as file:
                file.write(PEERS[name])
            runs.append((name, [python, script, listed, str(asked.at_once)], True))
        print(f"{asked.pages} pages, {asked.at_once} at once\n")
        print("| | pages read | pages per second | CPU ms per page | peak MB |\n|---|---|---|---|---|")
        for name, command, inside in runs:
            rounds = [measure(command, inside) for _ in range(asked.rounds)]
            pages, seconds, cpu, memory = min(rounds, key=lambda it: it[1] / max(it[0], 1))
            print(f"| {name} | {pages} | {pages / seconds:.0f} | {1000 * cpu / max(pages, 1):.1f} | {memory:.0f} |", flush=True)


main()
