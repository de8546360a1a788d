// The types of requests and answers. Written by `cargo xtask reference` from docs/openapi.json; not to be edited.

/** Where an address was found. */
export type AddressSource = "start" | "sitemap" | "feed" | "page" | "walk";

/** A task for a browser. */
export interface AutomateRequest {
  /** What to do. */
  task: string;
  /** Where to start; the planner chooses when absent. */
  url?: string | null;
  /** Values for forms, fillable by key. */
  data?: unknown;
  /** Rules in words. */
  guardrails?: string | null;
  /** Whether a person may be asked for values. */
  interactive?: boolean | null;
  /** Most turns of the loop, 1 to 100. */
  maxIterations?: number | null;
  /** Most answers that are judged, 1 to 10. */
  maxValidationAttempts?: number | null;
  /** Hosts that may be given data. */
  trusted_hostnames?: string[] | null;
  /** Lifts the limits on where data may go. */
  unsafe_mode?: boolean | null;
  /** Which part of the world pages should be seen from. */
  geo_target?: GeoTarget | null;
  /** Secrets of the vault that may be filled, by the key that the model is told. An addition of ours. */
  secrets?: Record<string, string> | null;
  /**
   * Which events the run tells, within what the operator allows: `verbose` adds model exchanges, `debug` adds
   * everything. As the server is set when absent. An addition of ours.
   */
  audience?: "public" | "verbose" | "debug" | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How pages are opened. An addition of ours. */
  fetch?: FetchOptions | null;
}

/** The body of `POST /v1/batch`. */
export interface BatchRequest {
  /** The pages, at most 100,000. Each result has its `index` in this list. */
  urls: string[];
  /** How often a page that failed in a way that may pass is tried again, 0 to 5. */
  retries?: number | null;
  /**
   * What to look for, in words; left out to have each page read as it is. In a crawl, links whose texts share
   * words with it are followed first.
   */
  instructions?: string | null;
  /** With `markdown` and `text`, each result has the page's main content beside its item. */
  output_format?: OutputFormat | null;
  /** How items are extracted; the server's own setting when absent. */
  mode?: ExtractionMode | null;
  /** JSON Schema of an item. */
  schema?: ItemSchema | null;
  /** Columns of a row. */
  columns?: string[] | null;
  /**
   * Forms in which each page is given, under `formats` of its result; no pictures. Without `item`, no item is
   * made.
   */
  formats?: PageFormat[] | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How pages are opened, also those that a crawl finds. */
  fetch?: FetchOptions | null;
}

/** A block of the text that was replaced by another one. */
export interface BlockChange {
  /** The block before. */
  before: string;
  /** The block after. */
  after: string;
}

/** Which engine opens pages. */
export type BrowserEngine = "auto" | "http" | "chromium";

/**
 * Every error that a client can see. Sent in `x-error-code` beside the text, in error events and in results.
 * `docs/errors.md` has a paragraph for each.
 */
export type Code = "INVALID_REQUEST" | "INVALID_PLAN" | "URL_BLOCKED" | "UNAUTHORIZED" | "SPENDING_LIMIT" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "NOT_FINISHED" | "INPUT_CLOSED" | "EVENTS_EXPIRED" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "QUEUE_FULL" | "SHUTTING_DOWN" | "STORE_UNAVAILABLE" | "INSUFFICIENT_STORAGE" | "INTERNAL" | "DNS_FAILED" | "CONNECT_FAILED" | "TLS_FAILED" | "TOO_MANY_REDIRECTS" | "NAVIGATION_TIMEOUT" | "WAIT_TIMEOUT" | "RESPONSE_TOO_LARGE" | "BAD_ENCODING" | "CONNECTION_LOST" | "INCOMPLETE_BODY" | "BAD_RESPONSE" | "UPSTREAM_ERROR" | "EMPTY_CONTENT" | "UNSUPPORTED_CONTENT" | "JS_REQUIRED" | "ROBOTS_DENIED" | "LOGIN_EXPIRED" | "BROWSER_UNAVAILABLE" | "BROWSER_DISCONNECTED" | "CDP_AUTH" | "STALE_REF" | "NOT_CAPABLE" | "MODEL_NOT_CONFIGURED" | "MODEL_UNAUTHORIZED" | "MODEL_FAILED" | "MODEL_TIMEOUT" | "BAD_TOOL_ARGS" | "UNKNOWN_TOOL" | "TOOL_FAILED" | "SCHEMA_MISMATCH" | "SEARCH_NOT_CONFIGURED" | "SEARCH_FAILED" | "POLICY_DENIED" | "BUDGET_EXCEEDED" | "TIMEOUT" | "TASK_ABORTED" | "MAX_ITERATIONS" | "MAX_ERRORS" | "TASK_FAILED" | "TASK_EXECUTION_FAILED" | "OUTCOME_UNKNOWN" | "POISON_RUN" | "SECRET_UNREADABLE";

/** How much of a page is looked at. */
export type Complexity = "low" | "medium" | "high";

