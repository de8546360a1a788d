#!/usr/bin/env python3
"""Opens pages with `scrape URL --engine auto`, and says for how many it chose the right engine, and what a wrong choice costs.

    bench/auto/auto.py --binary target/release/huntsman --data FOLDER [--show wrong]

Beside this file lie `pages/`, made-up pages of which each has a folder with all that it loads, `pages.tsv` (`engine`, `file`,
`marker`) and `real.tsv` (`engine`, `file` in FOLDER, `reason`, `marker`), which names saved pages of the labelled data; FOLDER is
the one that holds `data` and `data-fresh`. The engine of a page is

- chromium: what the page is for is not in the HTML that was served, or not to be seen in it, and comes by script;
- http: it is in the HTML, though the page may have scripts, empty places and skeletons beside it;
- either: it is in the HTML, but hidden until a script shows it, or in `<noscript>`. No choice is wrong there as long as the
  answer holds the marker, a phrase of the content. These pages are counted apart.

Every page is a process of its own with an empty data folder, so that nothing is known of the host, and its address has a number
in place of its name, as words of an address take part in how a page is read. Which engine opened it is what
the server saw: Chromium asks for a document with `Sec-Fetch-Dest: document`, plain HTTP does not. How often the answer does not
say that Chromium was used is told below the table. All pages come from 127.0.0.1, and a policy in the answer of the server keeps
scripts, pictures and requests of other hosts out; saved pages therefore stay as empty in Chromium as they were, and only the
choice is counted for them, not the text that it brings.

For a made-up page of scripts its marker is a phrase that no file but a script, or what a script fetches, holds. It is looked for in
all texts of the answer, by letters and digits. A made-up page is read with `--engine http` and `--engine chromium` too: that gives
the times, of whole processes, in which Chromium is started for each page, and says what the right choice would have brought.
"""

import argparse
import gzip
import html
import http.server
import json
import mimetypes
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"
GROUPS = (
    ("own scripted", "own", "chromium"),
    ("own static", "own", "http"),
    ("real scripted", "real", "chromium"),
    ("real static", "real", "http"),
    ("real, either engine", "real", "either"),
)
HERE = os.path.dirname(os.path.abspath(__file__))


def plain(text):
    """Text as it is compared: letters and digits, in lower case."""
    return re.sub(r"[\W_]+", " ", html.unescape(str(text))).strip().lower()


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


