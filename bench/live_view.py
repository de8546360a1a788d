#!/usr/bin/env python3
"""What a watcher of the live view costs: processor time of the server and of Chromium, and pictures a second.

    bench/live_view.py --binary target/fast/huntsman [--seconds 20]

Starts a page that changes all the time, a scripted model that asks a person and so lets the run wait on that page, and the
server. Takes the processor time of so many seconds three times in turn: nobody watches, one watches, nobody watches any more.
"""

import argparse
import http.server
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

PAGE = b"""<!doctype html><html lang=en><title>Clock</title><h1>Clock</h1><p id=t></p><form><label>Street <input></label></form>
<div id=box style="width:300px;height:200px"></div><script>let n = 0; setInterval(() => { t.textContent = ++n;
box.style.background = `hsl(${n % 360} 80% 50%)`; }, 50)</script></html>"""
PLAN = {"successCriteria": "the street is known", "plan": "ask for it", "actionItems": ["ask"]}
TICKS = os.sysconf("SC_CLK_TCK")


def serve(answer):
    """A server on a free port; its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            media_type, answered = answer(body)
            self.send_response(200)
            self.send_header("content-type", media_type)
            self.send_header("content-length", str(len(answered)))
            self.end_headers()
            self.wfile.write(answered)

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"127.0.0.1:{server.server_port}"


def model(body):
    """A plan first, then the question."""
    if json.loads(body).get("tools"):
        field = re.search(r'textbox[^\n]*?\[ref=(E\d+)\]', body.decode()).group(1)
        asked = {"description": "The street", "refs": [field]}
        call = {"index": 0, "id": "call_1", "type": "function",
                "function": {"name": "request_user_data", "arguments": json.dumps(asked)}}
        delta, reason = {"role": "assistant", "tool_calls": [call]}, "tool_calls"
    else:
        delta, reason = {"role": "assistant", "content": json.dumps(PLAN)}, "stop"
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
              {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}]
    frames = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return "text/event-stream", f"{frames}data: [DONE]\n\n".encode()


def processes(root):
    """Ticks of the process `root`, and of all below it."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue
        parents[int(folder.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    below, found = {root}, {}
    while more := {pid for pid, (parent, _) in parents.items() if parent in below and pid not in below}:
        below |= more
    for pid in below - {root}:
        found[pid] = parents[pid][1]
    return parents[root][1], sum(found.values())


def spend(root, seconds):
    """Parts of a core that the server and Chromium take."""
    before = processes(root)
    time.sleep(seconds)
    after = processes(root)
    return [(b - a) / TICKS / seconds * 100 for a, b in zip(before, after)]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--binary", required=True)
    words.add_argument("--seconds", type=int, default=20)
    asked = words.parse_args()
    page, models = serve(lambda _: ("text/html", PAGE)), serve(model)
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        free.close()
        settings = {"HUNTSMAN_DATA_DIR": folder, "HUNTSMAN_LISTEN": address, "HUNTSMAN_ALLOW_HOSTS": page, "HUNTSMAN_ENGINE": "chromium",
                    "HUNTSMAN_LLM_PROVIDER": "openai_chat", "HUNTSMAN_LLM_BASE_URL": f"http://{models}/v1", "HUNTSMAN_LLM_MODEL": "scripted",
                    "HUNTSMAN_LLM_API_KEY": "none", "HUNTSMAN_ANSWER_SECONDS": "3600"}
        server = subprocess.Popen([os.path.abspath(asked.binary), "serve"], env={**os.environ, **settings}, cwd=folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while True:
                try:
                    urllib.request.urlopen(f"http://{address}/readyz").read()
                    break
                except OSError:
                    time.sleep(0.1)
            body = json.dumps({"task": "Ask for the street", "url": f"http://{page}/", "interactive": True}).encode()
            request = urllib.request.Request(f"http://{address}/v1/automate", body, {"content-type": "application/json"})
            stream = urllib.request.urlopen(request)
            run = stream.headers["x-run-id"]
            while b"interactive:form_data:request" not in stream.readline():
                pass
            time.sleep(3)
            alone = spend(server.pid, asked.seconds)
            pictures, watching = 0, threading.Event()
            view = urllib.request.urlopen(f"http://{address}/console/runs/{run}/live")

            def watch():
                nonlocal pictures
                while not watching.is_set() and (line := view.readline()):
                    pictures += bool(re.match(rb"Content-Type: image/jpeg", line))

            threading.Thread(target=watch, daemon=True).start()
            time.sleep(1)
            before = pictures
            watched = spend(server.pid, asked.seconds)
            rate = (pictures - before) / asked.seconds
            watching.set()
            view.fp.raw._sock.shutdown(socket.SHUT_RDWR)
            time.sleep(2)
            after = spend(server.pid, asked.seconds)
        finally:
            server.terminate()
            server.wait()
    for name, (own, chromium) in [("nobody watches", alone), ("one watches", watched), ("nobody watches any more", after)]:
        print(f"{name}: server {own:.2f} % of a core, Chromium {chromium:.1f} %")
    print(f"pictures a second: {rate:.2f}; the watcher costs the server {watched[0] - (alone[0] + after[0]) / 2:.2f} % of a core")


if __name__ == "__main__":
    main()