/** A condition over a field. */
export interface Condition {
  /** The field of the item or of an entry; `text` for the main text. */
  field: string;
  /** How it is compared. */
  operator: ConditionOperator;
  /** What it is compared with; not given with `changed`. */
  value?: number | string | null;
}

/** How a field is compared. */
export type ConditionOperator = "below" | "above" | "equals" | "contains" | "changed";

/** What has changed between two versions. */
export type ContentChange = ContentChangePart;

/** The answer to a question. */
export interface ContentChangePart {
  part: "research";
  /** What it says that the answer before did not, or no longer says, in sentences of a model. */
  changes: string[];
}

/** Which part of a page. */
export type ContentScope = "main" | "full";

/** The body of `POST /v1/crawl`. */
export interface CrawlRequest {
  /** Where the crawl starts: an `http` or `https` address. Its host is crawled. */
  url: string;
  /** Most pages that are fetched, 1 to 1,000,000. */
  limit?: number | null;
  /** Most links between the start and a page, 0 to 1,000. Addresses of site maps are one link away. */
  depth?: number | null;
  /**
   * Only addresses that match one of these patterns are read; the start page always is. A pattern is matched
   * against path and query, with `*` for any characters; one that begins with `re:` is a regular expression.
   */
  include?: string[] | null;
  /** Addresses that match one of these are left out. */
  exclude?: string[] | null;
  /** Whether other hosts of the same registrable domain are crawled too. */
  subdomains?: boolean | null;
  /** Whether the site maps are read. */
  sitemap?: boolean | null;
  /**
   * Pause between the starts of two requests to one host, in milliseconds, 0 to 600,000. When absent it follows
   * from how fast the host answers. A longer `Crawl-delay` of the site's robots.txt is kept in any case.
   */
  delay_ms?: number | null;
  /** Most megabytes of pages, 1 to 1,000,000. */
  max_megabytes?: number | null;
  /** Most seconds, 1 to 86,400. The server's own limit for a run holds beside it. */
  max_seconds?: number | null;
  /**
   * What to look for, in words; left out to have each page read as it is. In a crawl, links whose texts share
   * words with it are followed first.
   */
  instructions?: string | null;
  /** With `markdown` and `text`, each result has the page's main content beside its item. */
  output_format?: OutputFormat | null;
  /** How items are extracted; the server's own setting when absent. */
  mode?: ExtractionMode | null;
  /** JSON Schema of an item. */
  schema?: ItemSchema | null;
  /** Columns of a row. */
  columns?: string[] | null;
  /**
   * Forms in which each page is given, under `formats` of its result; no pictures. Without `item`, no item is
   * made.
   */
  formats?: PageFormat[] | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How pages are opened, also those that a crawl finds. */
  fetch?: FetchOptions | null;
}

/** What a crawl or a batch has done, over all workers that had it. */
export interface CrawlSummary {
  /** Addresses that were fetched, with whatever outcome. */
  fetched: number;
  /** Pages that gave a result. */
  read: number;
  /** Pages that gave none. */
  failed: number;
  /** Pages left out because they were read under another address. */
  duplicates: number;
  /** Pages that were read although another one is nearly the same. */
  similar: number;
  /** Addresses that led outside of the crawl. */
  outside: number;
  /** Addresses that robots.txt forbids. */
  forbidden: number;
  /** Addresses known in all. */
  known: number;
  /** Bytes of the pages. */
  bytes: number;
  /** Milliseconds of work. */
  milliseconds: number;
  /** What ended a crawl that was not done: `pages`, `bytes` or `time`. */
  stopped_by?: string;
  /**
   * What a reader of the result should know: addresses that were left out and why, site maps that could not be
   * read.
   */
  notes?: string[];
}

/** `POST /v1/monitors`. One of `url`, `map`, `scrape` and `research` says what is watched. */
export interface CreateMonitor {
  /** A page. */
  url?: string | null;
  /** The addresses of a site: a body of `POST /v1/map`, with a `limit` of at most 5,000. */
  map?: Record<string, unknown> | null;
  /** What a scrape gives: a body of `POST /api/scrape`. Each check is a run. */
  scrape?: Record<string, unknown> | null;
  /**
   * The answer to a question: a body of `POST /v1/research`. Each check is a run, and a model says what has
   * changed.
   */
  research?: Record<string, unknown> | null;
  /** What people call the monitor. */
  name?: string | null;
  /** What of the page is watched, for `url`. */
  part?: WatchedPart | null;
  /**
   * The field that tells entries of a list apart, for `records` and `scrape`; the first of `url`, `name` and
   * `title` that they have when absent.
   */
  key?: string | null;
  /** When it is checked. */
  schedule: MonitorSchedule;
  /**
   * What has to hold so that a change is told to webhooks: all of it, in the item, in the text, or in one entry
   * that is new or has changed. Every change when absent.
   */
  conditions?: Condition[] | null;
  /**
   * What has to hold in words, besides. What a rule reads for certain, such as "price below 100", becomes one of
   * `conditions`; the rest is judged by a model.
   */
  when?: string[] | null;
  /** How many versions are kept, 1 to 100; 20 when absent. */
  keep?: number | null;
}

