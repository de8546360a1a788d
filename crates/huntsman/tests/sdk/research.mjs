// `agent.research` through the official TypeScript client: every mode, and what is refused.
import assert from 'node:assert';
import { Tabstack, events as read, refused, runParts, watched } from './common.mjs';

const query = 'How tall are the Harrow windmills?';

const parts = {
  async every_mode() {
    const client = new Tabstack();
    for (const mode of ['fast', 'balanced', 'deep', 'max', 'ultra']) {
      const events = await read(await client.agent.research({ query, mode, fetch_timeout: 30 }));
      const names = events.map(({ event }) => event);
      assert.deepEqual([names[0], names.at(-1)], ['start', 'complete']);
      for (const { event, data } of events) assert.ok(event && data.message && data.timestamp > 0, event);
      for (const name of names.filter((it) => it.endsWith(':start'))) {
        const count = (wanted) => names.filter((it) => it === wanted).length;
        assert.equal(count(name), count(name.replace(':start', ':end')), name);
      }
      const { report, metadata } = events.at(-1).data;
      assert.equal(metadata.mode, mode);
      assert.ok(report.includes('22 metres tall') && !report.includes('99 metres'), report);
      assert.ok(metadata.citedPages.length > 0 && metadata.citedPages.every((it) => it.claims.length > 0));
      assert.equal(names.includes('judging:end'), ['deep', 'max', 'ultra'].includes(mode));
    }
  },

  async wrong() {
    const { client, statuses } = watched();
    for (const body of [{ query: ' ' }, { query: 'x'.repeat(10_001) }, { query, mode: 'quick' }])
      await refused(client.agent.research(body), Tabstack.BadRequestError, 400);
    assert.deepEqual(statuses, [400, 400, 400]);
  },
};

await runParts(parts);
