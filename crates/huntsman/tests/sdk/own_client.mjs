// Our own client for TypeScript: streams that break, runs, sites, plans, tools and monitors.
import assert from 'node:assert';
import net from 'node:net';

const SERVER = process.env.TABSTACK_BASE_URL;
const [parts, site, built] = process.argv.slice(2);
const { ConnectionLost, Huntsman, HuntsmanError, RunFailed } = await import(`${built}/index.js`);

const client = (options = {}) => new Huntsman({ baseUrl: SERVER, apiKey: 'a-key-of-the-tests', ...options });

async function all(stream) {
  const list = [];
  for await (const one of stream) list.push(one);
  return list;
}

/** A way to the server on which the first streams of events break after so many bytes. */
async function breaking(breaks, after) {
  const way = { left: breaks, streams: 0 };
  const server = net.createServer((near) => {
    const far = net.connect(new URL(SERVER).port, '127.0.0.1');
    let limit = Infinity;
    near.on('data', (part) => {
      const first = part.toString('latin1').split('\r\n', 1)[0];
      if (/^GET .*\/events /.test(first)) {
        way.streams += 1;
        limit = way.left-- > 0 ? after : Infinity;
      } else if (/^[A-Z]+ \//.test(first)) {
        limit = Infinity;
      }
      far.write(part);
    });
    far.on('data', (part) => {
      near.write(part.subarray(0, Math.max(limit, 0)));
      limit -= part.length;
      if (limit <= 0) {
        near.destroySoon();
        far.destroy();
      }
    });
    for (const [end, other] of [[near, far], [far, near]]) {
      end.on('error', () => other.destroy());
      end.on('close', () => other.destroySoon());
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return Object.assign(way, { base: `http://127.0.0.1:${server.address().port}`, close: () => server.close() });
}

const refused = (work, status, code, named) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof HuntsmanError, String(error));
    assert.deepEqual([error.status, error.code], [status, code]);
    assert.ok(error.message.includes(named), error.message);
    return true;
  });

const PARTS = {
  async streams() {
    const way = await breaking(4, 1200);
    const pages = [0, 1, 2, 3, 4, 5].map((number) => `${site}/page/${number}`);
    const run = await client({ baseUrl: way.base }).scrape({ assets: pages, formats: ['markdown'] });
    const broken = await all(run.events());
    assert.ok(way.streams > 4, String(way.streams));
    const whole = await all(client().run(run.id).events());
    assert.deepEqual(broken, whole);
    assert.deepEqual(whole.map((event) => event.id), whole.map((_, index) => index + 1));
    assert.deepEqual(await all(client().run(run.id).events(whole.length - 1)), whole.slice(-1));
    const results = await all(client().run(run.id).pages());
    assert.deepEqual(results.map((page) => page.url).sort(), pages);
    assert.ok(results.every((page) => page.formats.markdown.includes('mill')));
    assert.deepEqual(Object.keys((await run.result()).extracted_data).sort(), pages);
    way.close();
  },
  async leaving() {
    const run = await client().scrape({ assets: [`${site}/silent`] });
    for await (const _ of run.events()) break;
    const deadline = Date.now() + 60_000;
    while ((await run.detail()).status !== 'cancelled') assert.ok(Date.now() < deadline);
    await assert.rejects(run.result(), (error) => error instanceof RunFailed && error.status === 'cancelled');
    const kept = await client().scrape({ assets: [`${site}/silent`] }, { detached: true });
    for await (const _ of kept.events()) break;
    assert.ok(['queued', 'running'].includes((await kept.detail()).status));
    await kept.cancel();
  },
  async sites() {
    const crawl = await client().crawl({ url: `${site}/page/0`, limit: 3 });
    assert.equal((await all(crawl.pages())).length, 3);
    const batch = await client().batch({ urls: [`${site}/page/1`, `${site}/gone`] });
    assert.deepEqual((await all(batch.pages())).map((page) => page.status).sort(), ['failed', 'ok']);
    assert.ok((await client().map({ url: `${site}/page/0` })).links.length > 0);
    const ids = (await all(client().runs())).map((run) => run.id);
    assert.ok(ids.includes(crawl.id) && ids.includes(batch.id));
    assert.ok((await all(client().runs('completed'))).every((run) => run.status === 'completed'));
  },
  async tools() {
    const plan = { plan: [{ tool: 'extraction.tables_to_json', save_as: 'tables' }], expected_output: 'tables' };
    assert.equal((await client().checkPlan({ plan })).ok, true);
    assert.equal((await client().checkPlan({ plan: [] })).ok, false);
    const pages = await all((await client().runPlan({ plan, url: `${site}/page/0` })).pages());
    assert.equal(pages.length, 1);
    assert.ok(JSON.stringify(pages).includes('21'));
    const name = 'extraction.tables_to_json';
    assert.ok((await client().tools()).some((tool) => tool.id === name));
    assert.equal((await client().tool(name)).id, name);
    const html = '<table><tr><th>mill</th><th>metres</th></tr><tr><td>Harrow</td><td>21</td></tr></table>';
    const done = await client().runTool(name, { html, url: 'https://example.org/' });
    assert.ok(JSON.stringify(done).includes('Harrow'));
  },
  async monitors() {
    const made = await client().createMonitor({ url: `${site}/page/0`, schedule: { every: 3600 } });
    assert.ok((await client().monitors()).some((monitor) => monitor.id === made.id));
    assert.equal((await client().updateMonitor(made.id, { name: 'mills' })).name, 'mills');
    await client().checkMonitor(made.id);
    assert.ok('versions' in (await client().monitorHistory(made.id)));
    await client().deleteMonitor(made.id);
    await refused(client().monitor(made.id), 404, 'NOT_FOUND', '');
  },
  async wrong() {
    await refused(client().scrape({ assets: [] }), 400, 'INVALID_REQUEST', 'assets');
    await refused(client().run('run_of/nobody').detail(), 404, 'NOT_FOUND', '');
    for (const baseUrl of ['127.0.0.1:8787', 'http://user:word@127.0.0.1', 'http://127.0.0.1?key=1']) {
      assert.throws(() => new Huntsman({ baseUrl }), /baseUrl/);
    }
    await assert.rejects(client({ baseUrl: 'http://127.0.0.1:9', retries: 1 }).tools(), ConnectionLost);
  },
};

for (const [name, part] of Object.entries(PARTS)) {
  if (parts === 'all' || parts.split(',').includes(name)) await part();
}
console.log('well');