/** The body of `POST /v1/profiles`. */
export interface CreateProfile {
  /** Its name: 1 to 64 letters, digits, `.`, `_` or `-`. */
  name: string;
  /** Anything that people should know of it. */
  note?: string | null;
  /**
   * The sites it is for, as `host`; state of other sites is neither imported nor written back. Every site when
   * empty.
   */
  sites?: string[] | null;
  /** What it begins with, in Playwright's storage-state format; nothing when absent. */
  storage_state?: StorageState | null;
}

/** `POST /v1/webhooks`. */
export interface CreateWebhook {
  /** Where messages are sent, by POST. */
  url: string;
  /**
   * What is sent: `run.completed`, `run.failed`, `run.cancelled`, `monitor.changed`, `monitor.failed`, or names
   * of events of runs, such as `interactive:form_data:request`. The first five when absent.
   */
  events?: string[] | null;
  /** What people call the endpoint. */
  description?: string | null;
}

/** A message to an endpoint, as it stands. */
export interface Delivery {
  /** The id of the message, which stands in `webhook-id`; the same in every try. */
  id: string;
  /** The type of the message; absent until it is known how the run ended. */
  event?: string;
  /** The run that the message is about. */
  run?: string;
  /** How it stands. */
  state: DeliveryState;
  /** When it came up. */
  created_at: string;
  /** When it is tried next. */
  next_attempt_at?: string;
  /** The last tries, the oldest first. */
  attempts: DeliveryAttempt[];
}

/** One try of a delivery. */
export interface DeliveryAttempt {
  /** When it began. */
  at: string;
  /** The status of the answer, where there was one. */
  status?: number;
  /** Why the receiver has not taken the message. */
  error?: string;
  /** How long it took, in milliseconds. */
  millis: number;
}

/** Deliveries of an endpoint, the newest first. */
export interface DeliveryList {
  /** The deliveries. */
  deliveries: Delivery[];
}

/** How a delivery stands. */
export type DeliveryState = "pending" | "delivered" | "dead";

export interface Error {
  error: string;
}

/** An error in a result: its code and a text. */
export interface ErrorBody {
  /** Which. */
  code: Code;
  /** In words; ready for people. */
  message: string;
}

/** `POST /v1/extract/json`. */
export interface ExtractJsonRequest {
  /** The page. */
  url: string;
  /** In which shape. */
  json_schema: ItemSchema;
  /** How hard to try. */
  effort?: FetchEffort | null;
  /** Whether to fetch again. */
  nocache?: boolean | null;
  /** Where to see it from. */
  geo_target?: GeoTarget | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How the page is opened. An addition of ours. */
  fetch?: FetchOptions | null;
}

/** How items are extracted. Underscores are accepted on input. */
export type ExtractionMode = "rule-based" | "llm-fixed" | "llm-dynamic" | "llm-dynamic-adaptive";

/** How hard to try for a page. */
export type FetchEffort = "min" | "standard" | "max";

/** How pages are opened. What is left out is as the server has it; what the chosen engine cannot do is refused. */
export interface FetchOptions {
  /**
   * Which engine opens pages, among those that the operator allows. `wait_for`, `viewport` and `timezone` need
   * `chromium`, and choose it when no engine is named.
   */
  engine?: BrowserEngine | null;
  /** What to wait for after a page has loaded; exactly one condition. */
  wait_for?: WaitFor | null;
  /** The longest time for one page, in seconds, waiting for `wait_for` included; 1 to 600. */
  timeout?: number | null;
  /** Size of the view. */
  viewport?: Viewport | null;
  /** Language that pages are asked for, as a language tag such as `de` or `pt-BR`. */
  locale?: string | null;
  /** Time zone of the browser, by its name in the IANA database, such as `Europe/Oslo`. */
  timezone?: string | null;
  /** The `User-Agent` that pages are asked with. */
  user_agent?: string | null;
  /**
   * Headers for requests to the named sites, by site and name: `{"https://shop.example": {"X-Key": "..."}}`.
   * They go to no other site, not even by a redirect.
   */
  headers?: Record<string, Record<string, string | null> | null> | null;
  /** Cookies of the named sites, by site and name: `{"https://shop.example": {"session": "..."}}`. */
  cookies?: Record<string, Record<string, string | null> | null> | null;
  /** Whether servers are asked again for what is at hand. */
  nocache?: boolean | null;
  /**
   * Whether robots.txt is obeyed. When absent, by pages that a run finds by itself and not by those that it is
   * given.
   */
  robots?: RobotsRule | null;
  /** Country that pages are seen from, among those that the operator has exits in. */
  geo_target?: GeoTarget | null;
}

/** Values before and after. One that was not there is absent. */
export interface FieldChange {
  /** The field. */
  field: string;
  /** The value before. */
  before?: unknown;
  /** The value after. */
  after?: unknown;
}

