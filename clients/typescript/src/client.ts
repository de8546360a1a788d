// `Huntsman`: everything that a server does, as methods.

import { Run } from './run.js';
import { Transport } from './transport.js';
import type {
  BatchRequest,
  CrawlRequest,
  CreateMonitor,
  MapRequest,
  Monitor,
  MonitorHistory,
  MonitorList,
  PlanRequest,
  RunList,
  RunStatus,
  RunSummary,
  ScrapeRequest,
  SiteMap,
  ToolRequest,
  UpdateMonitor,
} from './types.js';

export interface HuntsmanOptions {
  /** The server; http://127.0.0.1:8787 when absent. */
  baseUrl?: string;
  /** A key, where the server has keys. */
  apiKey?: string;
  /** The longest silence of the server, in milliseconds; a minute when absent. */
  timeout?: number;
  /** How often a request is tried again after a passing failure; 5 when absent. */
  retries?: number;
}

export interface BeginOptions {
  /** Whether the run goes on when a loop over its events is left. */
  detached?: boolean;
}

/** A tool's manifest, or the answer of a tool or of a check. */
export type JsonObject = Record<string, unknown>;

/** A server. What starts a run is sent with a name of its own, so that it starts one run however often it is tried. */
export class Huntsman {
  private readonly transport: Transport;

  constructor({ baseUrl = 'http://127.0.0.1:8787', apiKey, timeout = 60_000, retries = 5 }: HuntsmanOptions = {}) {
    this.transport = new Transport(baseUrl, apiKey, timeout, retries);
  }

  private async begin(path: string, body: unknown, { detached = false }: BeginOptions): Promise<Run> {
    const headers = { prefer: 'respond-async', 'idempotency-key': crypto.randomUUID() };
    const response = await this.transport.send('POST', path, { body, headers });
    await response.body?.cancel();
    return new Run(this.transport, response.headers.get('x-run-id') ?? '', detached);
  }

  /** Begins to read pages. */
  scrape(request: ScrapeRequest, options: BeginOptions = {}): Promise<Run> {
    return this.begin('/api/scrape/stream', request, options);
  }

  /** Begins to find and read the pages of a site. */
  crawl(request: CrawlRequest, options: BeginOptions = {}): Promise<Run> {
    return this.begin('/v1/crawl', request, options);
  }

  /** Begins to read a long list of pages. */
  batch(request: BatchRequest, options: BeginOptions = {}): Promise<Run> {
    return this.begin('/v1/batch', request, options);
  }

  /** Begins to run a plan. */
  runPlan(request: PlanRequest, options: BeginOptions = {}): Promise<Run> {
    return this.begin('/v1/plans/run', request, options);
  }

  /** Says everything that is wrong with a plan; nothing runs. */
  checkPlan(request: PlanRequest): Promise<JsonObject> {
    return this.transport.json('POST', '/v1/plans/check', { body: request });
  }

  /** A run by its id. */
  run(id: string): Run {
    return new Run(this.transport, id);
  }

  /** All runs, newest first. */
  async *runs(status?: RunStatus): AsyncGenerator<RunSummary, void, undefined> {
    const query = new URLSearchParams({ limit: '100', ...(status ? { status } : {}) });
    for (;;) {
      const page = await this.transport.json<RunList>('GET', `/v1/runs?${query}`);
      yield* page.runs;
      if (!page.next) return;
      query.set('cursor', page.next);
    }
  }

  /** The addresses of a site. */
  map(request: MapRequest): Promise<SiteMap> {
    return this.transport.json('POST', '/v1/map', { body: request });
  }

  /** Every tool with its manifest, or those of one category. */
  async tools(category?: string): Promise<JsonObject[]> {
    const query = category ? `?${new URLSearchParams({ category })}` : '';
    return (await this.transport.json<{ tools: JsonObject[] }>('GET', `/v1/tools${query}`)).tools;
  }

  /** One tool's manifest. */
  tool(name: string): Promise<JsonObject> {
    return this.transport.json('GET', `/v1/tools/${encodeURIComponent(name)}`);
  }

  /** Runs one tool once. What it did may not be done twice, so that the request is sent once only. */
  async runTool(name: string, request: ToolRequest): Promise<JsonObject> {
    const path = `/v1/tools/${encodeURIComponent(name)}/run`;
    const response = await this.transport.open('POST', path, { body: request });
    return (await response.json()) as JsonObject;
  }

  /** Your monitors. */
  async monitors(): Promise<Monitor[]> {
    return (await this.transport.json<MonitorList>('GET', '/v1/monitors')).monitors;
  }

  /** Begins to watch a page. The request is sent once only. */
  async createMonitor(request: CreateMonitor): Promise<Monitor> {
    const response = await this.transport.open('POST', '/v1/monitors', { body: request });
    return (await response.json()) as Monitor;
  }

  /** One monitor. */
  monitor(id: string): Promise<Monitor> {
    return this.transport.json('GET', monitorPath(id));
  }

  /** Changes a monitor, pauses or resumes it. */
  updateMonitor(id: string, request: UpdateMonitor): Promise<Monitor> {
    return this.transport.json('PATCH', monitorPath(id), { body: request });
  }

  /** Deletes a monitor with its history. */
  async deleteMonitor(id: string): Promise<void> {
    await this.transport.json('DELETE', monitorPath(id));
  }

  /** Checks the page now; the answer comes before the check is done. */
  checkMonitor(id: string): Promise<Monitor> {
    return this.transport.json('POST', `${monitorPath(id)}/check`);
  }

  /** The versions of the page, the newest first. */
  monitorHistory(id: string, limit = 50): Promise<MonitorHistory> {
    return this.transport.json('GET', `${monitorPath(id)}/history?limit=${limit}`);
  }
}

function monitorPath(id: string): string {
  return `/v1/monitors/${encodeURIComponent(id)}`;
}
