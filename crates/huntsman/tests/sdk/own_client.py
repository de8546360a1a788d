"""Our own client for Python: streams that break, runs, sites, plans, tools, monitors, and the loaders of others."""

import os
import socket
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "clients/python"))

from huntsman_client import ConnectionLost, Huntsman, HuntsmanError, RunFailed  # noqa: E402

SERVER = os.environ["TABSTACK_BASE_URL"]


def client(base=SERVER, **how):
    return Huntsman(base, "a-key-of-the-tests", **how)


class Breaking:
    """A way to the server on which the first streams of events break after so many bytes."""

    def __init__(self, breaks, after):
        self.left, self.after, self.streams = breaks, after, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.carry, args=self.listener.accept(), daemon=True).start()

    def carry(self, near, _):
        server = urlsplit(SERVER)
        head = near.recv(65536)
        far = socket.create_connection((server.hostname, server.port))
        far.sendall(head)
        is_stream = b"/events " in head.split(b"\r\n", 1)[0]
        self.streams += is_stream
        limit = self.after if is_stream and self.left > 0 else None
        self.left -= is_stream
        threading.Thread(target=self.forward, args=(near, far, None), daemon=True).start()
        self.forward(far, near, limit)

    @staticmethod
    def forward(source, target, limit):
        try:
            while part := source.recv(65536):
                target.sendall(part[:limit])
                if limit is not None:
                    limit -= len(part)
                    if limit <= 0:
                        break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def refused(do, status, code, named):
    try:
        done = do()
    except HuntsmanError as error:
        assert (error.status, error.code) == (status, code) and named in error.message, error
        return
    raise AssertionError(f"no refusal but {done}")


def streams(site):
    way = Breaking(breaks=4, after=1200)
    pages = [f"{site}/page/{number}" for number in range(6)]
    run = client(way.base).scrape(assets=pages, formats=["markdown"])
    broken = list(run.events())
    assert way.streams > 4, way.streams
    whole = list(client().run(run.id).events())
    assert broken == whole and [event.id for event in whole] == list(range(1, len(whole) + 1)), (broken, whole)
    assert {event.name for event in whole} == {"init", "step", "url_start", "url_complete", "complete"}
    assert list(client().run(run.id).events(after=len(whole) - 1)) == whole[-1:]
    results = {page["url"]: page for page in client().run(run.id).pages()}
    assert sorted(results) == pages and all("mill" in it["formats"]["markdown"] for it in results.values()), results
    assert sorted(run.result()["extracted_data"]) == pages


def leaving(site):
    run = client().scrape(assets=[f"{site}/silent"])
    for _ in run.events():
        break
    deadline = time.monotonic() + 60
    while run.detail()["status"] != "cancelled":
        assert time.monotonic() < deadline, run.detail()
        time.sleep(0.02)
    try:
        done = run.result()
    except RunFailed as error:
        assert error.status == "cancelled" and error.run_id == run.id, error
    else:
        raise AssertionError(f"no failure but {done}")
    kept = client().scrape(assets=[f"{site}/silent"], detached=True)
    for _ in kept.events():
        break
    assert kept.detail()["status"] in ("queued", "running")
    kept.cancel()


def sites(site):
    crawl = client().crawl(url=f"{site}/page/0", limit=3)
    assert len(list(crawl.pages())) == 3
    batch = client().batch(urls=[f"{site}/page/1", f"{site}/gone"])
    assert sorted(page["status"] for page in batch.pages()) == ["failed", "ok"]
    found = client().map(url=f"{site}/page/0")
    assert found["links"], found
    ids = [run["id"] for run in client().runs()]
    assert {crawl.id, batch.id} <= set(ids), ids
    assert all(run["status"] == "completed" for run in client().runs("completed"))


def tools(site):
    plan = {"plan": [{"tool": "extraction.tables_to_json", "save_as": "tables"}], "expected_output": "tables"}
    assert client().check_plan(plan=plan)["ok"] is True
    assert client().check_plan(plan=[])["ok"] is False
    (page,) = client().run_plan(plan=plan, url=f"{site}/page/0").pages()
    assert page["status"] == "ok" and "21" in str(page), page
    manifests = client().tools()
    name = "extraction.tables_to_json"
    assert name in [tool["id"] for tool in manifests] and client().tool(name)["id"] == name
    assert len(client().tools(category="extraction")) < len(manifests)
    html = "<table><tr><th>mill</th><th>metres</th></tr><tr><td>Harrow</td><td>21</td></tr></table>"
    assert "Harrow" in str(client().run_tool(name, html=html, url="https://example.org/"))


def monitors(site):
    made = client().create_monitor(url=f"{site}/page/0", schedule={"every": 3600})
    assert made["id"] in [monitor["id"] for monitor in client().monitors()]
    assert client().update_monitor(made["id"], name="mills")["name"] == "mills"
    assert client().monitor(made["id"])["name"] == "mills"
    client().check_monitor(made["id"])
    assert "versions" in client().monitor_history(made["id"])
    client().delete_monitor(made["id"])
    refused(lambda: client().monitor(made["id"]), 404, "NOT_FOUND", "")


def wrong(site):
    refused(lambda: client().scrape(assets=[]), 400, "INVALID_REQUEST", "assets")
    refused(lambda: client().map(url="ftp://x"), 400, "URL_BLOCKED", "url")
    refused(lambda: client().run("run_of/nobody").detail(), 404, "NOT_FOUND", "")
    for base in ["127.0.0.1:8787", "http://user:word@127.0.0.1", "http://127.0.0.1?key=1"]:
        try:
            Huntsman(base)
        except ValueError as error:
            assert "base_url" in str(error) and "word" not in str(error).replace(base, ""), error
        else:
            raise AssertionError(base)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    try:
        client(f"http://127.0.0.1:{port}", retries=1).tools()
    except ConnectionLost as error:
        assert "127.0.0.1" in str(error)
    else:
        raise AssertionError("nobody listens there")


def loaders(site):
    import warnings

    from huntsman_client.langchain import HuntsmanLoader
    from huntsman_client.llama_index import HuntsmanReader

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        loaded = HuntsmanLoader([f"{site}/page/0", f"{site}/gone"], client=client()).load()
    assert [document.metadata["source"] for document in loaded] == [f"{site}/page/0"]
    assert "mill" in loaded[0].page_content and loaded[0].metadata["title"], loaded
    assert any(f"{site}/gone" in str(warning.message) for warning in said), said
    read = HuntsmanReader(client()).load_data(crawl=f"{site}/page/0", limit=2)
    assert len(read) == 2 and all("mill" in document.text and document.metadata["source"] for document in read), read


PARTS = [streams, leaving, sites, tools, monitors, wrong, loaders]
named, site = sys.argv[1:]
for part in PARTS:
    if named == "all" or part.__name__ in named.split(","):
        part(site)
print("well")