/** `POST /v1/generate/json`. */
export interface GenerateJsonRequest {
  /** The page. */
  url: string;
  /** What to make of it. */
  instructions: string;
  /** In which shape. */
  json_schema: ItemSchema;
  /** How hard to try. */
  effort?: FetchEffort | null;
  /** Whether to fetch again. */
  nocache?: boolean | null;
  /** Where to see it from. */
  geo_target?: GeoTarget | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How the page is opened. An addition of ours. */
  fetch?: FetchOptions | null;
}

/** Which part of the world a page should be seen from. */
export interface GeoTarget {
  /** ISO 3166-1 alpha-2. */
  country?: string | null;
}

export type InnerItemSchema = Record<string, unknown> | boolean;

/** A JSON Schema (draft 2020-12). References stay within it: they begin with `#`. */
export type ItemSchema = Record<string, unknown> | boolean;

/** An item of local storage. */
export interface LocalItem {
  /** Its key. */
  name: string;
  /** Its value. */
  value: string;
}

/** The body of `POST /v1/map`. */
export interface MapRequest {
  /** A page of the site. */
  url: string;
  /** Most addresses that are given, 1 to 100,000. */
  limit?: number | null;
  /**
   * Most links that are followed from the start page, 0 to 5. With 0 only its own links are listed; with more,
   * up to 200 pages are read.
   */
  depth?: number | null;
  /** Only addresses that match one of these patterns, as in a crawl. */
  include?: string[] | null;
  /** Addresses that match one of these are left out. */
  exclude?: string[] | null;
  /** Words to look for in addresses and titles; those with the most come first, those without any are left out. */
  search?: string | null;
  /** Whether addresses of other hosts of the same registrable domain are given. */
  subdomains?: boolean | null;
}

/** An address of a site. */
export interface MappedAddress {
  /** The address. */
  url: string;
  /** Where it was found, the first place first. */
  sources: AddressSource[];
  /** The site map, feed or page where it was found first. */
  found_in?: string;
  /** When it was last changed, as the site says: a day or a time in ISO 8601. */
  last_modified?: string;
  /** Its title, or the text of the link. */
  title?: string;
}

/** `POST /v1/extract/markdown`. */
export interface MarkdownRequest {
  /** The page. */
  url: string;
  /** Which part of it. */
  content?: ContentScope | null;
  /** How hard to try. */
  effort?: FetchEffort | null;
  /** Whether metadata come apart from the text; otherwise they stand at its head. */
  metadata?: boolean | null;
  /** Whether to fetch again. */
  nocache?: boolean | null;
  /** Where to see it from. */
  geo_target?: GeoTarget | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How the page is opened. An addition of ours. */
  fetch?: FetchOptions | null;
}

/** The answer of `/v1/extract/markdown`. */
export interface MarkdownResponse {
  /** Markdown; begins with the metadata as YAML unless they were asked for apart. */
  content: string;
  /** Where the page was found, after redirects. */
  url: string;
  /** What the page says about itself. */
  metadata?: PageMetadata;
}

/** What is kept of all sites. */
export interface MemoryList {
  /** By site. */
  sites: SiteMemory[];
}

/** A monitor as it stands. */
export interface Monitor {
  /** Its id. */
  id: string;
  /** A page. */
  url?: string;
  /** The addresses of a site: a body of `POST /v1/map`, with a `limit` of at most 5,000. */
  map?: Record<string, unknown>;
  /** What a scrape gives: a body of `POST /api/scrape`. Each check is a run. */
  scrape?: Record<string, unknown>;
  /**
   * The answer to a question: a body of `POST /v1/research`. Each check is a run, and a model says what has
   * changed.
   */
  research?: Record<string, unknown>;
  /** What people call the monitor. */
  name: string;
  /** What of the page is watched, for `url`. */
  part: WatchedPart;
  /**
   * The field that tells entries of a list apart, for `records` and `scrape`; the first of `url`, `name` and
   * `title` that they have when absent.
   */
  key?: string;
  /** When it is checked. */
  schedule: MonitorMonitorSchedule;
  /**
   * What has to hold so that a change is told to webhooks: all of it, in the item, in the text, or in one entry
   * that is new or has changed. Every change when absent.
   */
  conditions: MonitorCondition[];
  /**
   * What has to hold in words, besides. What a rule reads for certain, such as "price below 100", becomes one of
   * `conditions`; the rest is judged by a model.
   */
  when?: string[];
  /** How many versions are kept, 1 to 100; 20 when absent. */
  keep: number | null;
  /** Whether checks rest. */
  paused: boolean;
  /** When it was created. */
  created_at: string;
  /** When it is checked next; absent while it is paused. */
  next_check_at?: string;
  /** When it was checked last. */
  checked_at?: string;
  /** How many checks there were. */
  checks: number;
  /** The number of the newest version; 0 before the first check. */
  version: number;
  /** Why the last check gave nothing. */
  error?: string;
}

/** A condition over a field. */
export interface MonitorCondition {
  /** The field of the item or of an entry; `text` for the main text. */
  field: string;
  /** How it is compared. */
  operator: ConditionOperator;
  /** What it is compared with; not given with `changed`. */
  value?: number | string;
}

/** Versions of what is watched, the newest first. */
export interface MonitorHistory {
  /** The versions. */
  versions: MonitorVersion[];
}

