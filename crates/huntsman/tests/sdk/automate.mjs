// `agent.automate` and `agent.automateInput` through the official TypeScript client.
import assert from 'node:assert';
import { Tabstack, events as read, house, refused, runParts, watched } from './common.mjs';

const secret = 'ada.canary@example.org';

/** A run that has its result and its end, in this order. */
function ended(events, success, code) {
  const names = events.map(({ event }) => event);
  assert.deepEqual(names.slice(-3), ['task:completed', 'complete', 'done']);
  for (const { event, data } of events) {
    assert.ok(event && data, 'an event without a name or data');
    if (!['complete', 'done', 'task:trace_context'].includes(event)) assert.ok(data.iterationId && data.timestamp, event);
  }
  const { data } = events.at(-2);
  assert.deepEqual([data.success, data.error?.code], [success, code]);
  return data;
}

const follow = async (client, body, meet) => read(await client.agent.automate(body), meet);

const parts = {
  async whole(url) {
    const done = ended(await follow(new Tabstack(), { task: 'what does it cost?', url, maxIterations: 9 }), true);
    assert.deepEqual([done.finalAnswer, done.stats.iterations, done.stats.actions], ['12.50 EUR', 2, 1]);
  },

  async asked(url) {
    const client = new Tabstack();
    const seen = await follow(client, { task: 'order it', url, interactive: true }, async ({ event, data }) => {
      if (event !== 'interactive:form_data:request') return;
      await refused(client.agent.automateInput(data.requestId), Tabstack.BadRequestError, 400);
      const fields = data.fields.map(({ ref }) => ({ ref, value: secret }));
      const foreign = data.requestId.slice(0, -4) + '0000';
      await refused(client.agent.automateInput(foreign, { fields }), Tabstack.NotFoundError, 404);
      assert.equal((await client.agent.automateInput(data.requestId, { fields })).status, 'accepted');
      await refused(client.agent.automateInput(data.requestId, { cancelled: true }), Tabstack.APIError, 410);
    });
    ended(seen, true);
    assert.ok(!JSON.stringify(seen).includes('ada.canary'), 'a value of the person has leaked');
  },

  async declined(url) {
    const client = new Tabstack();
    const seen = await follow(client, { task: 'order it', url, interactive: true }, async ({ event, data }) => {
      if (event !== 'interactive:form_data:request') return;
      assert.equal((await client.agent.automateInput(data.requestId, { cancelled: true })).status, 'accepted');
    });
    ended(seen, false, 'TASK_ABORTED');
  },

  async expired(url) {
    const { client, statuses } = watched();
    const seen = await follow(client, { task: 'order it', url, interactive: true }, async ({ event, data }) => {
      if (event !== 'interactive:form_data:error') return;
      const fields = [{ ref: 'E3', value: secret }];
      await refused(client.agent.automateInput(data.requestId, { fields }), Tabstack.APIError, 410);
    });
    ended(seen, false, 'TASK_ABORTED');
    assert.deepEqual(statuses, [200, 410]);
  },

  async cancelled(url) {
    const client = new Tabstack();
    const begin = () => client.agent.automate({ task: 'wait for it', url }).withResponse();
    const cancelled = await begin();
    const run = cancelled.response.headers.get('x-run-id');
    const seen = await read(cancelled.data, async ({ event }) => {
      if (event === 'browser:action_started') assert.equal((await house('DELETE', `/runs/${run}`)).status, 'cancelled');
    });
    ended(seen, false, 'TASK_ABORTED');
    const left = await begin();
    for await (const { event } of left.data) if (event === 'browser:action_started') break;
    left.data.controller.abort();
    const deadline = Date.now() + 30_000;
    while ((await house('GET', `/runs/${left.response.headers.get('x-run-id')}`)).status !== 'cancelled') {
      assert.ok(Date.now() < deadline, 'a run whose client has left goes on');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  },

  async failed(url) {
    const { client, statuses } = watched();
    ended(await follow(client, { task: 'give up', url }), false, 'TASK_ABORTED');
    const unplanned = (await follow(client, { task: 'no plan', url })).at(-1);
    assert.deepEqual([unplanned.event, unplanned.data.error.code], ['error', 'LLM_UNAUTHORIZED']);
    ended(await follow(client, { task: 'break', url }), false, 'MAX_ERRORS');
    assert.deepEqual(statuses, [200, 200, 200]);
  },

  async wrong() {
    const { client, statuses } = watched();
    for (const body of [{ task: ' ' }, { task: 'x', url: 'nowhere' }, { task: 'x', maxIterations: 101 }])
      await refused(client.agent.automate(body), Tabstack.BadRequestError, 400);
    assert.deepEqual(statuses, [400, 400, 400]);
  },

  async full(url) {
    const runs = [];
    const { client, statuses, counts } = watched(async (response) => {
      if (response.status !== 503) return;
      assert.ok(Number(response.headers.get('retry-after')) > 0);
      while (runs.length) await house('DELETE', `/runs/${runs.pop()}`);
    });
    const hasty = new Tabstack({ maxRetries: 0 });
    const begin = () => hasty.agent.automate({ task: 'wait for it', url }).withResponse();
    const working = await begin();
    await working.data[Symbol.asyncIterator]().next();
    const waiting = await begin();
    await refused(hasty.agent.automate({ task: 'what does it cost?', url }), Tabstack.InternalServerError, 503);
    for (const { response } of [working, waiting]) runs.push(response.headers.get('x-run-id'));
    ended(await follow(client, { task: 'what does it cost?', url }), true);
    assert.deepEqual([statuses, counts], [[503, 200], ['0', '1']]);
    for (const { data } of [working, waiting]) data.controller.abort();
  },

  async unready() {
    const { client, statuses } = watched();
    await refused(client.agent.automate({ task: 'x' }), Tabstack.InternalServerError, 503);
    assert.deepEqual(statuses, [503]);
  },
};

await runParts(parts);
