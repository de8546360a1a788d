"""Measures how fast one thread reads pages: our readings and those of peers, on the same pages in the same run.

Called by `cargo xtask bench speed --data DIR [--binary FILE] [--set NAME]... [--peer READING:NAME=COMMAND]...`. DIR holds
labelled sets as `NAME/truth.jsonl` with `NAME/pages/*.gz`. A peer is a command that, like ours, turns one
`{"id","url","html"}` a line into one answer a line. Times are user CPU, the median of several runs, with the time of a run
on nothing taken off; memory is the peak of the process.
"""

import argparse
import gzip
import json
import os
import shlex
import statistics
import subprocess
import tempfile
from pathlib import Path

READINGS = {
    "text": ["--to", "text"],
    "markdown": ["--to", "markdown", "--content", "full"],
    "item": ["--to", "item"],
    "records": ["--to", "records"],
    "tables": ["--to", "tables"],
    "metadata": ["--to", "metadata"],
}


def write(folder, place):
    """Writes the pages of a set as lines of JSON, each page once, and tells how many. None is kept: a child's peak begins
    at what this process holds when it starts it."""
    files = {}
    for line in (folder / "truth.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row.get("file"):
            files.setdefault(row["file"], row.get("url", ""))
    with open(place, "w", encoding="utf-8") as out:
        for number, (file, url) in enumerate(files.items()):
            html = gzip.decompress((folder / file).read_bytes()).decode("utf-8", "replace")
            out.write(json.dumps({"id": str(number), "url": url, "html": html}) + "\n")
    return len(files)


def once(command, source):
    """User CPU in seconds and peak memory in MB of one run."""
    with open(source, "rb") as given:
        child = subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{shlex.join(command)}: ended with {child.returncode}")
    return used.ru_utime, used.ru_maxrss / 1024


def measure(command, source, nothing, runs):
    """Seconds for all pages, and peak memory."""
    idle = min(once(command, nothing)[0] for _ in range(2))
    seen = [once(command, source) for _ in range(runs)]
    return statistics.median(it[0] for it in seen) - idle, max(it[1] for it in seen)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--data", type=Path, required=True)
    words.add_argument("--binary", required=True)
    words.add_argument("--set", action="append", dest="sets")
    words.add_argument("--runs", type=int, default=3)
    words.add_argument("--peer", action="append", default=[], metavar="READING:NAME=COMMAND")
    words = words.parse_args()
    peers = []
    for peer in words.peer:
        head, _, command = peer.partition("=")
        reading, _, name = head.partition(":")
        if reading not in READINGS or not name or not command:
            raise SystemExit(f"--peer {peer}: is not READING:NAME=COMMAND, READING one of {', '.join(READINGS)}")
        peers.append((reading, name, shlex.split(command)))
    for name in words.sets or ["article_aeb"]:
        with tempfile.TemporaryDirectory() as folder:
            source, nothing = Path(folder) / "pages", Path(folder) / "nothing"
            count = write(words.data / name, source)
            nothing.write_text("")
            for reading, how in READINGS.items():
                if words.peer and not any(it[0] == reading for it in peers):
                    continue
                ours, memory = measure([words.binary, "extract", "--jsonl", *how], source, nothing, words.runs)
                print(f"{name:18} {reading:9} {'ours':20} {count / ours:8.0f} pages/s {memory:5.0f} MB", flush=True)
                for _, peer, command in (it for it in peers if it[0] == reading):
                    theirs, memory = measure(command, source, nothing, words.runs)
                    print(
                        f"{name:18} {reading:9} {peer:20} {count / theirs:8.0f} pages/s {memory:5.0f} MB"
                        f"   ours takes {ours / theirs:.2f} of its time",
                        flush=True,
                    )


main()