/** All monitors of a caller. */
export interface MonitorList {
  /** By id. */
  monitors: Monitor[];
}

/** When a page is checked: by a cron expression, or every so many seconds. */
export interface MonitorMonitorSchedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron?: string;
  /** The time zone of the cron expression, by its name in the IANA database; UTC when absent. */
  timezone?: string;
  /** Seconds between checks, 10 to 2678400. */
  every?: number;
  /**
   * Most seconds by which a check is later at random, so that sites are not asked by clockwork; at most half of
   * `every`.
   */
  jitter?: number;
}

/** When a page is checked: by a cron expression, or every so many seconds. */
export interface MonitorSchedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron?: string | null;
  /** The time zone of the cron expression, by its name in the IANA database; UTC when absent. */
  timezone?: string | null;
  /** Seconds between checks, 10 to 2678400. */
  every?: number | null;
  /**
   * Most seconds by which a check is later at random, so that sites are not asked by clockwork; at most half of
   * `every`.
   */
  jitter?: number | null;
}

/** A version of what is watched. */
export interface MonitorVersion {
  /** Its number, from 1. */
  version: number;
  /** When it was seen first. */
  at: string;
  /** What has changed since the version before; absent in the first one. */
  change?: ContentChange;
  /** Whether the conditions hold. */
  matched: boolean;
  /** Whether the content was cut because it is too long. */
  truncated?: boolean;
}

/**
 * A finite number. `Num::new(3.0)` is written `3`, as JavaScript would; NaN and infinity cannot be held,
 * because one of them in a stream ends it for every JavaScript client.
 */
export type Num = number;

/** The local storage of one origin. */
export interface OriginState {
  /** Scheme, host and port. */
  origin: string;
  /** The items. */
  localStorage?: LocalItem[] | null;
}

/** In which format `output` is written. */
export type OutputFormat = "json" | "csv" | "markdown" | "text";

/** A form in which a page's content is given. */
export type PageFormat = "item" | "markdown" | "text" | "html" | "links" | "screenshot" | "tables" | "records";

/** What a page or document says about itself. */
export interface PageMetadata {
  author?: string;
  created_at?: string;
  creator?: string;
  description?: string;
  favicon?: string;
  image?: string;
  keywords?: string[];
  modified_at?: string;
  page_count?: number;
  pdf_version?: string;
  producer?: string;
  publisher?: string;
  site_name?: string;
  subject?: string;
  title?: string;
  type?: string;
  url?: string;
}

/** An act of a person in the browser of a paused run: the body of `POST /v1/runs/{id}/act`. */
export type PersonAct = PersonActAction;

/** Does nothing to the page, and shows it. */
export interface PersonActAction {
  action: "look";
}

/** Who plans the calls of tools for a page. */
export type PlanAuthor = "model" | "triggers";

/** A plan and the page it starts on. */
export interface PlanRequest {
  /** The plan, in the DSL, or its list of steps. */
  plan: Record<string, unknown> | unknown[];
  /** Where it starts. */
  url?: string | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How pages are opened. */
  fetch?: FetchOptions | null;
}

/** All profiles of a caller. */
export interface ProfileList {
  /** By name. */
  profiles: ProfileSummary[];
}

/** What clients are shown of a profile: never a value of a cookie or of the storage. */
export interface ProfileSummary {
  /** Its name. */
  name: string;
  /** What people should know of it. */
  note: string;
  /** The sites it is for; every site when empty. */
  sites: string[];
  /** The hosts that it holds cookies or local storage of. */
  hosts: string[];
  /** How many cookies it holds. */
  cookies: number;
  /** How many items of local storage it holds. */
  local_storage: number;
  /** Grows with every write. */
  generation: number;
  /** When it was created. */
  created_at: string;
  /** When it was last written. */
  updated_at: string;
  /** Parts of an imported state that were left out, by their place in it. */
  left_out?: string[];
}

/** An entry of a list whose fields have changed. */
export interface RecordChange {
  /** Its key. */
  key: string;
  /** What has changed. */
  fields: FieldChange[];
}

/** How thoroughly to research. */
export type ResearchMode = "fast" | "balanced" | "deep" | "max" | "ultra";

/** A question to be answered with a report. */
export interface ResearchRequest {
  /** The question. */
  query: string;
  /** How thoroughly. */
  mode?: ResearchMode | null;
  /** Longest time for one page, in seconds. */
  fetch_timeout?: number | null;
  /** Whether pages are fetched again even when they are at hand. */
  nocache?: boolean | null;
  /** Pages to read first, besides those the question names. An addition of ours. */
  sources?: string[] | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /** How pages are opened. An addition of ours. */
  fetch?: FetchOptions | null;
}

/** The body of `POST /v1/runs/{id}/resume`. */
export interface ResumeRequest {
  /**
   * What the person did and what the agent has to know, in words. It is kept in the log, and the model reads it
   * as data.
   */
  note?: string | null;
}

/** Whether pages obey their site's robots.txt. */
export type RobotsRule = "obey" | "ignore";

