// One run: its events, which survive broken connections, its pages and its result.

import { ConnectionLost, HuntsmanError, RunFailed } from './errors.js';
import { Silence, Transport, wait } from './transport.js';
import type { RunDetail } from './types.js';

const FINAL = ['completed', 'failed', 'cancelled'];

/** One event of a run: its number in the run's log, its name and its data. */
export interface RunEvent {
  id: number;
  name: string;
  data: Record<string, unknown>;
}

/** What a page of a scrape, crawl, batch or plan gave. */
export interface PageResult {
  url: string;
  status: 'ok' | 'failed';
  item?: Record<string, unknown>;
  formats?: Record<string, unknown>;
  rows?: Record<string, unknown>[];
  error?: { code: string; message: string };
  [other: string]: unknown;
}

/**
 * A run of the server. It goes on when the connection breaks and when this process ends.
 *
 * A loop over `events()` or `pages()` that is left early cancels the run, unless it was begun detached or found by its id.
 */
export class Run {
  constructor(
    private readonly transport: Transport,
    readonly id: string,
    private readonly detached = true,
  ) {}

  private get path(): string {
    return `/v1/runs/${encodeURIComponent(this.id)}`;
  }

  /**
   * The events after number `after`, up to the last one of the run. A broken connection is taken up again where it broke:
   * no event is missed or given twice.
   */
  async *events(after = 0): AsyncGenerator<RunEvent, void, undefined> {
    let ended = false;
    try {
      yield* this.follow(after);
      ended = true;
    } finally {
      // The loop is being left; its own error counts.
      if (!ended && !this.detached) await this.cancel().catch(() => undefined);
    }
  }

  private async *follow(after: number): AsyncGenerator<RunEvent, void, undefined> {
    for (let tries = 0; ; ) {
      const before = after;
      const silence = new Silence(this.transport.timeout);
      try {
        const headers: Record<string, string> = after ? { 'last-event-id': String(after) } : {};
        const response = await this.transport.send('GET', `${this.path}/events`, { headers }, silence);
        const stream = frames(response, silence);
        for (;;) {
          const next = await stream.next().catch(() => undefined);
          if (!next || next.done) break;
          if (next.value.id <= after) continue;
          after = next.value.id;
          yield next.value;
        }
      } finally {
        silence.end();
      }
      // A stream that ended may have been cut: the run itself says whether there is more.
      const detail = await this.detail();
      if (FINAL.includes(detail.status) && detail.last_seq <= after) return;
      tries = after > before ? 0 : tries + 1;
      if (tries > this.transport.retries) throw new ConnectionLost(`the events of ${this.id} cannot be read`);
      await wait(tries);
    }
  }

  /** The results of a scrape, crawl, batch or plan, each as soon as it is there. */
  async *pages(): AsyncGenerator<PageResult, void, undefined> {
    for await (const event of this.events()) {
      if (event.name !== 'step') continue;
      const step = event.data['data'] as { action?: string; extracted_data?: { result?: PageResult } } | undefined;
      if (step?.action === 'complete' && step.extracted_data?.result) yield step.extracted_data.result;
    }
  }

  /** Waits for the end, and gives the result. Throws `RunFailed` when the run failed or was cancelled. */
  async result<T = unknown>(): Promise<T> {
    for await (const _ of this.events());
    const detail = await this.detail();
    if (detail.status !== 'completed') {
      throw new RunFailed(this.id, detail.status, detail.error?.code ?? '', detail.error?.message ?? '');
    }
    return detail.result as T;
  }

  /** How the run stands, with what was asked and what came of it. */
  detail(): Promise<RunDetail> {
    return this.transport.json('GET', this.path);
  }

  /** Stops the run; one that has ended stays as it is. */
  async cancel(): Promise<void> {
    await this.transport.json('DELETE', this.path);
  }
}

/** The events of a stream (HTML standard, server-sent events). */
async function* frames(response: Response, silence: Silence): AsyncGenerator<RunEvent, void, undefined> {
  if (!response.body) throw new HuntsmanError(response.status, '', 'the server sent no stream');
  let [name, id, rest] = ['', 0, ''];
  let data: string[] = [];
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    silence.restart();
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
      if (!line) {
        if (data.length) yield { id, name, data: JSON.parse(data.join('\n')) as Record<string, unknown> };
        [name, data] = ['', []];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const said = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'id' && /^[0-9]+$/.test(said)) id = Number(said);
      else if (field === 'event') name = said;
      else if (field === 'data') data.push(said);
    }
  }
}
