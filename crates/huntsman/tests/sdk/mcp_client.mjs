// The MCP server through the official TypeScript clients of both majors: over HTTP and on stdio, in both eras of the protocol.
import assert from 'node:assert';
import { createRequire } from 'node:module';

const require = createRequire(process.env.SDK_FOLDER + '/package.json');
const TOOLS = ['read', 'scrape', 'research', 'automate', 'run_wait', 'run_cancel', 'tool_find', 'tool_run'];
const INFO = { name: 'test', version: '1' };
const CAPABILITIES = { elicitation: { form: {} } };

/** The major that speaks sessions alone, as the functions that the checks need. */
function older() {
  const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
  const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');
  return {
    eras: ['legacy'],
    http: (url) => new StreamableHTTPClientTransport(url),
    stdio: (how) => new StdioClientTransport(how),
    client: () => new Client(INFO, { capabilities: CAPABILITIES }),
    answer: (client, form) => client.setRequestHandler(ElicitRequestSchema, form),
    call: (client, name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
  };
}

/** The major that speaks both eras. */
function newer() {
  const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
  const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');
  const modes = { legacy: 'legacy', modern: { pin: '2026-07-28' } };
  return {
    eras: ['legacy', 'modern'],
    http: (url) => new StreamableHTTPClientTransport(url),
    stdio: (how) => new StdioClientTransport(how),
    client: (era) => new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode: modes[era] } }),
    answer: (client, form) => client.setRequestHandler('elicitation/create', form),
    call: (client, name, args, options) => client.callTool({ name, arguments: args }, options),
  };
}

function text(result) {
  assert.equal(result.content.length, 1, JSON.stringify(result));
  return result.content[0].text;
}

async function everything(major, transport, era, label, site) {
  const client = major.client(era);
  const asked = [];
  major.answer(client, async (request) => {
    const [[ref, field]] = Object.entries(request.params.requestedSchema.properties);
    asked.push(field.title);
    return { action: 'accept', content: { [ref]: 'ann@example.org' } };
  });
  const call = (name, args, options) => major.call(client, name, args, options);
  await client.connect(transport);
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), TOOLS);
  const read = await call('read', { url: `${site}/lamp` });
  assert.ok(!read.isError && text(read).includes('| A lamp of brass'), text(read));
  const wrong = await call('read', { ur: site, part: 0 });
  assert.ok(wrong.isError && /did you mean url\?[^]*part: must be|part: must be[^]*did you mean url\?/.test(text(wrong)), text(wrong));
  await assert.rejects(call('raed', {}), /did you mean read\?/);
  await resources(client, call, site);
  await longCall(call, `${site}/slow/${label}`);
  await question(call, asked, label, site);
  await client.close();
}

async function resources(client, call, site) {
  const scraped = await call('scrape', { urls: [`${site}/lamp`] });
  assert.equal(scraped.structuredContent.status, 'completed');
  const uri = `huntsman://runs/${scraped.structuredContent.run_id}`;
  const events = await client.readResource({ uri: `${uri}/events` });
  assert.ok(events.contents[0].text.includes('"complete"'));
  const listed = await client.listResources();
  assert.ok(listed.resources.some((resource) => resource.uri === uri));
  assert.ok((await client.listResourceTemplates()).resourceTemplates.length >= 3);
  assert.equal((await client.listPrompts()).prompts.length, 3);
}

/** A call whose run goes on: progress names it, the call is given up, the run is waited for and cancelled. */
async function longCall(call, slow) {
  const giveUp = new AbortController();
  let told;
  const run = new Promise((resolve) => (told = resolve));
  const onprogress = (progress) => told(/run_[0-9a-f]{32}/.exec(progress.message)[0]);
  const ended = call('scrape', { urls: [slow] }, { onprogress, signal: giveUp.signal }).then(
    () => 'an answer',
    () => 'given up',
  );
  const run_id = await run;
  giveUp.abort();
  assert.equal(await ended, 'given up');
  const waited = await call('run_wait', { run_id, wait_seconds: 0 });
  assert.ok(text(waited).includes(`${run_id} is still running`), text(waited));
  assert.ok(!(await call('run_cancel', { run_id })).isError);
  assert.ok((await call('run_wait', { run_id })).isError);
}

/** A run that asks a person: a form where the protocol has one, else the place where the person can answer. */
async function question(call, asked, label, site) {
  const task = { task: `order it, ${label}`, url: `${site}/shop`, interactive: true };
  const answer = text(await call('automate', task));
  if (label.endsWith('http legacy')) {
    assert.ok(asked.length === 0 && answer.includes('waits for a person'), answer);
    await call('run_cancel', { run_id: /run_[0-9a-f]{32}/.exec(answer)[0] });
    return;
  }
  assert.deepEqual(asked, ['E-mail']);
  assert.ok(answer.includes('| ordered'), answer);
}

const [which, site, command, folder, settings] = process.argv.slice(2);
const major = { older, newer }[which]();
const url = new URL(process.env.TABSTACK_BASE_URL.replace('/v1', '/mcp'));
const env = { PATH: process.env.PATH, ...JSON.parse(settings) };
for (const era of major.eras) {
  await everything(major, major.http(url), era, `${which} http ${era}`, site);
  const stdio = major.stdio({ command, args: ['mcp'], env, cwd: folder });
  await everything(major, stdio, era, `${which} stdio ${era}`, site);
}
console.log('well');
process.exit(0);