/** `POST /v1/admin/keys/{id}/rotate`. */
export interface RotateRequest {
  /** Hours for which the old key still works; 24 when absent. */
  grace_hours: number;
}

/** One run, with what was asked and what came of it. */
export interface RunDetail {
  /** Its id. */
  id: RunId;
  /** Its kind. */
  kind: RunKind;
  /** How it stands. */
  status: RunStatus;
  /** When it was asked for. */
  created_at: string;
  /** When it ended. */
  finished_at?: string;
  /** Place of the last event in its log; 0 when it is empty. */
  last_seq: number;
  /** What was asked. */
  request: unknown;
  /** What came of it. */
  result?: unknown;
  /** Why it failed. */
  error?: ErrorBody;
  /** What it cost. */
  usage: RunUsage;
}

/** Names a run. Scrape clients know it as `session_id` and may choose it. */
export type RunId = string;

/** What kind of run. */
export type RunKind = "scrape" | "automate" | "research" | "plan" | "crawl" | "batch";

/** A page of a list, newest first. */
export interface RunList {
  /** The runs. */
  runs: RunSummary[];
  /** Where the next page begins; absent on the last one. */
  next?: string;
}

/** How a run stands. */
export type RunStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

/** A run in a list. */
export interface RunSummary {
  /** Its id. */
  id: RunId;
  /** Its kind. */
  kind: RunKind;
  /** How it stands. */
  status: RunStatus;
  /** When it was asked for. */
  created_at: string;
  /** When it ended. */
  finished_at?: string;
  /** Place of the last event in its log; 0 when it is empty. */
  last_seq: number;
}

/** What a run cost. */
export interface RunUsage {
  /** Model calls. */
  model_calls: number;
  /** Tokens sent to models. */
  input_tokens: number;
  /** Tokens received from models. */
  output_tokens: number;
  /** Pages opened. */
  pages: number;
  /** Tools run. */
  tool_calls: number;
  /** Bytes fetched. */
  bytes: number;
  /** Millionths of a US dollar that models cost by the price table; 0 where they have no price. */
  micro_dollars: number;
}

/** Which requests of other sites carry a cookie (`SameSite`). */
export type SameSite = "Strict" | "Lax" | "None";

/** What failed, for machines and for people. */
export interface ScrapeError {
  /** Which error. */
  code: Code;
  /** In words. */
  message: string;
  /** On which page. */
  url?: string;
  /** Whether the same request may work later. */
  retryable: boolean;
}

/** An event of a scrape run. */
export type ScrapeEvent = ScrapeInit | UrlStart | ScrapeEventStep | UrlComplete | ScrapeEventComplete | ScrapeEventError;

/** The result; nothing follows. */
export interface ScrapeEventComplete {
  type: "complete";
  /** The result. */
  data: ScrapeResponse;
}

/** Something failed; the run goes on unless `complete` says otherwise. */
export interface ScrapeEventError {
  type: "error";
  /** What. */
  data: ScrapeError;
}

export interface ScrapeEventErrorData {
  timestamp: string;
}

/** Progress. */
export interface ScrapeEventStep {
  type: "step";
  /** What is being done. */
  data: ScrapeStep;
}

export interface ScrapeEventStepData {
  step_number: number;
  timestamp: string;
}

/** `init`. */
export interface ScrapeInit {
  /** The run's id. */
  session_id: RunId;
}

/** The body of `POST /api/scrape/stream` and `POST /api/scrape`. */
export interface ScrapeRequest {
  /** Addresses, bare domains or search terms. */
  assets: string[];
  /** The task in words; left out to have each page read as it is. */
  instructions?: string | null;
  /** How the result should look; may name columns. */
  output_instructions?: string | null;
  /** Format of `output`. */
  output_format?: OutputFormat | null;
  /** What else is told of each page, under `page` of its result; nothing when absent. */
  complexity?: Complexity | null;
  /** The run's id, when the client wants to choose it. */
  session_id?: RunId | null;
  /** The model to use, where the operator lets clients choose. */
  model?: string | null;
  /** Its provider. */
  provider?: string | null;
  /** Plugins to use. */
  enable_plugins?: string[] | null;
  /** Roles to use; the tools of those left out are not used. All when there is none. */
  selected_agents?: string[] | null;
  /** Most steps per page. */
  max_steps?: number | null;
  /** How items are extracted; the server's own setting when absent. An addition of ours. */
  mode?: ExtractionMode | null;
  /**
   * Who plans the calls of tools: `model` also where a mode is named, `triggers` without any model. When absent,
   * the model, unless there is none, a mode is named, or `selected_agents` leaves the planner out. An addition
   * of ours.
   */
  planner?: PlanAuthor | null;
  /** JSON Schema of an item. An addition of ours. */
  schema?: ItemSchema | null;
  /** Columns of a row. An addition of ours. */
  columns?: string[] | null;
  /**
   * Whether a picture of each page is kept; its path in the data folder becomes the item's `screenshot_path`.
   * Needs a browser. An addition of ours.
   */
  screenshot?: boolean | null;
  /** The profile that the pages are opened with: its cookies and its local storage. */
  profile?: string | null;
  /** Whether what the pages changed is written back to the profile when the work ends. */
  profile_save?: boolean | null;
  /**
   * Forms in which each page is given, under `formats` of its result. Without `item`, no item is made. An
   * addition of ours.
   */
  formats?: PageFormat[] | null;
  /**
   * Whether what the run learns about its sites is kept for your next run on them, and what is known is used.
   * Off when absent.
   */
  enable_memory?: boolean | null;
  /** How pages are opened. An addition of ours. */
  fetch?: FetchOptions | null;
}

