// Requests to the server over `fetch`, tried again where that is safe.

import { ConnectionLost, HuntsmanError } from './errors.js';

/** Statuses after which the server may be asked again. */
const PASSING = [429, 502, 503, 504];
/** The longest pause between two tries, in seconds. */
const MOST_PAUSE = 30;

/** What is sent. */
export interface Outgoing {
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends requests to one server. */
export class Transport {
  private readonly base: string;

  constructor(
    baseUrl: string,
    private readonly apiKey: string | undefined,
    /** The longest silence of the server, in milliseconds. */
    readonly timeout: number,
    readonly retries: number,
  ) {
    const address = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
    if (!address || !/^https?:$/.test(address.protocol)) {
      throw new TypeError('baseUrl: is no http or https address, such as http://127.0.0.1:8787');
    }
    if (address.username || address.password || address.search || address.hash) {
      throw new TypeError('baseUrl: takes a scheme, a host, a port and a path; the key goes into apiKey');
    }
    if (!(timeout > 0)) throw new RangeError('timeout: must be more than 0 milliseconds');
    if (!Number.isInteger(retries) || retries < 0) throw new RangeError('retries: must be 0 or more');
    this.base = (address.origin + address.pathname).replace(/\/+$/, '').replace(/\/v1$/, '');
  }

  /** Sends a request once and waits for the head of its answer. The signal of the answer's body is `silence`. */
  async open(method: string, path: string, { body, headers }: Outgoing = {}, silence?: Silence): Promise<Response> {
    const sent: Record<string, string> = { accept: 'application/json, text/event-stream', ...headers };
    if (this.apiKey) sent['authorization'] = `Bearer ${this.apiKey}`;
    if (body !== undefined) sent['content-type'] = 'application/json';
    const response = await fetch(this.base + path, {
      method,
      headers: sent,
      redirect: 'error',
      signal: silence?.signal ?? AbortSignal.timeout(this.timeout),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status >= 400) throw await refusal(response);
    return response;
  }

  /** Sends a request, and again after a passing failure. The caller makes sure that it may be sent twice. */
  async send(method: string, path: string, outgoing: Outgoing = {}, silence?: Silence): Promise<Response> {
    for (let tries = 0; ; ) {
      let pause: number | undefined;
      try {
        return await this.open(method, path, outgoing, silence);
      } catch (error) {
        const last = tries >= this.retries;
        if (error instanceof HuntsmanError) {
          if (last || !error.isPassing) throw error;
          pause = error.retryAfter;
        } else if (last) {
          throw new ConnectionLost(`${this.base} cannot be reached`, { cause: error });
        }
      }
      tries += 1;
      await wait(tries, pause);
    }
  }

  /** As `send`, with the answer read as JSON. */
  async json<T>(method: string, path: string, outgoing: Outgoing = {}): Promise<T> {
    const response = await this.send(method, path, outgoing);
    const text = await response.text();
    return (text ? JSON.parse(text) : null) as T;
  }
}

/** Aborts a stream that has been silent for too long. */
export class Silence {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly limit: number) {
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Something came. */
  restart(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(), this.limit);
  }

  /** Nothing more is waited for; the connection is closed. */
  end(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }
}

/** Waits before the next try: as the server asks, else twice as long each time. */
export async function wait(tries: number, seconds?: number): Promise<void> {
  const pause = seconds ?? (0.5 + Math.random() / 2) * 0.1 * 2 ** tries;
  await new Promise((done) => setTimeout(done, Math.min(pause, MOST_PAUSE) * 1000));
}

async function refusal(response: Response): Promise<HuntsmanError> {
  const text = await response.text().catch(() => '');
  let message = text.slice(0, 500) || 'the server gave no reason';
  try {
    const said: unknown = (JSON.parse(text) as { error?: unknown }).error;
    if (typeof said === 'string') message = said;
  } catch {
    // The text itself says what there is to say.
  }
  const read = Number.parseFloat(response.headers.get('retry-after') ?? '');
  const after = Number.isNaN(read) ? undefined : read;
  // Where the server says when to ask again, asking again helps; it also says where it cannot.
  const mayPass = PASSING.includes(response.status) || after !== undefined;
  const isPassing = mayPass && response.headers.get('x-should-retry') !== 'false';
  const code = response.headers.get('x-error-code') ?? '';
  return new HuntsmanError(response.status, code, message, after, isPassing);
}