def listed(name, columns):
    """The rows of a table beside this file."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [dict(zip(columns, row)) for row in rows]


class Pages(http.server.BaseHTTPRequestHandler):
    """Serves each page below a folder of its own, and keeps which ones Chromium asked for."""

    protocol_version = "HTTP/1.1"
    own, real = {}, {}
    opened = set()

    def find(self, path):
        """The bytes of a path and their type, or none."""
        folder, _, rest = path.lstrip("/").partition("/")
        if folder in self.real:
            if rest:
                return None
            with gzip.open(self.real[folder]) as file:
                body = file.read()
            try:
                body.decode()
                return body, "text/html; charset=utf-8"
            except UnicodeDecodeError:
                return body, "text/html"
        if folder not in self.own:
            return None
        file = os.path.normpath(os.path.join(self.own[folder], rest or "index.html"))
        if not file.startswith(self.own[folder] + os.sep) or not os.path.isfile(file):
            return None
        kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
        with open(file, "rb") as opened:
            return opened.read(), kind + ("; charset=utf-8" if kind.startswith("text/") else "")

    def do_GET(self):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        if self.headers.get("Sec-Fetch-Dest") == "document":
            self.opened.add(path.lstrip("/").partition("/")[0])
        body, kind = self.find(path) or (b"there is no such file", None)
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def scrape(binary, url, folder, engine):
    """One run: the engine that the server saw, the answer, what is said of it, and the seconds."""
    Pages.opened.discard(folder)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HUNTSMAN_")}
    with tempfile.TemporaryDirectory() as home:
        clean.update({"HUNTSMAN_DATA_DIR": home, "XDG_CONFIG_HOME": home})
        if os.geteuid() == 0:
            clean["HUNTSMAN_CHROMIUM_SANDBOX"] = "off"
        command = [binary, "scrape", url, "--engine", engine, "--format", "json", "--quiet"]
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, env=clean, cwd=home, timeout=180)
        seconds = time.monotonic() - began
    try:
        given = json.loads(done.stdout)
    except ValueError:
        given = {}
    said = given.get("warnings", []) + ([given["error"].get("code", "")] if given.get("error") else [])
    return {
        "engine": "chromium" if folder in Pages.opened else "http",
        "text": plain(" ".join(texts(given))),
        "said": said or ([done.stderr.strip()[-200:]] if done.returncode else []),
        "seconds": seconds,
    }


def holds(answer, marker):
    """Whether an answer holds a marker."""
    return plain(marker).replace(" ", "") in answer["text"].replace(" ", "")


def middle(values):
    """The median, in seconds."""
    return f"{statistics.median(values):.2f}" if values else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the huntsman binary")
    parser.add_argument("--data", help="the folder that holds data and data-fresh; without it only made-up pages are opened")
    parser.add_argument("--show", default="", choices=("", "wrong", "all"), help="print the wrong ones or all, one a line")
    asked = parser.parse_args()
    binary = os.path.abspath(asked.binary)

    tasks = []
    for at, row in enumerate(listed("pages.tsv", ("engine", "file", "marker"))):
        name, folder = row["file"].split("/")[0], f"own-{at + 1:02}"
        Pages.own[folder] = os.path.join(HERE, "pages", name)
        tasks.append({**row, "kind": "own", "id": name, "folder": folder})
    for at, row in enumerate(listed("real.tsv", ("engine", "file", "reason", "marker")) if asked.data else []):
        folder = f"real-{at + 1:02}"
        Pages.real[folder] = os.path.join(asked.data, row["file"])
        if not os.path.isfile(Pages.real[folder]):
            sys.exit(f"{Pages.real[folder]} is not there: --data names the folder that holds data and data-fresh")
        tasks.append({**row, "kind": "real", "id": row["file"].replace("/pages/", "/").replace(".html.gz", ""), "folder": folder})

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    first = tasks[0]["folder"]
    if scrape(binary, f"{site}/{first}/", first, "chromium")["engine"] != "chromium":
        sys.exit("no Chromium can be used here: `huntsman doctor` says why")

    for task in tasks:
        address = f"{site}/{task['folder']}/"
        answer = task["auto"] = scrape(binary, address, task["folder"], "auto")
        task["holds"] = task["marker"] != "-" and holds(answer, task["marker"])
        task["right"] = task["holds"] if task["engine"] == "either" else answer["engine"] == task["engine"]
        if task["kind"] == "own":
            task["http"] = scrape(binary, address, task["folder"], "http")
            task["chromium"] = scrape(binary, address, task["folder"], "chromium")
        if asked.show == "all" or (asked.show == "wrong" and not task["right"]):
            print(f"{'right' if task['right'] else 'wrong'} {task['id']}: wanted {task['engine']}, took {answer['engine']} in "
                  f"{answer['seconds']:.2f} s; marker {'there' if task['holds'] else 'missing'}; {'; '.join(answer['said'])}", flush=True)
    server.shutdown()

    print("\n| pages | right engine | of | marker in the answer | seconds, median | wrong |\n|---|---|---|---|---|---|")
    for name, kind, engine in GROUPS:
        group = [task for task in tasks if task["kind"] == kind and task["engine"] == engine]
        if not group:
            continue
        right = sum(task["right"] for task in group) if engine != "either" else "-"
        marked = sum(task["marker"] != "-" for task in group)
        marker = f"{sum(task['holds'] for task in group)} of {marked}" if (kind, engine) != ("real", "chromium") else "-"
        wrong = ", ".join(task["id"] for task in group if not task["right"]) or "none"
        print(f"| {name} | {right} | {len(group)} | {marker} | {middle([it['auto']['seconds'] for it in group])} | {wrong} |")

    own = [task for task in tasks if task["kind"] == "own"]
    scripted = [task for task in own if task["engine"] == "chromium"]
    static = [task for task in own if task["engine"] == "http"]
    print("\n| seconds of a made-up page, median | by plain HTTP | by Chromium | by auto, right | by auto, wrong |\n|---|---|---|---|---|")
    for name, group in (("scripted", scripted), ("static", static)):
        columns = [[it[engine]["seconds"] for it in group] for engine in ("http", "chromium")]
        columns += [[it["auto"]["seconds"] for it in group if it["right"] == is_right] for is_right in (True, False)]
        print(f"| {name} | " + " | ".join(middle(column) for column in columns) + " |")
    print("\n| made-up pages whose answer holds the marker | by plain HTTP | by auto | by Chromium | missing by Chromium |\n|---|---|---|---|---|")
    for name, group in (("scripted", scripted), ("static", static)):
        counts = [sum(holds(it[engine], it["marker"]) for it in group) for engine in ("http", "auto", "chromium")]
        missing = ", ".join(it["id"] for it in group if not holds(it["chromium"], it["marker"])) or "none"
        print(f"| {name}, {len(group)} | " + " | ".join(map(str, counts)) + f" | {missing} |")
    silent = [it["id"] for it in tasks if it["auto"]["engine"] == "chromium" and not any("opened in a browser" in said for said in it["auto"]["said"])]
    print(f"\nOpened in Chromium, and the answer does not say so: {', '.join(silent) or 'none'}")


if __name__ == "__main__":
    main()