/** The result of a scrape run. */
export interface ScrapeResponse {
  /** The run's id. */
  session_id: RunId;
  /** How it ended. */
  status: ScrapeStatus;
  /** Steps emitted. */
  total_steps: number;
  /** Sum of their rewards. */
  total_reward: Num;
  /** What was found, by page. */
  extracted_data: Record<string, unknown>;
  /** The same in the format asked for. */
  output: string;
  /** That format. */
  output_format: OutputFormat;
  /** How long it took. */
  duration_seconds: Num;
  /** Pages visited. */
  urls_processed: number;
  /** What failed. */
  errors: ScrapeError[];
  /** What is doubtful about `output`, such as columns that no row has. */
  warnings?: string[];
  /** Plugins in use. */
  enabled_plugins: string[];
  /** Plugins asked for. */
  requested_plugins: string[];
  /** Roles asked for. */
  selected_agents: string[];
  /** Whether what was learned about the sites is kept for the next run, and what was known was used. */
  memory_enabled: boolean;
  /** Names of files the run wrote. */
  sandbox_artifacts: string[];
  /** What a crawl or a batch did. The results of its pages are in its events, not here. */
  crawl?: CrawlSummary;
}

/** How a scrape run ended. */
export type ScrapeStatus = "completed" | "partial" | "failed" | "cancelled";

/** A [`ScrapeStep`] as JSON spells it: `action`, `reward` and `extracted_data` instead of the typed detail. */
export interface ScrapeStep {
  action: string;
  url?: string;
  status: StepStatus;
  message: string;
  reward: Num;
  /** What the step is about; its keys depend on `action`. */
  extracted_data: Record<string, unknown> | null;
  duration_ms?: Num;
  call_id?: string;
}

/** A direction of scrolling. */
export type ScrollDirection = "down" | "up" | "left" | "right";

/** What kind of secret. */
export type SecretKind = "text" | "password" | "totp";

/** All secrets of a caller. */
export interface SecretList {
  /** By name. */
  secrets: SecretSummary[];
}

/** What clients are shown of a secret. */
export interface SecretSummary {
  /** Its name. */
  name: string;
  /** Its kind. */
  kind: SecretKind;
  /** The sites it may be filled on. */
  sites: string[];
  /** When it was first set. */
  created_at: string;
  /** When it was last set. */
  updated_at: string;
}

/** The body of `PUT /v1/vault/{name}`. */
export interface SetSecret {
  /** The value, one line. It is never shown again. */
  value: string;
  /** What kind of value. */
  kind?: SecretKind | null;
  /** The sites it may be filled on, as `host` or `host:port`; at least one. */
  sites: string[];
}

/** The answer of `POST /v1/map`. */
export interface SiteMap {
  /** The start page. */
  url: string;
  /** The addresses. */
  links: MappedAddress[];
  /** Addresses that fit, before the limit; a lower bound when `notes` says that reading ended early. */
  found: number;
  /** Site maps that were read. */
  sitemaps: number;
  /** What could not be read or was left out, and why. */
  notes?: string[];
}

/** `POST /api/sites/match`: which of the known sites a task is about. */
export interface SiteMatchRequest {
  /** The task, which may name a site. */
  instructions?: string | null;
  /** Addresses of pages, or bare domains. */
  assets?: string[] | null;
}

/** What scrapes learned about a site: names of fields and where they stand, never a text or a value of a page. */
export interface SiteMemory {
  /** The site: a registrable domain, or one server, with its port where that is unusual. */
  site: string;
  /** When it was last added to. */
  learned_at: string;
  /** How many pages were read. */
  pages: number;
  /** What the pages were taken for, the latest first. */
  page_types: string[];
  /** Where each field was read last: a path in the page's own data, a selector, or `model`. */
  fields: Record<string, string>;
  /** Fields that were wanted and that the page read last did not have. */
  missing: string[];
}

/** How a step, a call or a page stands. */
export type StepStatus = "running" | "completed" | "failed" | "skipped" | "cancelled";

/** Cookies and local storage of a browser. */
export interface StorageState {
  /** The cookies. */
  cookies?: StoredCookie[] | null;
  /** Local storage by origin. */
  origins?: OriginState[] | null;
}

/** A cookie. */
export interface StoredCookie {
  /** Its name. */
  name: string;
  /** Its value. */
  value: string;
  /** The host it is sent to; with a dot before it, also to the hosts below. */
  domain: string;
  /** The path below which it is sent. */
  path?: string | null;
  /** When it ends, in whole seconds since 1970; -1 where it ends with the session. */
  expires?: number | null;
  /** Whether scripts do not see it. */
  httpOnly?: boolean | null;
  /** Whether it is sent over TLS only. */
  secure?: boolean | null;
  /** Which requests of other sites carry it; the browser's own rule where absent. */
  sameSite?: SameSite | null;
}

