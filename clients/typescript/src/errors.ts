// What can go wrong: a refused request, a lost connection, a run that failed.

/** The server refused a request. */
export class HuntsmanError extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The error code of `docs/errors.md`. */
    readonly code: string,
    message: string,
    /** How many seconds to wait before trying again, where the server says so. */
    readonly retryAfter?: number,
    /** Whether trying again may help. */
    readonly isPassing = false,
  ) {
    super(`${code || status}: ${message}`);
    this.name = 'HuntsmanError';
  }
}

/** The server could not be reached, however often it was tried. */
export class ConnectionLost extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionLost';
  }
}

/** A run ended without a result: it failed or was cancelled. */
export class RunFailed extends Error {
  constructor(
    readonly runId: string,
    readonly status: string,
    readonly code: string,
    message: string,
  ) {
    super(`${runId} is ${status}: ${message || code || 'without a reason'}`);
    this.name = 'RunFailed';
  }
}
