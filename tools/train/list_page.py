#!/usr/bin/env python3
"""Learns what tells pages that are there for a list (WEIGHTS in crates/extract/src/rules/list_page.rs).

    cargo build --profile fast --workspace --example records
    tools/train/list_page.py --lists DIR --kinds DIR... --others DIR... [--program FILE]

Every DIR holds truth.jsonl (one page a line: "file", "url" and, under --kinds, "page_type") and the gzipped pages it names: pages
of lists, pages of the seven kinds, pages of which none is a list. The example measures each page; a logistic regression with a
ridge penalty is learned with folds by host, and what is printed is measured on the hosts that a model was not learned from.
The bias and the weights printed at the end are learned from all pages. Posts of a thread are records as well, so pages of
forums are left out. Needs numpy and scikit-learn.
"""
import argparse, collections, gzip, hashlib, json, os, subprocess
from urllib.parse import urlsplit
import numpy as np
from sklearn.linear_model import LogisticRegression

LISTS = {"listing", "collection"}
FOLDS = 5


def pages(folder, group):
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            html = gzip.open(os.path.join(folder, row["file"])).read().decode("utf8", "replace")
            kind = row["page_type"] if group == "kinds" else group
            name = ".".join(urlsplit(row.get("url") or "").netloc.split(".")[-2:]) or row.get("site") or str(row["id"])
            yield dict(id=f"{folder}/{number}", url=row.get("url") or "", html=html, kind=kind, host=name)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for group in ("lists", "kinds", "others"):
        arguments.add_argument(f"--{group}", nargs="*", default=[])
    arguments.add_argument("--program", default="target/fast/examples/records")
    given = arguments.parse_args()
    found = [page for group in ("lists", "kinds", "others") for folder in getattr(given, group) for page in pages(folder, group)]
    found = [page for page in found if page["kind"] != "forum"]
    feed = "".join(json.dumps({key: page[key] for key in ("id", "url", "html")}) + "\n" for page in found)
    answers = subprocess.run([given.program, "list"], input=feed.encode(), stdout=subprocess.PIPE, check=True).stdout
    measures = [json.loads(line)["measures"] for line in answers.splitlines()]
    names = [name for name, _ in measures[0]]
    x = np.array([[value for _, value in row] for row in measures])
    y = np.array([page["kind"] in LISTS or page["kind"] == "lists" for page in found])
    fold = np.array([int(hashlib.md5(page["host"].encode()).hexdigest(), 16) % FOLDS for page in found])
    mean, spread = x.mean(0), x.std(0) + 1e-9
    unit = (x - mean) / spread
    odds = np.zeros(len(found))
    for one in range(FOLDS):
        out = fold == one
        odds[out] = LogisticRegression(max_iter=5000).fit(unit[~out], y[~out]).decision_function(unit[out])
    counts = collections.Counter((page["kind"], bool(odd > 0)) for page, odd in zip(found, odds))
    for kind in sorted({page["kind"] for page in found}):
        print(f"{kind}: {counts[kind, True]} of {counts[kind, True] + counts[kind, False]} taken for a list")
    print(f"right: {np.mean((odds > 0) == y):.3f} of {len(found)}, {int(y.sum())} lists")
    model = LogisticRegression(max_iter=5000).fit(unit, y)
    weights = model.coef_[0] / spread
    print(f"NOTHING: {model.intercept_[0] - (weights * mean).sum():.3f}")
    for name, weight in zip(names, weights):
        print(f'    ("{name}", {weight:.3f}),')


if __name__ == "__main__":
    main()
