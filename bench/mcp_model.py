#!/usr/bin/env python3
"""Twenty questions about the demo site and saved pages, put to a model that has the tools of `huntsman mcp`.

    bench/mcp_model.py --binary target/release/huntsman [--model http://127.0.0.1:18080/v1] [--first N] [--last N]

Starts the demo site, a server of the saved pages and `huntsman mcp`, lists the tools, and lets the model call them, at most
four times for a question. The model is asked over the chat API of OpenAI; without --model it is a scripted one, which makes
the call that the question names and repeats the answer if the tool gave it. Prints a line for each question: whether its
first call was of a fitting tool, whether a call of it worked, and whether the answer was right.
"""

import argparse
import functools
import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEM = "Answer the question in one short sentence. Call a tool to look at the page first; do not guess."
ROUNDS = 4
# How long the model may take for one thing that it says, in seconds. A question beyond that is not answered.
PATIENCE = 300
# What the model is shown of a tool's answer, in characters: small models read slowly.
SHOWN = 2500


class Assistant:
    """`huntsman mcp` on its pipes."""

    def __init__(self, binary, folder):
        settings = {"HUNTSMAN_DATA_DIR": folder, "HUNTSMAN_ALLOW_HOSTS": "127.0.0.1", "HUNTSMAN_ENGINE": "http"}
        self.process = subprocess.Popen([binary, "mcp"], env={"PATH": os.environ["PATH"], **settings}, cwd=folder,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.count = 0
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.count:
                return answer
        raise SystemExit("huntsman mcp has ended")

    def call(self, name, arguments):
        """The text of a tool's answer, and whether the call worked."""
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return answer["error"]["message"], False
        return answer["result"]["content"][0]["text"], not answer["result"].get("isError")


def chat(address, tools, messages):
    """What a model says: its text and its calls, in the form of the chat API."""
    functions = [{"name": it["name"], "description": it["description"], "parameters": it["inputSchema"]} for it in tools]
    body = {"model": "any", "temperature": 0, "max_tokens": 200, "messages": messages,
            "tools": [{"type": "function", "function": function} for function in functions]}
    request = urllib.request.Request(f"{address}/chat/completions", json.dumps(body).encode(),
                                     {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)["choices"][0]["message"]


def scripted(asked, messages):
    """The scripted model: the named call, then the answer if it stands in what the tool gave."""
    if messages[-1]["role"] == "tool":
        found = [it for it in asked["answer"] if it.strip() in messages[-1]["content"]]
        return {"content": found[0] if found else "It is not there."}
    name, arguments = asked["call"]
    return {"tool_calls": [{"id": "1", "function": {"name": name, "arguments": json.dumps(arguments)}}]}


def put(asked, assistant, model):
    """Puts a question: the calls that were made, whether each worked, and the answer."""
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": asked["question"]}]
    calls = []
    for _ in range(ROUNDS):
        try:
            said = model(asked, messages)
        except TimeoutError:
            return calls, "no answer in time"
        if not said.get("tool_calls"):
            return calls, said.get("content") or ""
        messages.append({"role": "assistant", "content": said.get("content") or "", "tool_calls": said["tool_calls"]})
        for call in said["tool_calls"]:
            name = call["function"]["name"]
            try:
                text, worked = assistant.call(name, json.loads(call["function"]["arguments"]))
            except json.JSONDecodeError:
                text, worked = "the arguments are no JSON", False
            calls.append((name, worked))
            messages.append({"role": "tool", "tool_call_id": call.get("id") or "1", "content": text[:SHOWN]})
    return calls, ""


def saved_pages():
    """Serves the saved pages of the repository, and gives the address."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=ROOT / "crates/extract/tests/pages")
    handler.func.log_message = lambda *_: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--model")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=20)
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    demo = subprocess.Popen([binary, "demo-site", "--port", "0"], stdout=subprocess.PIPE, text=True)
    with tempfile.TemporaryDirectory() as folder:
        assistant = Assistant(binary, folder)
        try:
            places = {"{demo}": demo.stdout.readline().strip().rstrip("/"), "{saved}": saved_pages()}
            run(options, assistant, places)
        finally:
            demo.kill()
            assistant.process.kill()


def run(options, assistant, places):
    text = (ROOT / "bench/mcp_questions.json").read_text()
    for place, address in places.items():
        text = text.replace(place, address)
    tools = assistant.ask("tools/list", {})["result"]["tools"]
    model = scripted
    if options.model:
        model = lambda _, messages: chat(options.model.rstrip("/"), tools, messages)
    questions = json.loads(text)[options.first - 1 : options.last]
    chosen = worked = right = 0
    began = time.monotonic()
    for number, asked in enumerate(questions, options.first):
        since = time.monotonic()
        calls, answer = put(asked, assistant, model)
        fits = bool(calls) and calls[0][0] in asked.get("tools", ["read", "scrape"])
        is_right = any(it.lower() in f"{answer} ".lower() for it in asked["answer"])
        chosen, worked, right = chosen + fits, worked + any(ok for _, ok in calls), right + is_right
        names = ", ".join(f"{name}{'' if ok else ' (failed)'}" for name, ok in calls) or "no call"
        print(f"{number:2} {'tool' if fits else '-':4} {'right' if is_right else 'wrong':5} "
              f"{time.monotonic() - since:6.1f} s  {names}: {' '.join(answer.split())[:110]}", flush=True)
    print(f"in {time.monotonic() - began:.0f} s, of {len(questions)}: fitting tool {chosen}, a call worked {worked}, right {right}")


main()
