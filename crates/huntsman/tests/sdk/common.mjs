// What the scripts of this folder share: clients that are watched, what is expected of them, and how parts are run.
import assert from 'node:assert';
import { createRequire } from 'node:module';

const require = createRequire(process.env.SDK_FOLDER + '/package.json');
export const Tabstack = require('@tabstack/sdk').default;

/** A client with the statuses of its answers, in order of arrival, and the retry counts that it sent. */
export function watched(meet = async () => {}, options = {}) {
  const [statuses, counts] = [[], []];
  const client = new Tabstack({
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      statuses.push(response.status);
      counts.push(new Headers(init.headers).get('x-stainless-retry-count'));
      await meet(response);
      return response;
    },
  });
  return { client, statuses, counts };
}

/** All events of a stream; `meet` is called with each as it comes. */
export async function events(stream, meet = async () => {}) {
  const all = [];
  for await (const event of stream) {
    all.push(event);
    await meet(event);
  }
  return all;
}

/** The request ends in exactly this class of error, whose body is `{"error": text}`. */
export async function refused(request, kind, status, named = '') {
  await assert.rejects(
    async () => request,
    (error) => {
      assert.equal(error.constructor, kind, String(error));
      assert.equal(error.status, status);
      assert.equal(typeof error.error?.error, 'string', JSON.stringify(error.error));
      assert.ok(error.error.error.includes(named), error.error.error);
      return true;
    },
  );
}

/** What the server's own part of the API answers. */
export const house = async (method, path) => (await fetch(process.env.TABSTACK_BASE_URL + path, { method })).json();

/** Runs the parts named on the command line, separated by commas, each with the words after them. */
export async function runParts(parts) {
  const [names, ...words] = process.argv.slice(2);
  for (const name of names.split(',')) await parts[name](...words);
  console.log('well');
  // Streams that were left on purpose would keep the process alive.
  process.exit(0);
}
