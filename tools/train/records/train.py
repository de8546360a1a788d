#!/usr/bin/env python3
"""Learn the weights that rank a page's groups of records.

    cargo build --profile fast -p extract --example records
    python3 tools/train/records/train.py --data DIR [--check]

DIR holds truth.jsonl (one page a line: "file", "site", "records": lists of cell texts) and the gzipped pages it
names. The example program measures every candidate of every page and says how well it agrees with the records
(F1); the weights are those of a linear score whose softmax over the candidates of a page is nearest to that
agreement. First the gain is measured by cross-validation with whole sites left out, then, without --check, the
weights of all pages are written to crates/extract/src/rules/records/weights.rs. Needs numpy and scipy.
"""
import argparse
import gzip
import json
import pathlib
import subprocess

import numpy
import scipy.optimize

HERE = pathlib.Path(__file__).resolve().parents[3]
WEIGHTS = HERE / "crates/extract/src/rules/records/weights.rs"
RIDGE = 25.0
SHARPNESS = 12.0
# What pages of search results cannot teach, because nearly everything long on them is linked: paragraphs without
# links, headings or images are seldom records, and neither is the inside of a link. The ridge pulls towards these.
PRIOR = {
    "linked": 1.5,
    "distinct_links": 1.0,
    "headed": 0.75,
    "imaged": 0.75,
    "bare": -1.5,
    "few": -0.75,
    "in_link": -2.0,
}


def measure(data, program, without):
    """One dict a page: site, a matrix of measures, and the agreement of each candidate."""
    rows = [json.loads(line) for line in open(data / "truth.jsonl", encoding="utf8")]
    rows = [row for row in rows if row.get("usable", True)]
    lines = []
    for row in rows:
        html = gzip.open(data / row["file"]).read().decode("utf8", "replace")
        lines.append(json.dumps({"id": row["id"], "url": row.get("url"), "html": html, "records": row["records"]}))
    feed = ("\n".join(lines) + "\n").encode("utf8", "surrogatepass")
    answers = subprocess.run([program, "measures", *without], input=feed, stdout=subprocess.PIPE, check=True).stdout
    pages, names = [], []
    for row, line in zip(rows, answers.decode("utf8").splitlines()):
        answer = json.loads(line)
        names = answer["names"] or names
        candidates = answer["candidates"]
        if candidates:
            matrix = numpy.array([it["features"] for it in candidates], dtype=float)
            pages.append({"site": row["site"], "matrix": matrix, "f1": numpy.array([it["f1"] for it in candidates])})
    return names, pages


def learn(pages, names):
    """The weights, one for each measure."""
    every = numpy.vstack([it["matrix"] for it in pages])
    spread = every.std(0) + 1e-6
    prior = numpy.array([PRIOR.get(name, 0.0) for name in names]) * spread
    scaled = [it["matrix"] / spread for it in pages]
    wanted = [numpy.exp(it["f1"] * SHARPNESS) for it in pages]
    wanted = [it / it.sum() for it in wanted]

    def loss(weights):
        away = weights - prior
        total, slope = RIDGE * (away @ away) / 2, RIDGE * away
        for matrix, target in zip(scaled, wanted):
            score = matrix @ weights
            score = score - score.max()
            odds = numpy.exp(score)
            total -= target @ (score - numpy.log(odds.sum()))
            slope = slope - matrix.T @ (target - odds / odds.sum())
        return total, slope

    best = scipy.optimize.minimize(loss, prior, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return best.x / spread


def agreement(pages, weights):
    return [it["f1"][int(numpy.argmax(it["matrix"] @ weights))] for it in pages]


def cross_validated(pages, names, folds=6, seeds=(1, 2, 3)):
    """Mean agreement on sites that were not learned from."""
    sites = sorted({it["site"] for it in pages})
    reached = []
    for seed in seeds:
        order = list(sites)
        numpy.random.RandomState(seed).shuffle(order)
        for fold in range(folds):
            left_out = set(order[fold::folds])
            weights = learn([it for it in pages if it["site"] not in left_out], names)
            reached += agreement([it for it in pages if it["site"] in left_out], weights)
    return numpy.mean(reached)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--program", default=str(HERE / "target/fast/examples/records"))
    parser.add_argument("--check", action="store_true", help="measure, but write nothing")
    parser.add_argument("--without", action="append", default=[], help="a part to leave out, to see what it adds")
    options = parser.parse_args()
    names, pages = measure(options.data, options.program, options.without)
    print(f"{len(pages)} pages, at best {numpy.mean([it['f1'].max() for it in pages]):.4f}")
    by_text = [it["f1"][int(numpy.argmax(it["matrix"][:, names.index("mass")]))] for it in pages]
    print(f"heaviest text first {numpy.mean(by_text):.4f}")
    print(f"learned, sites left out {cross_validated(pages, names):.4f}")
    weights = learn(pages, names)
    print(f"learned, all pages {numpy.mean(agreement(pages, weights)):.4f}")
    if not options.check:
        lines = [f'    ("{name}", {weight:.5f}),\n' for name, weight in zip(names, weights)]
        WEIGHTS.write_text(
            "//! How much does each measure of a group count? Written by `tools/train/records/train.py`.\n\n"
            "use super::features::COUNT;\n\n"
            "/// A weight for each measure, in the order of the measures.\n"
            f"pub(super) const WEIGHTS: [(&str, f32); COUNT] = [\n{''.join(lines)}];\n"
        )


if __name__ == "__main__":
    main()
