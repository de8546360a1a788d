#!/usr/bin/env python3
"""Learns the models of confidence (crates/extract/src/confidence/weights.rs) from labelled pages.

    confidence.py DATA BINARY [--cache FILE] [--write WEIGHTS]

DATA is a folder with the labelled sets (`data/`, `data-fresh/`); BINARY is the example `confidence` of the crate `extract`.
Every field of every item is measured by the example and judged here against the labels. One logistic regression per field,
with a ridge penalty, is learned with folds by host (all pages of a host are in one fold); what is printed is measured on the
hosts that a model was not learned from: expected calibration error over ten bins, and the share of values that are wrong
although their confidence is above 0.8. The written weights are learned from all folds. Hosts with md5(host) % 5 == 0 are
printed apart. Needs numpy and scikit-learn.
"""
import argparse, collections, gzip, hashlib, json, os, re, subprocess, sys
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit
import numpy as np
from sklearn.linear_model import LogisticRegression

FIELDS = ["title", "author", "date_published", "price", "currency", "availability", "sku", "brand", "gtin", "mpn",
          "rating", "review_count", "page_type", "items"]
# Most entries of a page that are learned from, evenly spread: a long list says little that half of it does not say.
MOST_ENTRIES = 20
# Ridge penalty (inverse): the best of 0.03, 0.1, 0.3, 1, 3 for the log loss on left-out hosts, summed over the fields.
C = 1.0
# The same for the entries of lists, of which a page has many that are right or wrong together: the best of 0.001, 0.003, 0.01, 0.03
# and 0.1 on measures of unit variance, where each page counts the same.
C_OF_ENTRIES = 0.003
WORD = re.compile(r"\w+")


def words(text):
    return WORD.findall(str(text or "").lower())


def similar(one, other):
    """F1 of the bags of words."""
    a, b = collections.Counter(words(one)), collections.Counter(words(other))
    shared = sum((a & b).values())
    return 2 * shared / max(1, sum(a.values()) + sum(b.values()))


def number(value):
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None


def same(field, value, truths):
    """Whether a value is one of the truths."""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    for truth in truths:
        if field == "title" and similar(text, truth) >= 0.8:
            return True
        if field == "author":
            # Nobody but those who wrote the page, perhaps not all of them or without their titles; "and" is no name.
            joints = {"and", "und", "et", "y", "by", "the"}
            own, wanted = set(words(text)) - joints, set(words(truth)) - joints
            if wanted and wanted <= own and len(words(text)) <= len(words(truth)) + 4:
                return True
            if own and own <= wanted:
                return True
        if field == "date_published" and same_day(text, str(truth)):
            return True
        if field in ("price", "rating", "review_count"):
            own, wanted = number(text), number(str(truth).replace(",", "."))
            if own is not None and wanted is not None and abs(own - wanted) < Decimal("0.06" if field == "rating" else "0.001"):
                return True
        if field in ("brand", "sku", "gtin", "mpn", "availability", "page_type") and text.strip().lower() == str(truth).strip().lower():
            return True
        if field == "currency" and (text == truth or text in SIGNS.get(truth, ())):
            return True
    return False


def same_day(value, truth):
    """The same day; one apart where the value is an instant with its offset and the label does not say in which zone."""
    if value[:10] == truth[:10]:
        return True
    instant = "T" in value and re.search(r"(Z|[+-]\d\d:?\d\d)$", value)
    try:
        return bool(instant) and abs((np.datetime64(value[:10]) - np.datetime64(truth[:10])).astype(int)) <= 1
    except ValueError:
        return False


SIGNS = {"$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "CLP", "COP", "ARS", "TWD"), "€": ("EUR",), "£": ("GBP",),
         "¥": ("JPY", "CNY"), "₹": ("INR",), "Rs": ("INR", "PKR", "LKR"), "zł": ("PLN",), "kr": ("SEK", "NOK", "DKK"),
         "₽": ("RUB",), "R$": ("BRL",)}
KINDS = {"article": ["article"], "product": ["product"], "listing": ["listing"], "collection": ["listing"], "forum": ["forum"],
         "documentation": ["documentation"], "service": ["other", "profile"]}
# Single fields that a page of a list does not have.
NONE_ON_LISTS = ["author", "price", "currency", "availability", "sku", "gtin", "mpn", "rating", "review_count"]