/** An element that can be acted on. What stands in fields is not shown. */
export interface TakeoverElement {
  /** Names the element in an act, as long as it is on the page. */
  ref: string;
  /** Its ARIA role. */
  role: string;
  /** Its accessible name, at most 120 characters. */
  name: string;
  /** States such as `checked` or `disabled`. */
  states?: string[];
}

/** A page as a person acts on it. Values that the run holds are shown as `{{key}}`. */
export interface TakeoverPage {
  /** Its address; `about:blank` before the first page. */
  url: string;
  /** Its title. */
  title: string;
  /** The dialog that is open; until it is answered nothing else can be done. */
  dialog?: string;
  /** The elements that can be acted on, in the order of the page; the first 300. */
  elements: TakeoverElement[];
  /** How many more there are. */
  more: number;
}

/** How a takeover stands: the answer of `pause`, `act` and `resume`. */
export interface TakeoverState {
  /** Who has the browser. */
  status: TakeoverStatus;
  /** When the agent goes on by itself, if nobody hands the browser back before; while the run is paused. */
  paused_until?: string;
  /** The page, while the run is paused. */
  page?: TakeoverPage;
}

/** Who has the browser of a run. */
export type TakeoverStatus = "running" | "pausing" | "paused";

/** `POST /v1/tools/{name}/run`. */
export interface ToolRequest {
  /** What the tool is given. */
  parameters?: Record<string, unknown> | null;
  /** The page it works on. */
  url?: string | null;
  /** The page's HTML, when it is not to be fetched; `url` is its address then. */
  html?: string | null;
  /** What earlier steps gave, by name. */
  input?: Record<string, unknown> | null;
  /** How pages are opened. */
  fetch?: FetchOptions | null;
}

/** `PATCH /v1/monitors/{id}`: what is given is changed. */
export interface UpdateMonitor {
  /** What people call the monitor. */
  name?: string | null;
  /** Whether checks rest. */
  paused?: boolean | null;
  /** When it is checked. */
  schedule?: MonitorSchedule | null;
  /** What has to hold so that a change is told; replaces `when`, too. */
  conditions?: Condition[] | null;
  /** What has to hold in words; replaces `conditions`, too. */
  when?: string[] | null;
}

/** `url_complete`. */
export interface UrlComplete {
  /** Which page. */
  url: string;
  /** Its place in the list, from 0. */
  index: number;
  /** How it went: `completed`, `failed`, `skipped` or `cancelled`. */
  status: StepStatus;
  /** How many items it gave. */
  items: number;
  /** Why it failed. */
  error?: ScrapeError;
}

/** `url_start`. */
export interface UrlStart {
  /** Which page. */
  url: string;
  /** Its place in the list, from 0. */
  index: number;
  /** How many pages there are. */
  total: number;
}

/** Size of the view, in CSS pixels. */
export interface Viewport {
  /** Width, 50 to 4096. */
  width: number;
  /** Height, 50 to 4096. */
  height: number;
}

/** What to wait for after a page has loaded; exactly one condition. */
export type WaitFor = WaitForSelector | WaitForText | WaitForMilliseconds | WaitForNetworkIdle;

/** So many milliseconds, at most 120,000. */
export interface WaitForMilliseconds {
  milliseconds: number;
}

/** No request under way for half a second; `true`. */
export interface WaitForNetworkIdle {
  network_idle: true;
}

/** A visible element that this CSS selector matches. */
export interface WaitForSelector {
  selector: string;
}

/** A text that the page shows. */
export interface WaitForText {
  text: string;
}

/** What of a page is watched. */
export type WatchedPart = "text" | "item" | "records";

/** An endpoint, without its secret. */
export interface Webhook {
  /** Its id. */
  id: string;
  /** Where messages are sent; absent when it cannot be read. */
  url?: string;
  /** What is sent. */
  events: string[];
  /** What people call it. */
  description: string;
  /** When it was created. */
  created_at: string;
  /** Why its address cannot be read, and what to do. No messages are sent to such an endpoint. */
  error?: string;
}

/** All endpoints of a caller. */
export interface WebhookList {
  /** By id. */
  webhooks: Webhook[];
}

/** An endpoint whose secret was just made. The secret is never shown again. */
export interface WebhookWithSecret {
  /** Its id. */
  id: string;
  /** Where messages are sent; absent when it cannot be read. */
  url?: string;
  /** What is sent. */
  events: string[];
  /** What people call it. */
  description: string;
  /** When it was created. */
  created_at: string;
  /** Why its address cannot be read, and what to do. No messages are sent to such an endpoint. */
  error?: string;
  /** What messages are signed with: `whsec_` and 32 bytes in base64. */
  secret: string;
  /** Until when messages are signed with the secret before it too. */
  previous_until?: string;
}
