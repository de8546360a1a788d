// Client of a Huntsman server: scrapes, crawls, batches, plans, tools, runs and monitors.

export { Huntsman, type BeginOptions, type HuntsmanOptions, type JsonObject } from './client.js';
export { ConnectionLost, HuntsmanError, RunFailed } from './errors.js';
export { Run, type PageResult, type RunEvent } from './run.js';
export type * from './types.js';
