#!/usr/bin/env python3
"""Checks which of the 18 tools that curllm describes exist in its published package and work.

    VENV/bin/python bench/curllm_tools.py --site http://127.0.0.1:8800 --chromium /usr/bin/chromium

The package is run as it is: its registry finds what it finds, its executor runs the two plans of its own documentation on
the demo site, and each tool that exists is called on its own. Prints one line for each tool.
"""

import argparse
import asyncio
import contextlib
import importlib.metadata
import io
import json
import os
import tempfile

TOOLS = {
    "extraction": ["products_ceneo", "products_amazon", "products_generic", "articles_hn", "articles_reddit",
                   "links_by_pattern", "tables_to_json"],
    "forms": ["price_filter", "search_query", "date_picker", "dropdown_select"],
    "navigation": ["scroll_load", "pagination", "category_select", "click_by_text"],
    "validation": ["price_range_check", "url_format_check", "required_fields"],
}
PLANS = {
    "scroll, filter, extract, check": [
        ("navigation.scroll_load", {"times": 6, "wait_ms": 600}),
        ("forms.price_filter", {"max": 150, "submit": True}),
        ("extraction.products_ceneo", {"max_price": 150}),
        ("validation.price_range_check", {"min": 0, "max": 150}),
    ],
    "filter, scroll, extract": [
        ("forms.price_filter", {"max": 150, "submit": True}),
        ("navigation.scroll_load", {"times": 8}),
        ("extraction.products_ceneo", {"max_price": 150}),
    ],
}
CALLS = {
    "products_ceneo": {"max_price": 150},
    "price_filter": {"max": 150, "submit": True, "wait_after_submit_ms": 500},
    "scroll_load": {"times": 3, "wait_ms": 300},
}


def class_name(tool):
    return "".join(word.capitalize() for word in tool.split("_")) + "Tool"


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", required=True)
    parser.add_argument("--chromium", required=True)
    asked = parser.parse_args()
    page_url = asked.site.rstrip("/") + "/ceneo/Odkurzacze"
    # Nobody runs it from the folder of its sources.
    os.chdir(tempfile.mkdtemp())
    from playwright.async_api import async_playwright
    with contextlib.redirect_stdout(io.StringIO()):
        from curllm_core.tools.orchestrator import ToolOrchestrator
        from curllm_core.tools.registry import init_tools
        registry = init_tools()
    print("curllm", importlib.metadata.version("curllm"), "- its registry lists:", ", ".join(registry.list_all()))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=asked.chromium, args=["--no-sandbox", "--disable-gpu"])
        for category, tools in TOOLS.items():
            for tool in tools:
                found = registry.get(f"{category}.{tool}") or registry.get(tool)
                other = registry.get(class_name(tool))
                if not (found or other):
                    print(f"{category}.{tool}: does not exist")
                    continue
                name = "by its name" if found else f"only as {class_name(tool)}"
                page = await browser.new_page()
                await page.goto(page_url)
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        given = await (found or other).execute(page, CALLS[tool], {})
                    text = json.dumps(given, ensure_ascii=False)
                except Exception as error:
                    text = f"{type(error).__name__}: {str(error).splitlines()[0]}"
                print(f"{category}.{tool}: found {name}; gives {text[:300]}")
                await page.close()
        for name, steps in PLANS.items():
            page = await browser.new_page()
            await page.goto(page_url)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                orchestrator = ToolOrchestrator(None, page)
                plan = {"plan": [{"tool": tool, "parameters": given} for tool, given in steps]}
                answer = await orchestrator._execute_plan(plan)
            print(f"plan ({name}): {json.dumps(answer, ensure_ascii=False)[:300]}")
            await page.close()
        await browser.close()


asyncio.run(main())