def is_entry(row, truth):
    """Whether an entry of a list is one of those that people say the page has, or stands in what they say is its content."""
    if isinstance(truth, str):
        title = " ".join(words(row.get("title") or row.get("text")))
        return bool(title) and f" {title[:60]}" in f" {truth}"
    own = collections.Counter(words(row.get("text")))
    for record in truth:
        shared = sum((own & record).values())
        # What people copied of an entry may be a part of what it shows, but hardly less than a third.
        if shared >= 0.8 * sum(record.values()) and 3 * shared >= sum(own.values()):
            return True
    return False


def entries_of(row, name):
    """What people say the entries of a page's list are: their words, or a text that has them, or nothing."""
    if name == "records":
        return [collections.Counter(words(" ".join(cells))) for cells in row["records"]]
    if row["page_type"] in ("listing", "collection", "service", "documentation", "forum"):
        return " ".join(words(row["main_content"]))
    return []


def rows_of(folder):
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf8") as lines:
        for line in lines:
            yield json.loads(line)


def labels(data):
    """(path, url, host, field -> truths; no truths: the page does not state it)."""
    def page(folder, row, truth):
        return os.path.join(folder, row["file"]), row.get("url") or "", truth

    old, fresh = os.path.join(data, "data"), os.path.join(data, "data-fresh")
    folders = [(os.path.join(old, "wcxb"), "wcxb"), (os.path.join(fresh, "wcxb/wcxb"), "wcxb"),
               (os.path.join(fresh, "recipes/wcxb"), "recipes"), (os.path.join(fresh, "postlight/wcxb"), "postlight"),
               (os.path.join(fresh, "fundus/article_aeb"), "fundus"), (os.path.join(fresh, "fundus/wcxb"), "fundus")]
    for folder, name in folders:
        if not os.path.isdir(folder):
            continue
        for row in rows_of(folder):
            truth = {}
            for field, key in (("title", "title"), ("author", "author"), ("date_published", "publish_date")):
                if row.get(key):
                    truth[field] = [row[key]]
            if name == "postlight" and truth.get("date_published"):
                # Its days are in UTC: one day earlier or later is right.
                day = np.datetime64(str(truth["date_published"][0])[:10])
                truth["date_published"] = [str(day + np.timedelta64(step, "D")) for step in (-1, 0, 1)]
            if name == "recipes":
                if row.get("rating") or row.get("ratings"):
                    truth["rating"] = [row.get("rating") or row.get("ratings")]
                truth["page_type"] = ["recipe"]
            if name == "wcxb":
                truth["items"] = entries_of(row, name)
                truth["page_type"] = KINDS.get(row["page_type"], [])
                if row["page_type"] in ("listing", "collection", "documentation", "service", "forum"):
                    if row["page_type"] in ("listing", "collection"):
                        truth.update({field: [] for field in NONE_ON_LISTS})
                        if not row.get("author"):
                            truth["author"] = []
                        if not row.get("publish_date"):
                            truth["date_published"] = []
                    else:
                        truth.update({field: [] for field in ("price", "currency", "sku", "rating")})
                        if not row.get("author") and row["page_type"] != "forum":
                            truth["author"] = []
                if row["page_type"] == "article":
                    truth.update({field: [] for field in ("price", "currency", "availability", "sku", "rating")})
            if name in ("fundus", "postlight"):
                truth.update({field: [] for field in ("price", "currency", "availability", "sku")})
                truth["page_type"] = ["article", "video"]
                truth["items"] = []
            yield page(folder, row, truth)
    folder = os.path.join(old, "dates_htmldate")
    for row in rows_of(folder):
        yield page(folder, row, {"date_published": [row["date"]]})
    folder = os.path.join(old, "product_peb")
    for row in rows_of(folder):
        truth = {field: values for field, values in row["truth"].items() if values}
        truth.pop("brand", None) if not truth.get("brand") else None
        truth["page_type"] = ["product"]
        yield page(folder, row, truth | {"items": []})
    folder = os.path.join(old, "product_stripped")
    for row in rows_of(folder):
        truth = {("title" if field == "name" else field): [value] for field, value in row["truth"].items() if value is not None}
        yield page(folder, row, truth | {"page_type": ["product"]})
    folder = os.path.join(old, "listing_testbed")
    for row in rows_of(folder):
        if row.get("usable", True):
            yield page(folder, dict(row, url=row.get("url") or "http://" + row["site"] + "/"),
                       {field: [] for field in NONE_ON_LISTS} | {"page_type": ["listing"], "items": entries_of(row, "records")})
    folder = os.path.join(old, "fields_swde")
    swde = {"camera": {"model": "title", "price": "price", "manufacturer": "brand"},
            "book": {"title": "title", "author": "author", "isbn_13": "gtin", "publication_date": None},
            "auto": {"model": "title", "price": "price"}, "movie": {"title": "title"}, "job": {"title": "title"},
            "restaurant": {"name": "title"}, "university": {"name": "title"}, "nbaplayer": {"name": "title"}}
    for row in rows_of(folder):
        truth = {}
        for key, field in swde.get(row["vertical"], {}).items():
            values = row["truth"].get(key)
            values = values if isinstance(values, list) else [values] if values else []
            if not field or not values:
                continue
            if field == "price":
                values = [re.sub(r"[^\d.]", "", value) for value in values]
            truth[field] = values
        yield page(folder, row, truth)


