// The MCP server through the Inspector's command line, over HTTP in both eras and on stdio: one process for each request.
import assert from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';

const [site, program, folder, settings] = process.argv.slice(2);
const base = process.env.TABSTACK_BASE_URL;
const cli = [`${process.env.SDK_FOLDER}/node_modules/.bin/mcp-inspector`, '--cli'];
const http = ['--server-url', base.replace('/v1', '/mcp'), '--transport', 'http'];
const env = { PATH: process.env.PATH, HOME: folder };
// A process that the Inspector starts gets the variables that are named for it.
const variables = Object.entries(JSON.parse(settings)).flatMap(([name, value]) => ['-e', `${name}=${value}`]);

function words(target, method, more) {
  return [...cli, ...target, '--method', method, '--format', 'json', '--quiet', ...more];
}

/** What the Inspector prints: the result, and whether it says that a tool failed. */
function ask(target, method, ...more) {
  const done = spawnSync(process.execPath, words(target, method, more), { env, cwd: folder, encoding: 'utf8' });
  assert.ok(done.stdout.length > 0, done.stderr);
  return { ...JSON.parse(done.stdout).result, failed: done.status !== 0 };
}

const named = (tool, args) => ['--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
const call = (target, tool, args) => ask(target, 'tools/call', ...named(tool, args));

function short(target) {
  assert.deepEqual(
    ask(target, 'tools/list').tools.map((tool) => tool.name),
    ['read', 'scrape', 'research', 'automate', 'run_wait', 'run_cancel', 'tool_find', 'tool_run'],
  );
  const read = call(target, 'read', { url: `${site}/lamp` });
  assert.ok(!read.failed && read.content[0].text.includes('| A lamp of brass'), JSON.stringify(read));
  assert.ok(call(target, 'read', { url: `${site}/lamp`, part: 7 }).failed);
  const run = call(target, 'scrape', { urls: [`${site}/lamp`] }).structuredContent.run_id;
  const uri = `huntsman://runs/${run}/events`;
  assert.ok(ask(target, 'resources/read', '--uri', uri).contents[0].text.includes('"complete"'));
  assert.ok(ask(target, 'resources/list').resources.some((it) => it.uri === `huntsman://runs/${run}`));
  assert.equal(ask(target, 'prompts/list').prompts.length, 3);
}

/** A call is given up by ending the Inspector; its run is found, waited for and cancelled. */
async function long(target, slow) {
  const begun = spawn(process.execPath, words(target, 'tools/call', named('scrape', { urls: [slow] })), { env, stdio: 'ignore' });
  const gone = new Promise((resolve) => begun.on('exit', resolve));
  let run;
  while (!run) {
    // A connection that was kept since the last question may have been closed meanwhile: then the next one is asked.
    const answer = await fetch(`${base}/runs?status=running`).catch(() => undefined);
    run = (await answer?.json())?.runs[0]?.id;
  }
  begun.kill('SIGINT');
  await gone;
  const waited = call(target, 'run_wait', { run_id: run, wait_seconds: 0 });
  assert.ok(waited.content[0].text.includes(`${run} is still running`), JSON.stringify(waited));
  assert.ok(!call(target, 'run_cancel', { run_id: run }).failed);
  assert.ok(call(target, 'run_wait', { run_id: run }).failed);
}

for (const era of ['legacy', 'modern']) {
  short([...http, '--protocol-era', era]);
  await long([...http, '--protocol-era', era], `${site}/slow/inspector/${era}`);
}
short([program, 'mcp', ...variables]);
console.log('well');
