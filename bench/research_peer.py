"""GPT-Researcher over the web and the model that `crates/huntsman/benches/research.rs` serves.

Its own settings lead it there: the SearXNG retriever, an OpenAI-compatible provider for text and for embeddings, its
default scraper (BeautifulSoup). `pip install gpt-researcher` in a venv is all it needs. Prints one line of JSON.
"""

import asyncio
import json
import os
import resource
import sys
import time
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

RUNS = 3


def cpu():
    """CPU ms of this process and of those it started."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        total += used.ru_utime + used.ru_stime
    return total * 1000


os.environ.update(
    RETRIEVER="searx",
    OPENAI_API_KEY="scripted-key-1234",
    FAST_LLM="openai:scripted",
    SMART_LLM="openai:scripted",
    STRATEGIC_LLM="openai:scripted",
    EMBEDDING="custom:scripted",
)
# Tokens are counted with a table that would be downloaded; a package it depends on ships the same one.
tables = find_spec("litellm")
if tables and tables.origin:
    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(tables.origin).parent / "litellm_core_utils" / "tokenizers")

from gpt_researcher import GPTResearcher  # noqa: E402

imports = cpu()


async def research(question):
    """One run; the pages whose text it has read."""
    researcher = GPTResearcher(query=question, report_type="research_report", verbose=False)
    await researcher.conduct_research()
    report = await researcher.write_report()
    assert "metres tall" in report, report
    return len({it["url"] for it in researcher.get_research_sources()})


async def main():
    await research(sys.argv[1])  # fills what is made once
    before, began, pages = cpu(), time.monotonic(), 0
    for _ in range(RUNS):
        pages += await research(sys.argv[1])
    used = cpu() - before
    told = {
        "version": version("gpt-researcher"),
        "runs": RUNS,
        "pages": pages / RUNS,
        "cpu_page": used / max(pages, 1),
        "cpu_run": used / RUNS,
        "cpu_imports": imports,
        "wall_run": (time.monotonic() - began) / RUNS,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(told))


asyncio.run(main())