def host_of(url, path):
    host = (urlsplit(url).hostname or os.path.basename(path)).removeprefix("www.")
    return host


# What gives a page an address of its own.
OWN_ADDRESS = re.compile(r"""<(?:link|meta)\b[^>]*(?:rel|property)=["']?(?:canonical|og:url)\b[^>]*>""", re.I)


def measure(data, binary):
    """(field, host, features, is right) of every labelled field. The type of a page is measured a second time without any
    address, as that of a saved page is read."""
    known = list(labels(data))
    pages = known + [(path, url, {"page_type": truth["page_type"]}) for path, url, truth in known if truth.get("page_type")]
    process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    import threading

    def feed():
        for at, (path, url, _) in enumerate(pages):
            html = gzip.open(path).read().decode("utf8", "replace")
            if at >= len(known):
                url, html = "", OWN_ADDRESS.sub("", html)
            process.stdin.write(json.dumps({"id": at, "url": url, "html": html}) + "\n")
        process.stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    for line in process.stdout:
        answer = json.loads(line)
        path, url, truth = pages[answer["id"]]
        item = answer["item"] or {}
        entries = list(zip(answer["entries"], item.get("items") or [])) if "items" in truth else []
        for features, row in entries[:: -(-len(entries) // MOST_ENTRIES) or 1]:
            yield {"field": "items", "host": host_of(url, path), "features": features, "value": row.get("title") or row.get("text"),
                   "page": path, "right": is_entry(row, truth["items"]), "truth": []}
        for field, features in answer["features"].items():
            if field not in truth or (field == "page_type" and not truth[field]):
                continue
            value = item.get(field)
            yield {"field": field, "host": host_of(url, path), "features": features, "value": value, "page": path,
                   "right": same(field, value, truth[field]), "truth": truth[field]}


def fold(host):
    return int(hashlib.md5(host.encode()).hexdigest(), 16) % 5


def calibration(p, y):
    """Expected calibration error over ten bins of equal width."""
    total = 0.0
    table = []
    for low in np.arange(0, 1, 0.1):
        inside = (p >= low) & ((p < low + 0.1) | ((low > 0.85) & (p <= 1)))
        if inside.any():
            total += abs(p[inside].mean() - y[inside].mean()) * inside.sum() / len(p)
            table.append((round(float(low), 1), int(inside.sum()), round(float(p[inside].mean()), 3), round(float(y[inside].mean()), 3)))
    return total, table


# What is stated for a probability (STATED in crates/extract/src/confidence.rs).
STATED = ([0, 0.75, 0.9, 0.95, 1], [0, 0.75, 0.8, 0.95, 1])


def learn(x, y, c, weights=None):
    if len(set(y)) < 2:
        return None
    return LogisticRegression(C=c, max_iter=4000).fit(x, y, sample_weight=weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data"), parser.add_argument("binary")
    parser.add_argument("--cache"), parser.add_argument("--write"), parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--c", type=float, default=C)
    args = parser.parse_args()
    if args.cache and os.path.exists(args.cache):
        samples = [json.loads(line) for line in open(args.cache)]
    else:
        samples = list(measure(args.data, args.binary))
        if args.cache:
            with open(args.cache, "w") as out:
                out.writelines(json.dumps(sample) + "\n" for sample in samples)
    models, pooled, loss_sum = [], [], 0.0
    for field in FIELDS:
        own = [sample for sample in samples if sample["field"] == field]
        if len(own) < 30:
            print(field, "too few", len(own))
            continue
        names = sorted({name for sample in own for name in sample["features"]})
        x = np.array([[sample["features"].get(name, 0.0) for name in names] for sample in own])
        y = np.array([sample["right"] for sample in own], dtype=float)
        folds = np.array([fold(sample["host"]) for sample in own])
        # A measure that is the same almost everywhere is left out.
        kept = [at for at in range(len(names)) if (x[:, at] != np.median(x[:, at])).sum() >= 8]
        x, names = x[:, kept], [names[at] for at in kept]
        pages = collections.Counter(sample["page"] for sample in own)
        weights = np.array([len(own) / len(pages) / pages[sample["page"]] for sample in own])
        of_entries = field == "items"
        spread = x.std(0) + 1e-9 if of_entries else np.ones(x.shape[1])
        x, c = x / spread, C_OF_ENTRIES if of_entries else args.c
        p = np.zeros(len(y))
        for left in range(5):
            model = learn(x[folds != left], y[folds != left], c, weights[folds != left] if of_entries else None)
            p[folds == left] = model.predict_proba(x[folds == left])[:, 1] if model else y[folds != left].mean()
        p = np.clip(p, 1e-4, 1 - 1e-4)
        p = p if of_entries else np.interp(p, *STATED)
        loss = -(y * np.log(p) + (1 - y) * np.log(1 - p)).sum()
        loss_sum += loss
        error, table = calibration(p, y)
        high = p > 0.8
        kept_values = p >= 0.5
        zero = folds == 0
        zero_error, _ = calibration(p[zero], y[zero]) if zero.any() else (0, None)
        print(f"{field:15} n {len(y):5} right {y.mean():.3f} ece {error:.3f} loss {loss / len(y):.3f} | given {kept_values.sum()} "
              f"right {y[kept_values].mean():.3f} withheld right {int((y[~kept_values]).sum())} of {(~kept_values).sum()} | wrong above 0.8: "
              f"{int((high & (y == 0)).sum())} of {high.sum()} high | fold 0: ece {zero_error:.3f} wrong above 0.8 {int((zero & high & (y == 0)).sum())} of {(zero & kept_values).sum()} given")
        pooled += list(zip([field] * len(y), p, y, folds, own))
        if args.show:
            for at in np.argsort(-(p * (1 - y)))[: args.show]:
                print("   ", round(p[at], 2), repr(own[at]["value"])[:70], own[at]["truth"][:2], os.path.basename(own[at]["page"])[:50])
        model = learn(x, y, c, weights if of_entries else None)
        if model:
            models.append((field, float(model.intercept_[0]), list(zip(names, map(float, model.coef_[0] / spread)))))
        print("      ", table) if args.show else None
    p, y = np.array([sample[1] for sample in pooled]), np.array([sample[2] for sample in pooled])
    error, table = calibration(p, y)
    print(f"all: n {len(p)} ece {error:.4f} loss {loss_sum / len(p):.4f}")
    print("reliability (from, values, mean confidence, share right):", table)
    must = [sample for sample in pooled if sample[0] in ("price", "author", "date_published", "page_type", "rating")]
    for name, chosen in (("all hosts", must), ("fold 0", [sample for sample in must if sample[3] == 0])):
        given = sum(sample[1] >= 0.5 for sample in chosen)
        wrong = sum(sample[1] > 0.8 and not sample[2] for sample in chosen)
        print(f"price, author, date, type, rating, {name}: given {given}, wrong with more than 0.8: {wrong} = {wrong / max(1, given):.4f}")
    if args.write:
        with open(args.write, "w") as out:
            out.write("//! Weights of the models of confidence: logistic regressions with a ridge penalty, one for each field.\n//!\n"
                      "//! Written by `tools/train/confidence.py`, which learns them from labelled pages with folds by host and says how\n"
                      "//! well they are calibrated on hosts left out. A changed feature asks for new weights.\n\n"
                      "/// A field, its bias, and the weight of each measure.\n"
                      "type Model = (&'static str, f32, &'static [(&'static str, f32)]);\n\n/// The models by field.\n#[rustfmt::skip]\n"
                      "pub(super) const MODELS: &[Model] = &[\n")
            for field, bias, weights in models:
                out.write(f'    ("{field}", {bias:.3f}, &[\n')
                line = "       "
                for name, weight in weights:
                    part = f' ("{name}", {weight:.3f}),'
                    if len(line) + len(part) > 118:
                        out.write(line + "\n")
                        line = "       "
                    line += part
                out.write(line + "\n    ]),\n")
            out.write("];\n")


main()
