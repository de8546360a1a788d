// The same as statuses.py through the official TypeScript client, and its good answers.
import assert from 'node:assert';
import { Tabstack, refused, runParts, watched } from './common.mjs';

const json_schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const parts = {
  async classes(cases) {
    for (const { class: kind, status, base, url, headers, named } of JSON.parse(cases)) {
      const client = new Tabstack({ maxRetries: 0, ...(base && { baseURL: base }) });
      await Promise.all([
        refused(client.extract.json({ url, json_schema }, { headers }), Tabstack[kind], status, named),
        refused(
          client.generate.json({ url, json_schema, instructions: 'the name' }, { headers }),
          Tabstack[kind],
          status,
          named,
        ),
      ]);
    }
  },

  async again(cases) {
    for (const { class: kind, statuses: wanted, url } of JSON.parse(cases)) {
      const { client, statuses } = watched();
      const asked = client.extract.json({ url, json_schema });
      if (wanted.at(-1) === 200) assert.deepEqual(await asked, { name: 'Nova lamp' });
      else await refused(asked, Tabstack[kind], wanted.at(-1));
      assert.deepEqual(statuses, wanted, url);
    }
  },

  async crowd(url) {
    const client = new Tabstack({ maxRetries: 0 });
    const left = new AbortController();
    const ask = () => client.extract.json({ url, json_schema, effort: 'max' }, { signal: left.signal });
    const asked = Array.from({ length: 17 }, ask);
    const first = await Promise.race(asked.map((it) => it.then(() => null, (error) => error)));
    assert.equal(first.constructor, Tabstack.RateLimitError, String(first));
    assert.ok(Number(first.headers.get('retry-after')) > 0);
    left.abort();
    await Promise.allSettled(asked);
  },
};

await runParts(parts);
