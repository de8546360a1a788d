#!/usr/bin/env python3
"""Reads pages of one thing each, and says how many fields are right, and how many phrases are kept or left out.

    bench/details.py --binary target/release/huntsman FOLDER [--show] [--pages LETTERS]

A folder has `pages/*.html`, and `set.jsonl` with one page a line: what the page says of its thing (`kind`, `title`, `authors`,
`published`, `modified`, `price`, `currency`, `old_price`, `in_stock`, `brand`, `sku`, `gtin`, `rating`, `reviews`; null where the page does
not say it), phrases of its content (`must_contain`) and of what stands around it (`must_not_contain`).

A field is right when it is what the page says, and absent where the page says nothing. `sure` counts those given with a confidence
above 0.8, and `wrong` how many of these are not right.
"""

import argparse
import collections
import json
import os
import re
import subprocess

# What the kinds of the set are called by the program; one of its own types each, else "other".
KINDS = {"service": {"other"}, "contact": {"other", "profile"}, "profile": {"profile", "other"}}
STOCKS = {"InStock": True, "LimitedAvailability": True, "OutOfStock": False}
# Names of the fields that have a confidence of their own.
CONFIDENCES = {"kind": "page_type", "authors": "author", "published": "date_published", "price": "price", "rating": "rating"}


def plain(text):
    """Text as it is compared: letters and digits, in lower case."""
    return re.sub(r"[\W_]+", " ", str(text or "")).strip().lower()


def number(value):
    """A number, or None."""
    try:
        return float(str(value).split("/")[0])
    except ValueError:
        return None


def read(binary, reading, path):
    """One reading of a page."""
    return subprocess.run([binary, "extract", "--to", reading, path], capture_output=True, text=True, check=False).stdout


def fields(item):
    """The fields of an item, called as in the set."""
    day = lambda name: (item.get(name) or "")[:10] or None
    return {
        "kind": item.get("page_type"),
        "title": item.get("title"),
        "authors": item.get("author"),
        "published": day("date_published") or day("date_posted"),
        "modified": day("date_modified"),
        "price": item.get("price"),
        "currency": item.get("currency"),
        "old_price": item.get("old_price"),
        "in_stock": STOCKS.get(item.get("availability")),
        "brand": item.get("brand"),
        "sku": item.get("sku"),
        "gtin": item.get("gtin"),
        "rating": item.get("rating"),
        "reviews": item.get("review_count"),
    }


def is_right(name, given, truth):
    """Whether a field is what the page says."""
    wanted = truth.get(name)
    if name == "kind":
        return given == wanted or given in KINDS.get(wanted, ())
    if name == "title":
        return plain(given) == plain(wanted)
    if name == "authors":
        names = given.split(", ") if given else []
        return sorted(map(plain, names)) == sorted(map(plain, wanted))
    if name == "currency" and truth.get("price") is None:
        return True
    if isinstance(wanted, bool) or wanted is None:
        return (given or None) == wanted if wanted is None else given == wanted
    if isinstance(wanted, (int, float)):
        return given is not None and number(given) == float(wanted)
    return given == wanted


def main():
    """Reads the pages of a folder and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--show", action="store_true", help="print each fault")
    parser.add_argument("--pages", default="", help="only pages whose names begin with one of these letters")
    asked = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    with open(os.path.join(asked.folder, "set.jsonl"), encoding="utf-8") as lines:
        truths = [json.loads(line) for line in lines]
    truths = [truth for truth in truths if not asked.pages or truth["page"].startswith(tuple(asked.pages))]
    for truth in truths:
        path = os.path.join(asked.folder, "pages", truth["page"] + ".html")
        item = json.loads(read(asked.binary, "item", path) or "{}")
        sure = item.get("confidence") or {}
        for name, given in fields(item).items():
            right = is_right(name, given, truth)
            counts[name].update(right=right, of=1)
            if given not in (None, "") and sure.get(CONFIDENCES.get(name), 0) > 0.8:
                counts[name].update(sure=1, wrong=not right)
            if asked.show and not right:
                print(f"{truth['page']} {truth['kind']} {name}: {given!r}, the page says {truth.get(name)!r}")
        for reading in ("markdown", "text"):
            text = plain(read(asked.binary, reading, path))
            for part, is_wanted in (("must_contain", True), ("must_not_contain", False)):
                name = f"{reading}: {'content kept' if is_wanted else 'other phrases left out'}"
                for phrase in truth[part]:
                    right = (plain(phrase) in text) == is_wanted
                    counts[name].update(right=right, of=1)
                    if asked.show and not right:
                        print(f"{truth['page']} {truth['kind']} {reading} {'lacks' if is_wanted else 'has'} {phrase!r}")
    print("| what | right | of | sure | wrong |\n|---|---|---|---|---|")
    for name, count in counts.items():
        print(f"| {name} | {count['right']} | {count['of']} | {count['sure'] or ''} | {count['wrong'] if count['sure'] else ''} |")


if __name__ == "__main__":
    main()
