#!/usr/bin/env python3
"""Maps generated sites on loopback, and compares what is found with what the generator has made.

    cargo xtask bench map [--binary FILE]

Each site has other site maps: none, nested, packed with gzip, or broken in the ways that are met. Recall is the part of the
site's addresses that the map has; precision is the part of the map that the site has.
"""

import argparse
import gzip
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

LEAST_RECALL = 0.99


def entry(url, lead=""):
    return f"<url>{lead}<loc>{url}</loc><lastmod>2026-01-02</lastmod></url>"


def urlset(urls):
    return "<?xml version='1.0' encoding='UTF-8'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" + "".join(map(entry, urls)) + "</urlset>"


def index(urls):
    return "<?xml version='1.0'?><sitemapindex>" + "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls) + "</sitemapindex>"


def page(links):
    anchors = "".join(f"<a href='{link}'>about {link}</a> " for link in links)
    return f"<html><head><title>Page</title></head><body><main><h1>Page</h1></main><nav>{anchors}</nav></body></html>"


def tree(count, branches):
    """Pages in a tree, each with links to those below it."""
    files = {}
    for at in range(count):
        below = range(at * branches + 1, min(at * branches + branches + 1, count))
        files["/" if at == 0 else f"/t/{at}"] = ("text/html", page(f"/t/{child}" for child in below).encode())
    return files


def without(_):
    """No site maps: 200 pages in a tree of six branches, with links to 1,200 more."""
    files = tree(1_200, 6)
    return files, {path for path in files}, ["--depth", "5"]


def nested(origin):
    """Indexes of indexes, each in an order of its own, with 60 files of 500 addresses."""
    truth, files, middle = {"/"}, {}, []
    for group in range(6):
        places = []
        for at in range(10):
            paths = [f"/n/{group}/{at}/{number}" for number in range(500)]
            truth.update(paths)
            files[f"/maps/{group}-{at}.xml"] = ("application/xml", urlset(origin + path for path in paths).encode())
            places.append(f"{origin}/maps/{group}-{at}.xml")
        files[f"/maps/{group}.xml"] = ("application/xml", index(places + [f"{origin}/maps/{group}.xml"]).encode())
        middle.append(f"{origin}/maps/{group}.xml")
    files["/maps/all.xml"] = ("application/xml", index(middle).encode())
    files["/robots.txt"] = ("text/plain", f"User-agent: *\nAllow: /\nSitemap: {origin}/maps/all.xml\n".encode())
    files["/"] = ("text/html", page([]).encode())
    return files, truth, []


def packed(origin):
    """At the usual place an index, of files packed with gzip: by name, by type, in two parts, and a name that only says so."""
    sets = [[f"/g/{at}/{number}" for number in range(4_000)] for at in range(4)]
    xml = [urlset(origin + path for path in paths).encode() for paths in sets]
    half = len(xml[2]) // 2
    files = {
        "/sitemap.xml": ("application/xml", index(f"{origin}/g{at}" for at in ["0.xml.gz", "1", "2.xml.gz", "3.xml.gz"]).encode()),
        "/g0.xml.gz": ("application/gzip", gzip.compress(xml[0])),
        "/g1": ("application/x-gzip", gzip.compress(xml[1])),
        "/g2.xml.gz": ("application/octet-stream", gzip.compress(xml[2][:half]) + gzip.compress(xml[2][half:])),
        "/g3.xml.gz": ("application/xml", xml[3]),
        "/": ("text/html", page([]).encode()),
    }
    return files, {"/"}.union(*sets), []


def broken(origin):
    """Files that break the rules: cut, unescaped, in capitals, in UTF-16, relative, plain text, with a page in place of one."""
    sets = {name: [f"/b/{name}/{number}" for number in range(1_000)] for name in
            ["cut", "signs", "capitals", "wide", "relative", "plain", "data", "prefix", "junk", "unclosed"]}
    urls = {name: [origin + path for path in paths] for name, paths in sets.items()}
    sets["signs"] = [f"/b/signs?id={number}&colour=red" for number in range(1_000)]
    signs = "".join(entry(origin + path) for path in sets["signs"])
    prefix = "".join(f"<s:url><s:loc>{url}</s:loc></s:url>" for url in urls["prefix"])
    data = "".join(f"<url><loc>\n  <![CDATA[{url}]]>\n</loc></url>" for url in urls["data"])
    texts = {
        "cut": urlset(urls["cut"])[:-70],
        "signs": f"<urlset>{signs}</urlset>",
        "capitals": urlset(urls["capitals"]).replace("url", "URL").replace("loc>", "LOC>").replace("localhost", "localhost"),
        "relative": urlset(sets["relative"]),
        "plain": "\ufeff" + "\r\n".join(urls["plain"]),
        "data": f"<urlset>{data}</urlset>",
        "prefix": f"<s:urlset xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'>{prefix}</s:urlset>",
        "junk": "\n\n<!-- made by hand -->" + urlset(urls["junk"]).replace("</lastmod>", "</lastmod><priority>high</priority>&nbsp;"),
        "unclosed": "<urlset>" + "".join(f"<url><loc>{url}</loc>" for url in urls["unclosed"]),
    }
    files = {f"/{name}.xml": ("text/xml", text.encode()) for name, text in texts.items()}
    files["/wide.xml"] = ("application/xml", urlset(urls["wide"]).replace("UTF-8", "UTF-16").encode("utf-16"))
    files["/error.xml"] = ("text/html", page(["/not/listed"]).encode())
    names = [*texts, "wide", "error", "missing"]
    robots = "".join(f"sitemap:{origin}/{name}.xml\n" for name in names)
    files["/robots.txt"] = ("text/plain", robots.encode())
    files["/"] = ("text/html", page([]).encode())
    # The last entry of the file that is cut is no address.
    truth = {"/"}.union(*sets.values()) - {sets["cut"][-1]}
    return files, truth, []


def serve():
    files = {}

    class Site(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            kind, body = files.get(self.path, ("text/html", b"<h1>Not found</h1>"))
            self.send_response(200 if self.path in files else 404)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the huntsman binary")
    parser.add_argument("--show", action="store_true", help="names some addresses that were missed")
    asked = parser.parse_args()
    print("| site maps | addresses | recall | precision | seconds |\n|---|---|---|---|---|")
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HUNTSMAN_DATA_DIR": folder}
        for make in (without, nested, packed, broken):
            origin, files = serve()
            made, truth, flags = make(origin)
            files.update(made)
            command = [asked.binary, "map", f"{origin}/", "--json", "--limit", "100000", *flags]
            began = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            seconds = time.monotonic() - began
            found = {json.loads(line)["url"][len(origin):] for line in done.stdout.splitlines()}
            recall = len(found & truth) / len(truth)
            is_good = is_good and recall >= LEAST_RECALL
            print(f"| {make.__name__} | {len(truth)} | {recall:.4f} | {len(found & truth) / max(len(found), 1):.4f} | {seconds:.1f} |", flush=True)
            if asked.show:
                print(sorted(truth - found)[:5], sorted(found - truth)[:5], done.stderr)
    sys.exit(0 if is_good else "a map has missed too much")


main()
