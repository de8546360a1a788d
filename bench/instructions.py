#!/usr/bin/env python3
"""Obeys instructions over saved list pages without a model, and says how many gave the right rows.

    bench/instructions.py --binary target/release/huntsman FOLDER [--answers FILE] [--show KIND]

A folder has `pages/*.html`, and `set.jsonl` with one instruction a line: `id`, `page`, `lang`, `instruction`, `rows` (titles
of the right entries), `ordered`, `columns` (what the instruction names, with the value for the first row), `impossible`.
Each instruction runs as `huntsman scrape URL --instructions ...` on loopback, where no model is set. The kinds:

- right: the right rows in the right order with the columns, and no remark; right-told: the same, with a remark;
- told: anything else, and the verdict says that something was not applied or not understood;
- column: right rows, a column is missing or differs, and nothing is said; silent: wrong rows, and nothing is said;
- impossible-told and impossible-silent: what the page cannot answer.
"""

import argparse
import collections
import functools
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

KINDS = ("right", "right-told", "told", "column", "silent", "impossible-told", "impossible-silent")


def plain(text):
    """Text as it is compared: letters and digits, in lower case."""
    return re.sub(r"[\W_]+", " ", str(text)).strip().lower()


def texts(value):
    """All texts of a JSON value."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif value is not None:
        yield str(value)


def is_row(row, title):
    """Whether a row is the entry of that title: one of its texts is the title, or the title with little around it."""
    wanted = plain(title)
    for text in texts(row):
        given = plain(text)
        if given == wanted or (wanted and wanted in given and len(given) <= 2 * len(wanted) + 12):
            return True
        if len(given) >= 8 and given in wanted and 2 * len(given) >= len(wanted):
            return True
    return False


def amounts(text):
    """The numbers of a text, whatever their separators."""
    found = []
    for digits in re.findall(r"\d[\d., \u00a0\u202f'’]*", str(text)):
        bare = re.sub(r"[ \u00a0\u202f'’]", "", digits).rstrip(".,")
        cents = re.fullmatch(r"(.*)[.,](\d{1,2})", bare)
        whole, part = (cents[1], cents[2]) if cents else (bare, "0")
        found.append(float(re.sub(r"\D", "", whole) + "." + part))
    return found


def has_value(row, value):
    """Whether a row holds a value as the page shows it, or its number."""
    wanted = plain(value)
    whole = plain(" ".join(texts(row)))
    if wanted in whole:
        return True
    if amounts(value) and any(amounts(value)[0] in amounts(text) for text in texts(row)):
        return True
    squeezed = wanted.replace(" ", "")
    return bool(squeezed) and squeezed in whole.replace(" ", "")


def kind_of(task, rows, is_told):
    """The kind of an answer, and what is wrong."""
    if task["impossible"]:
        return ("impossible-told" if is_told or not rows else "impossible-silent"), ""
    wanted, columns = task["rows"], task.get("columns", {})
    if columns and len(rows) == len(wanted) and not any(is_row(row, title) for row in rows for title in wanted):
        # Only columns beside the title were asked for: the first row tells whether they are those of the right rows.
        if all(has_value(rows[0], value) for value in columns.values()):
            return ("right-told" if is_told else "right"), ""
    missing = [title for title in wanted if not any(is_row(row, title) for row in rows)]
    fault = ""
    if missing or len(rows) != len(wanted):
        fault = f"{len(rows)} rows for {len(wanted)}; missing {missing[:3]}"
    elif task.get("ordered") and not all(is_row(row, title) for row, title in zip(rows, wanted)):
        fault = "order"
    if fault:
        return ("told" if is_told else "silent"), fault
    first = next(row for row in rows if is_row(row, wanted[0]))
    lost = [name for name, value in columns.items() if not has_value(first, value)]
    if lost:
        return ("told" if is_told else "column"), f"columns {lost}"
    return ("right-told" if is_told else "right"), ""


def serve(folder):
    """A server of the folder's pages on loopback."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def answer(binary, home, url, instruction):
    """The rows of one run, whether it says that something is amiss, and its conditions."""
    asked = [binary, "scrape", url, "--instructions", instruction, "--format", "json", "--quiet"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HUNTSMAN_")}
    done = subprocess.run(asked, capture_output=True, text=True, env={**clean, "HUNTSMAN_DATA_DIR": home}, timeout=120)
    try:
        given = json.loads(done.stdout)
    except ValueError:
        return [], True, [done.stderr.strip()]
    verdict = (given.get("plan") or {}).get("verdict") or {}
    rows = given.get("rows")
    rows = rows if isinstance(rows, list) else []
    is_told = verdict.get("status") != "passed" or done.returncode != 0
    told = [f"{it['text']} [{it['state']}]" for it in verdict.get("conditions", [])]
    return rows, is_told, told + verdict.get("issues", [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--answers", help="a file for the answers, a line of JSON each")
    parser.add_argument("--show", default="", help="kinds whose answers are shown, with commas between them")
    parser.add_argument("--only", default="", help="ids or pages, with commas between them")
    parser.add_argument("folders", nargs="+")
    asked = parser.parse_args()
    binary = os.path.abspath(asked.binary)
    only = set(filter(None, asked.only.split(",")))
    shown = set(KINDS) if asked.show == "all" else set(asked.show.split(","))
    answers = open(asked.answers, "w") if asked.answers else None
    print("| set | " + " | ".join(KINDS) + " |")
    print("|---" * (len(KINDS) + 1) + "|")
    for folder in asked.folders:
        with open(os.path.join(folder, "set.jsonl")) as file:
            tasks = [json.loads(line) for line in file if line.strip()]
        tasks = [task for task in tasks if not only or task["id"] in only or task["page"] in only]
        server = serve(os.path.join(folder, "pages"))
        kinds = collections.Counter()
        with tempfile.TemporaryDirectory() as home:
            for task in tasks:
                url = f"http://127.0.0.1:{server.server_port}/{task['page']}.html"
                rows, is_told, told = answer(binary, home, url, task["instruction"])
                kind, fault = kind_of(task, rows, is_told)
                kinds[kind] += 1
                if answers:
                    entry = {"set": folder, "id": task["id"], "kind": kind, "fault": fault, "told": told, "rows": rows}
                    print(json.dumps(entry, ensure_ascii=False), file=answers)
                if kind in shown:
                    print(f"\n{kind} {task['id']}: {task['instruction']}\n  {fault}\n  wanted {task['rows'][:6]} {task['columns']}")
                    print("  given ", [next(iter(texts(row)), "") for row in rows][:8], file=sys.stdout)
                    print("".join(f"    {line}\n" for line in told), end="")
        server.shutdown()
        print(f"| {os.path.basename(os.path.normpath(folder))} | " + " | ".join(str(kinds[kind]) for kind in KINDS) + " |", flush=True)


if __name__ == "__main__":
    main()
