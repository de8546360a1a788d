// `agent.automate` and `agent.automateInput` through the official TypeScript client.
import assert from 'node:assert';
import { createRequire } from 'node:module';

const require = createRequire(process.env.SDK_FOLDER + '/package.json');
const Tabstack = require('@tabstack/sdk').default;
const client = new Tabstack();
const page = process.argv[2];

async function follow(body, meet = async () => {}) {
  const events = [];
  for await (const event of await client.agent.automate(body)) {
    events.push(event);
    await meet(event);
  }
  return events;
}

const whole = await follow({ task: 'what does it cost?', url: page });
assert.equal(whole.at(-1).event, 'done');
assert.equal(whole.at(-2).data.finalAnswer, '12.50 EUR');
for (const { event, data } of whole) {
  assert.ok(event && data, 'an event without a name or data');
  if (!['complete', 'done', 'task:trace_context'].includes(event)) assert.ok(data.iterationId && data.timestamp, event);
}

const asked = await follow({ task: 'order it', url: page, interactive: true }, async ({ event, data }) => {
  if (event !== 'interactive:form_data:request') return;
  await assert.rejects(() => client.agent.automateInput(data.requestId), { status: 400 });
  const fields = data.fields.map(({ ref }) => ({ ref, value: 'ada.canary@example.org' }));
  assert.equal((await client.agent.automateInput(data.requestId, { fields })).status, 'accepted');
  await assert.rejects(() => client.agent.automateInput(data.requestId, { cancelled: true }), { status: 410 });
});
assert.equal(asked.at(-2).data.success, true);
assert.ok(!JSON.stringify(asked).includes('ada.canary'), 'a value of the person has leaked');
await assert.rejects(() => follow({ task: 'x', maxIterations: 101 }), { status: 400 });
console.log('well');
