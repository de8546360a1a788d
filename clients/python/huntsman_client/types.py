"""The types of requests and answers. Written by `cargo xtask reference` from docs/openapi.json; not to be edited."""

from __future__ import annotations

from typing import Any, Literal, Required, TypeAlias, TypedDict

# Where an address was found.
AddressSource: TypeAlias = "Literal['start', 'sitemap', 'feed', 'page', 'walk']"


class AutomateRequest(TypedDict, total=False):
    """A task for a browser."""

    # What to do.
    task: Required[str]

    # Where to start; the planner chooses when absent.
    url: str | None

    # Values for forms, fillable by key.
    data: Any

    # Rules in words.
    guardrails: str | None

    # Whether a person may be asked for values.
    interactive: bool | None

    # Most turns of the loop, 1 to 100.
    maxIterations: int | None

    # Most answers that are judged, 1 to 10.
    maxValidationAttempts: int | None

    # Hosts that may be given data.
    trusted_hostnames: list[str] | None

    # Lifts the limits on where data may go.
    unsafe_mode: bool | None

    # Which part of the world pages should be seen from.
    geo_target: GeoTarget | None

    # Secrets of the vault that may be filled, by the key that the model is told. An addition of ours.
    secrets: dict[str, str] | None

    # Which events the run tells, within what the operator allows: `verbose` adds model exchanges, `debug` adds
    # everything. As the server is set when absent. An addition of ours.
    audience: Literal["public", "verbose", "debug", None]

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How pages are opened. An addition of ours.
    fetch: FetchOptions | None


class BatchRequest(TypedDict, total=False):
    """The body of `POST /v1/batch`."""

    # The pages, at most 100,000. Each result has its `index` in this list.
    urls: Required[list[str]]

    # How often a page that failed in a way that may pass is tried again, 0 to 5.
    retries: int | None

    # What to look for, in words; left out to have each page read as it is. In a crawl, links whose texts share
    # words with it are followed first.
    instructions: str | None

    # With `markdown` and `text`, each result has the page's main content beside its item.
    output_format: OutputFormat | None

    # How items are extracted; the server's own setting when absent.
    mode: ExtractionMode | None

    # JSON Schema of an item.
    schema: ItemSchema | None

    # Columns of a row.
    columns: list[str] | None

    # Forms in which each page is given, under `formats` of its result; no pictures. Without `item`, no item is
    # made.
    formats: list[PageFormat] | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How pages are opened, also those that a crawl finds.
    fetch: FetchOptions | None


class BlockChange(TypedDict, total=False):
    """A block of the text that was replaced by another one."""

    # The block before.
    before: Required[str]

    # The block after.
    after: Required[str]

# Which engine opens pages.
BrowserEngine: TypeAlias = "Literal['auto', 'http', 'chromium']"

# Every error that a client can see. Sent in `x-error-code` beside the text, in error events and in results.
# `docs/errors.md` has a paragraph for each.
Code: TypeAlias = "Literal['INVALID_REQUEST', 'INVALID_PLAN', 'URL_BLOCKED', 'UNAUTHORIZED', 'SPENDING_LIMIT', 'FORBIDDEN', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'CONFLICT', 'NOT_FINISHED', 'INPUT_CLOSED', 'EVENTS_EXPIRED', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'QUEUE_FULL', 'SHUTTING_DOWN', 'STORE_UNAVAILABLE', 'INSUFFICIENT_STORAGE', 'INTERNAL', 'DNS_FAILED', 'CONNECT_FAILED', 'TLS_FAILED', 'TOO_MANY_REDIRECTS', 'NAVIGATION_TIMEOUT', 'WAIT_TIMEOUT', 'RESPONSE_TOO_LARGE', 'BAD_ENCODING', 'CONNECTION_LOST', 'INCOMPLETE_BODY', 'BAD_RESPONSE', 'UPSTREAM_ERROR', 'EMPTY_CONTENT', 'UNSUPPORTED_CONTENT', 'JS_REQUIRED', 'ROBOTS_DENIED', 'LOGIN_EXPIRED', 'BROWSER_UNAVAILABLE', 'BROWSER_DISCONNECTED', 'CDP_AUTH', 'STALE_REF', 'NOT_CAPABLE', 'MODEL_NOT_CONFIGURED', 'MODEL_UNAUTHORIZED', 'MODEL_FAILED', 'MODEL_TIMEOUT', 'BAD_TOOL_ARGS', 'UNKNOWN_TOOL', 'TOOL_FAILED', 'SCHEMA_MISMATCH', 'SEARCH_NOT_CONFIGURED', 'SEARCH_FAILED', 'POLICY_DENIED', 'BUDGET_EXCEEDED', 'TIMEOUT', 'TASK_ABORTED', 'MAX_ITERATIONS', 'MAX_ERRORS', 'TASK_FAILED', 'TASK_EXECUTION_FAILED', 'OUTCOME_UNKNOWN', 'POISON_RUN', 'SECRET_UNREADABLE']"

# How much of a page is looked at.
Complexity: TypeAlias = "Literal['low', 'medium', 'high']"


class Condition(TypedDict, total=False):
    """A condition over a field."""

    # The field of the item or of an entry; `text` for the main text.
    field: Required[str]

    # How it is compared.
    operator: Required[ConditionOperator]

    # What it is compared with; not given with `changed`.
    value: float | str | None

# How a field is compared.
ConditionOperator: TypeAlias = "Literal['below', 'above', 'equals', 'contains', 'changed']"

# What has changed between two versions.
ContentChange: TypeAlias = "ContentChangePart"


class ContentChangePart(TypedDict, total=False):
    """The answer to a question."""

    part: Required[Literal["research"]]

    # What it says that the answer before did not, or no longer says, in sentences of a model.
    changes: Required[list[str]]

# Which part of a page.
ContentScope: TypeAlias = "Literal['main', 'full']"


class CrawlRequest(TypedDict, total=False):
    """The body of `POST /v1/crawl`."""

    # Where the crawl starts: an `http` or `https` address. Its host is crawled.
    url: Required[str]

    # Most pages that are fetched, 1 to 1,000,000.
    limit: int | None

    # Most links between the start and a page, 0 to 1,000. Addresses of site maps are one link away.
    depth: int | None

    # Only addresses that match one of these patterns are read; the start page always is. A pattern is matched
    # against path and query, with `*` for any characters; one that begins with `re:` is a regular expression.
    include: list[str] | None

    # Addresses that match one of these are left out.
    exclude: list[str] | None

    # Whether other hosts of the same registrable domain are crawled too.
    subdomains: bool | None

    # Whether the site maps are read.
    sitemap: bool | None

    # Pause between the starts of two requests to one host, in milliseconds, 0 to 600,000. When absent it follows
    # from how fast the host answers. A longer `Crawl-delay` of the site's robots.txt is kept in any case.
    delay_ms: int | None

    # Most megabytes of pages, 1 to 1,000,000.
    max_megabytes: int | None

    # Most seconds, 1 to 86,400. The server's own limit for a run holds beside it.
    max_seconds: int | None

    # What to look for, in words; left out to have each page read as it is. In a crawl, links whose texts share
    # words with it are followed first.
    instructions: str | None

    # With `markdown` and `text`, each result has the page's main content beside its item.
    output_format: OutputFormat | None

    # How items are extracted; the server's own setting when absent.
    mode: ExtractionMode | None

    # JSON Schema of an item.
    schema: ItemSchema | None

    # Columns of a row.
    columns: list[str] | None

    # Forms in which each page is given, under `formats` of its result; no pictures. Without `item`, no item is
    # made.
    formats: list[PageFormat] | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How pages are opened, also those that a crawl finds.
    fetch: FetchOptions | None


class CrawlSummary(TypedDict, total=False):
    """What a crawl or a batch has done, over all workers that had it."""

    # Addresses that were fetched, with whatever outcome.
    fetched: Required[int]

    # Pages that gave a result.
    read: Required[int]

    # Pages that gave none.
    failed: Required[int]

    # Pages left out because they were read under another address.
    duplicates: Required[int]

    # Pages that were read although another one is nearly the same.
    similar: Required[int]

    # Addresses that led outside of the crawl.
    outside: Required[int]

    # Addresses that robots.txt forbids.
    forbidden: Required[int]

    # Addresses known in all.
    known: Required[int]

    # Bytes of the pages.
    bytes: Required[int]

    # Milliseconds of work.
    milliseconds: Required[int]

    # What ended a crawl that was not done: `pages`, `bytes` or `time`.
    stopped_by: str

    # What a reader of the result should know: addresses that were left out and why, site maps that could not be
    # read.
    notes: list[str]


class CreateMonitor(TypedDict, total=False):
    """`POST /v1/monitors`. One of `url`, `map`, `scrape` and `research` says what is watched."""

    # A page.
    url: str | None

    # The addresses of a site: a body of `POST /v1/map`, with a `limit` of at most 5,000.
    map: dict[str, Any] | None

    # What a scrape gives: a body of `POST /api/scrape`. Each check is a run.
    scrape: dict[str, Any] | None

    # The answer to a question: a body of `POST /v1/research`. Each check is a run, and a model says what has
    # changed.
    research: dict[str, Any] | None

    # What people call the monitor.
    name: str | None

    # What of the page is watched, for `url`.
    part: WatchedPart | None

    # The field that tells entries of a list apart, for `records` and `scrape`; the first of `url`, `name` and
    # `title` that they have when absent.
    key: str | None

    # When it is checked.
    schedule: Required[MonitorSchedule]

    # What has to hold so that a change is told to webhooks: all of it, in the item, in the text, or in one entry
    # that is new or has changed. Every change when absent.
    conditions: list[Condition] | None

    # What has to hold in words, besides. What a rule reads for certain, such as "price below 100", becomes one of
    # `conditions`; the rest is judged by a model.
    when: list[str] | None

    # How many versions are kept, 1 to 100; 20 when absent.
    keep: int | None


class CreateProfile(TypedDict, total=False):
    """The body of `POST /v1/profiles`."""

    # Its name: 1 to 64 letters, digits, `.`, `_` or `-`.
    name: Required[str]

    # Anything that people should know of it.
    note: str | None

    # The sites it is for, as `host`; state of other sites is neither imported nor written back. Every site when
    # empty.
    sites: list[str] | None

    # What it begins with, in Playwright's storage-state format; nothing when absent.
    storage_state: StorageState | None


class CreateWebhook(TypedDict, total=False):
    """`POST /v1/webhooks`."""

    # Where messages are sent, by POST.
    url: Required[str]

    # What is sent: `run.completed`, `run.failed`, `run.cancelled`, `monitor.changed`, `monitor.failed`, or names
    # of events of runs, such as `interactive:form_data:request`. The first five when absent.
    events: list[str] | None

    # What people call the endpoint.
    description: str | None


class Delivery(TypedDict, total=False):
    """A message to an endpoint, as it stands."""

    # The id of the message, which stands in `webhook-id`; the same in every try.
    id: Required[str]

    # The type of the message; absent until it is known how the run ended.
    event: str

    # The run that the message is about.
    run: str

    # How it stands.
    state: Required[DeliveryState]

    # When it came up.
    created_at: Required[str]

    # When it is tried next.
    next_attempt_at: str

    # The last tries, the oldest first.
    attempts: Required[list[DeliveryAttempt]]


class DeliveryAttempt(TypedDict, total=False):
    """One try of a delivery."""

    # When it began.
    at: Required[str]

    # The status of the answer, where there was one.
    status: int

    # Why the receiver has not taken the message.
    error: str

    # How long it took, in milliseconds.
    millis: Required[int]


class DeliveryList(TypedDict, total=False):
    """Deliveries of an endpoint, the newest first."""

    # The deliveries.
    deliveries: Required[list[Delivery]]

# How a delivery stands.
DeliveryState: TypeAlias = "Literal['pending', 'delivered', 'dead']"


class Error(TypedDict, total=False):

    error: Required[str]


class ErrorBody(TypedDict, total=False):
    """An error in a result: its code and a text."""

    # Which.
    code: Required[Code]

    # In words; ready for people.
    message: Required[str]


class ExtractJsonRequest(TypedDict, total=False):
    """`POST /v1/extract/json`."""

    # The page.
    url: Required[str]

    # In which shape.
    json_schema: Required[ItemSchema]

    # How hard to try.
    effort: FetchEffort | None

    # Whether to fetch again.
    nocache: bool | None

    # Where to see it from.
    geo_target: GeoTarget | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How the page is opened. An addition of ours.
    fetch: FetchOptions | None

# How items are extracted. Underscores are accepted on input.
ExtractionMode: TypeAlias = "Literal['rule-based', 'llm-fixed', 'llm-dynamic', 'llm-dynamic-adaptive']"

# How hard to try for a page.
FetchEffort: TypeAlias = "Literal['min', 'standard', 'max']"


class FetchOptions(TypedDict, total=False):
    """How pages are opened. What is left out is as the server has it; what the chosen engine cannot do is refused."""

    # Which engine opens pages, among those that the operator allows. `wait_for`, `viewport` and `timezone` need
    # `chromium`, and choose it when no engine is named.
    engine: BrowserEngine | None

    # What to wait for after a page has loaded; exactly one condition.
    wait_for: WaitFor | None

    # The longest time for one page, in seconds, waiting for `wait_for` included; 1 to 600.
    timeout: int | None

    # Size of the view.
    viewport: Viewport | None

    # Language that pages are asked for, as a language tag such as `de` or `pt-BR`.
    locale: str | None

    # Time zone of the browser, by its name in the IANA database, such as `Europe/Oslo`.
    timezone: str | None

    # The `User-Agent` that pages are asked with.
    user_agent: str | None

    # Headers for requests to the named sites, by site and name: `{"https://shop.example": {"X-Key": "..."}}`.
    # They go to no other site, not even by a redirect.
    headers: dict[str, dict[str, str | None] | None] | None

    # Cookies of the named sites, by site and name: `{"https://shop.example": {"session": "..."}}`.
    cookies: dict[str, dict[str, str | None] | None] | None

    # Whether servers are asked again for what is at hand.
    nocache: bool | None

    # Whether robots.txt is obeyed. When absent, by pages that a run finds by itself and not by those that it is
    # given.
    robots: RobotsRule | None

    # Country that pages are seen from, among those that the operator has exits in.
    geo_target: GeoTarget | None


class FieldChange(TypedDict, total=False):
    """Values before and after. One that was not there is absent."""

    # The field.
    field: Required[str]

    # The value before.
    before: Any

    # The value after.
    after: Any


class GenerateJsonRequest(TypedDict, total=False):
    """`POST /v1/generate/json`."""

    # The page.
    url: Required[str]

    # What to make of it.
    instructions: Required[str]

    # In which shape.
    json_schema: Required[ItemSchema]

    # How hard to try.
    effort: FetchEffort | None

    # Whether to fetch again.
    nocache: bool | None

    # Where to see it from.
    geo_target: GeoTarget | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How the page is opened. An addition of ours.
    fetch: FetchOptions | None


class GeoTarget(TypedDict, total=False):
    """Which part of the world a page should be seen from."""

    # ISO 3166-1 alpha-2.
    country: str | None

InnerItemSchema: TypeAlias = "dict[str, Any] | bool"

# A JSON Schema (draft 2020-12). References stay within it: they begin with `#`.
ItemSchema: TypeAlias = "dict[str, Any] | bool"


class LocalItem(TypedDict, total=False):
    """An item of local storage."""

    # Its key.
    name: Required[str]

    # Its value.
    value: Required[str]


class MapRequest(TypedDict, total=False):
    """The body of `POST /v1/map`."""

    # A page of the site.
    url: Required[str]

    # Most addresses that are given, 1 to 100,000.
    limit: int | None

    # Most links that are followed from the start page, 0 to 5. With 0 only its own links are listed; with more,
    # up to 200 pages are read.
    depth: int | None

    # Only addresses that match one of these patterns, as in a crawl.
    include: list[str] | None

    # Addresses that match one of these are left out.
    exclude: list[str] | None

    # Words to look for in addresses and titles; those with the most come first, those without any are left out.
    search: str | None

    # Whether addresses of other hosts of the same registrable domain are given.
    subdomains: bool | None


class MappedAddress(TypedDict, total=False):
    """An address of a site."""

    # The address.
    url: Required[str]

    # Where it was found, the first place first.
    sources: Required[list[AddressSource]]

    # The site map, feed or page where it was found first.
    found_in: str

    # When it was last changed, as the site says: a day or a time in ISO 8601.
    last_modified: str

    # Its title, or the text of the link.
    title: str


class MarkdownRequest(TypedDict, total=False):
    """`POST /v1/extract/markdown`."""

    # The page.
    url: Required[str]

    # Which part of it.
    content: ContentScope | None

    # How hard to try.
    effort: FetchEffort | None

    # Whether metadata come apart from the text; otherwise they stand at its head.
    metadata: bool | None

    # Whether to fetch again.
    nocache: bool | None

    # Where to see it from.
    geo_target: GeoTarget | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How the page is opened. An addition of ours.
    fetch: FetchOptions | None


class MarkdownResponse(TypedDict, total=False):
    """The answer of `/v1/extract/markdown`."""

    # Markdown; begins with the metadata as YAML unless they were asked for apart.
    content: Required[str]

    # Where the page was found, after redirects.
    url: Required[str]

    # What the page says about itself.
    metadata: PageMetadata


class MemoryList(TypedDict, total=False):
    """What is kept of all sites."""

    # By site.
    sites: Required[list[SiteMemory]]


class Monitor(TypedDict, total=False):
    """A monitor as it stands."""

    # Its id.
    id: Required[str]

    # A page.
    url: str

    # The addresses of a site: a body of `POST /v1/map`, with a `limit` of at most 5,000.
    map: dict[str, Any]

    # What a scrape gives: a body of `POST /api/scrape`. Each check is a run.
    scrape: dict[str, Any]

    # The answer to a question: a body of `POST /v1/research`. Each check is a run, and a model says what has
    # changed.
    research: dict[str, Any]

    # What people call the monitor.
    name: Required[str]

    # What of the page is watched, for `url`.
    part: Required[WatchedPart]

    # The field that tells entries of a list apart, for `records` and `scrape`; the first of `url`, `name` and
    # `title` that they have when absent.
    key: str

    # When it is checked.
    schedule: Required[MonitorMonitorSchedule]

    # What has to hold so that a change is told to webhooks: all of it, in the item, in the text, or in one entry
    # that is new or has changed. Every change when absent.
    conditions: Required[list[MonitorCondition]]

    # What has to hold in words, besides. What a rule reads for certain, such as "price below 100", becomes one of
    # `conditions`; the rest is judged by a model.
    when: list[str]

    # How many versions are kept, 1 to 100; 20 when absent.
    keep: Required[int | None]

    # Whether checks rest.
    paused: Required[bool]

    # When it was created.
    created_at: Required[str]

    # When it is checked next; absent while it is paused.
    next_check_at: str

    # When it was checked last.
    checked_at: str

    # How many checks there were.
    checks: Required[int]

    # The number of the newest version; 0 before the first check.
    version: Required[int]

    # Why the last check gave nothing.
    error: str


class MonitorCondition(TypedDict, total=False):
    """A condition over a field."""

    # The field of the item or of an entry; `text` for the main text.
    field: Required[str]

    # How it is compared.
    operator: Required[ConditionOperator]

    # What it is compared with; not given with `changed`.
    value: float | str


class MonitorHistory(TypedDict, total=False):
    """Versions of what is watched, the newest first."""

    # The versions.
    versions: Required[list[MonitorVersion]]


class MonitorList(TypedDict, total=False):
    """All monitors of a caller."""

    # By id.
    monitors: Required[list[Monitor]]


class MonitorMonitorSchedule(TypedDict, total=False):
    """When a page is checked: by a cron expression, or every so many seconds."""

    # Five fields: minute, hour, day of the month, month, day of the week.
    cron: str

    # The time zone of the cron expression, by its name in the IANA database; UTC when absent.
    timezone: str

    # Seconds between checks, 10 to 2678400.
    every: int

    # Most seconds by which a check is later at random, so that sites are not asked by clockwork; at most half of
    # `every`.
    jitter: int


class MonitorSchedule(TypedDict, total=False):
    """When a page is checked: by a cron expression, or every so many seconds."""

    # Five fields: minute, hour, day of the month, month, day of the week.
    cron: str | None

    # The time zone of the cron expression, by its name in the IANA database; UTC when absent.
    timezone: str | None

    # Seconds between checks, 10 to 2678400.
    every: int | None

    # Most seconds by which a check is later at random, so that sites are not asked by clockwork; at most half of
    # `every`.
    jitter: int | None


class MonitorVersion(TypedDict, total=False):
    """A version of what is watched."""

    # Its number, from 1.
    version: Required[int]

    # When it was seen first.
    at: Required[str]

    # What has changed since the version before; absent in the first one.
    change: ContentChange

    # Whether the conditions hold.
    matched: Required[bool]

    # Whether the content was cut because it is too long.
    truncated: bool

# A finite number. `Num::new(3.0)` is written `3`, as JavaScript would; NaN and infinity cannot be held,
# because one of them in a stream ends it for every JavaScript client.
Num: TypeAlias = "float"


class OriginState(TypedDict, total=False):
    """The local storage of one origin."""

    # Scheme, host and port.
    origin: Required[str]

    # The items.
    localStorage: list[LocalItem] | None

# In which format `output` is written.
OutputFormat: TypeAlias = "Literal['json', 'csv', 'markdown', 'text']"

# A form in which a page's content is given.
PageFormat: TypeAlias = "Literal['item', 'markdown', 'text', 'html', 'links', 'screenshot', 'tables', 'records']"


class PageMetadata(TypedDict, total=False):
    """What a page or document says about itself."""

    author: str

    created_at: str

    creator: str

    description: str

    favicon: str

    image: str

    keywords: list[str]

    modified_at: str

    page_count: int

    pdf_version: str

    producer: str

    publisher: str

    site_name: str

    subject: str

    title: str

    type: str

    url: str

# An act of a person in the browser of a paused run: the body of `POST /v1/runs/{id}/act`.
PersonAct: TypeAlias = "PersonActAction"


class PersonActAction(TypedDict, total=False):
    """Does nothing to the page, and shows it."""

    action: Required[Literal["look"]]

# Who plans the calls of tools for a page.
PlanAuthor: TypeAlias = "Literal['model', 'triggers']"


class PlanRequest(TypedDict, total=False):
    """A plan and the page it starts on."""

    # The plan, in the DSL, or its list of steps.
    plan: Required[dict[str, Any] | list[Any]]

    # Where it starts.
    url: str | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How pages are opened.
    fetch: FetchOptions | None


class ProfileList(TypedDict, total=False):
    """All profiles of a caller."""

    # By name.
    profiles: Required[list[ProfileSummary]]


class ProfileSummary(TypedDict, total=False):
    """What clients are shown of a profile: never a value of a cookie or of the storage."""

    # Its name.
    name: Required[str]

    # What people should know of it.
    note: Required[str]

    # The sites it is for; every site when empty.
    sites: Required[list[str]]

    # The hosts that it holds cookies or local storage of.
    hosts: Required[list[str]]

    # How many cookies it holds.
    cookies: Required[int]

    # How many items of local storage it holds.
    local_storage: Required[int]

    # Grows with every write.
    generation: Required[int]

    # When it was created.
    created_at: Required[str]

    # When it was last written.
    updated_at: Required[str]

    # Parts of an imported state that were left out, by their place in it.
    left_out: list[str]


class RecordChange(TypedDict, total=False):
    """An entry of a list whose fields have changed."""

    # Its key.
    key: Required[str]

    # What has changed.
    fields: Required[list[FieldChange]]

# How thoroughly to research.
ResearchMode: TypeAlias = "Literal['fast', 'balanced', 'deep', 'max', 'ultra']"


class ResearchRequest(TypedDict, total=False):
    """A question to be answered with a report."""

    # The question.
    query: Required[str]

    # How thoroughly.
    mode: ResearchMode | None

    # Longest time for one page, in seconds.
    fetch_timeout: int | None

    # Whether pages are fetched again even when they are at hand.
    nocache: bool | None

    # Pages to read first, besides those the question names. An addition of ours.
    sources: list[str] | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # How pages are opened. An addition of ours.
    fetch: FetchOptions | None


class ResumeRequest(TypedDict, total=False):
    """The body of `POST /v1/runs/{id}/resume`."""

    # What the person did and what the agent has to know, in words. It is kept in the log, and the model reads it
    # as data.
    note: str | None

# Whether pages obey their site's robots.txt.
RobotsRule: TypeAlias = "Literal['obey', 'ignore']"


class RotateRequest(TypedDict, total=False):
    """`POST /v1/admin/keys/{id}/rotate`."""

    # Hours for which the old key still works; 24 when absent.
    grace_hours: Required[int]


class RunDetail(TypedDict, total=False):
    """One run, with what was asked and what came of it."""

    # Its id.
    id: Required[RunId]

    # Its kind.
    kind: Required[RunKind]

    # How it stands.
    status: Required[RunStatus]

    # When it was asked for.
    created_at: Required[str]

    # When it ended.
    finished_at: str

    # Place of the last event in its log; 0 when it is empty.
    last_seq: Required[int]

    # What was asked.
    request: Required[Any]

    # What came of it.
    result: Any

    # Why it failed.
    error: ErrorBody

    # What it cost.
    usage: Required[RunUsage]

# Names a run. Scrape clients know it as `session_id` and may choose it.
RunId: TypeAlias = "str"

# What kind of run.
RunKind: TypeAlias = "Literal['scrape', 'automate', 'research', 'plan', 'crawl', 'batch']"


class RunList(TypedDict, total=False):
    """A page of a list, newest first."""

    # The runs.
    runs: Required[list[RunSummary]]

    # Where the next page begins; absent on the last one.
    next: str

# How a run stands.
RunStatus: TypeAlias = "Literal['queued', 'running', 'completed', 'failed', 'cancelled']"


class RunSummary(TypedDict, total=False):
    """A run in a list."""

    # Its id.
    id: Required[RunId]

    # Its kind.
    kind: Required[RunKind]

    # How it stands.
    status: Required[RunStatus]

    # When it was asked for.
    created_at: Required[str]

    # When it ended.
    finished_at: str

    # Place of the last event in its log; 0 when it is empty.
    last_seq: Required[int]


class RunUsage(TypedDict, total=False):
    """What a run cost."""

    # Model calls.
    model_calls: Required[int]

    # Tokens sent to models.
    input_tokens: Required[int]

    # Tokens received from models.
    output_tokens: Required[int]

    # Pages opened.
    pages: Required[int]

    # Tools run.
    tool_calls: Required[int]

    # Bytes fetched.
    bytes: Required[int]

    # Millionths of a US dollar that models cost by the price table; 0 where they have no price.
    micro_dollars: Required[int]

# Which requests of other sites carry a cookie (`SameSite`).
SameSite: TypeAlias = "Literal['Strict', 'Lax', 'None']"


class ScrapeError(TypedDict, total=False):
    """What failed, for machines and for people."""

    # Which error.
    code: Required[Code]

    # In words.
    message: Required[str]

    # On which page.
    url: str

    # Whether the same request may work later.
    retryable: Required[bool]

# An event of a scrape run.
ScrapeEvent: TypeAlias = "ScrapeInit | UrlStart | ScrapeEventStep | UrlComplete | ScrapeEventComplete | ScrapeEventError"


class ScrapeEventComplete(TypedDict, total=False):
    """The result; nothing follows."""

    type: Required[Literal["complete"]]

    # The result.
    data: Required[ScrapeResponse]


class ScrapeEventError(TypedDict, total=False):
    """Something failed; the run goes on unless `complete` says otherwise."""

    type: Required[Literal["error"]]

    # What.
    data: Required[ScrapeError]


class ScrapeEventErrorData(TypedDict, total=False):

    timestamp: Required[str]


class ScrapeEventStep(TypedDict, total=False):
    """Progress."""

    type: Required[Literal["step"]]

    # What is being done.
    data: Required[ScrapeStep]


class ScrapeEventStepData(TypedDict, total=False):

    step_number: Required[int]

    timestamp: Required[str]


class ScrapeInit(TypedDict, total=False):
    """`init`."""

    # The run's id.
    session_id: Required[RunId]


class ScrapeRequest(TypedDict, total=False):
    """The body of `POST /api/scrape/stream` and `POST /api/scrape`."""

    # Addresses, bare domains or search terms.
    assets: Required[list[str]]

    # The task in words; left out to have each page read as it is.
    instructions: str | None

    # How the result should look; may name columns.
    output_instructions: str | None

    # Format of `output`.
    output_format: OutputFormat | None

    # What else is told of each page, under `page` of its result; nothing when absent.
    complexity: Complexity | None

    # The run's id, when the client wants to choose it.
    session_id: RunId | None

    # The model to use, where the operator lets clients choose.
    model: str | None

    # Its provider.
    provider: str | None

    # Plugins to use.
    enable_plugins: list[str] | None

    # Roles to use; the tools of those left out are not used. All when there is none.
    selected_agents: list[str] | None

    # Most steps per page.
    max_steps: int | None

    # How items are extracted; the server's own setting when absent. An addition of ours.
    mode: ExtractionMode | None

    # Who plans the calls of tools: `model` also where a mode is named, `triggers` without any model. When absent,
    # the model, unless there is none, a mode is named, or `selected_agents` leaves the planner out. An addition
    # of ours.
    planner: PlanAuthor | None

    # JSON Schema of an item. An addition of ours.
    schema: ItemSchema | None

    # Columns of a row. An addition of ours.
    columns: list[str] | None

    # Whether a picture of each page is kept; its path in the data folder becomes the item's `screenshot_path`.
    # Needs a browser. An addition of ours.
    screenshot: bool | None

    # The profile that the pages are opened with: its cookies and its local storage.
    profile: str | None

    # Whether what the pages changed is written back to the profile when the work ends.
    profile_save: bool | None

    # Forms in which each page is given, under `formats` of its result. Without `item`, no item is made. An
    # addition of ours.
    formats: list[PageFormat] | None

    # Whether what the run learns about its sites is kept for your next run on them, and what is known is used.
    # Off when absent.
    enable_memory: bool | None

    # How pages are opened. An addition of ours.
    fetch: FetchOptions | None


class ScrapeResponse(TypedDict, total=False):
    """The result of a scrape run."""

    # The run's id.
    session_id: Required[RunId]

    # How it ended.
    status: Required[ScrapeStatus]

    # Steps emitted.
    total_steps: Required[int]

    # Sum of their rewards.
    total_reward: Required[Num]

    # What was found, by page.
    extracted_data: Required[dict[str, Any]]

    # The same in the format asked for.
    output: Required[str]

    # That format.
    output_format: Required[OutputFormat]

    # How long it took.
    duration_seconds: Required[Num]

    # Pages visited.
    urls_processed: Required[int]

    # What failed.
    errors: Required[list[ScrapeError]]

    # What is doubtful about `output`, such as columns that no row has.
    warnings: list[str]

    # Plugins in use.
    enabled_plugins: Required[list[str]]

    # Plugins asked for.
    requested_plugins: Required[list[str]]

    # Roles asked for.
    selected_agents: Required[list[str]]

    # Whether what was learned about the sites is kept for the next run, and what was known was used.
    memory_enabled: Required[bool]

    # Names of files the run wrote.
    sandbox_artifacts: Required[list[str]]

    # What a crawl or a batch did. The results of its pages are in its events, not here.
    crawl: CrawlSummary

# How a scrape run ended.
ScrapeStatus: TypeAlias = "Literal['completed', 'partial', 'failed', 'cancelled']"


class ScrapeStep(TypedDict, total=False):
    """A [`ScrapeStep`] as JSON spells it: `action`, `reward` and `extracted_data` instead of the typed detail."""

    action: Required[str]

    url: str

    status: Required[StepStatus]

    message: Required[str]

    reward: Required[Num]

    # What the step is about; its keys depend on `action`.
    extracted_data: Required[dict[str, Any] | None]

    duration_ms: Num

    call_id: str

# A direction of scrolling.
ScrollDirection: TypeAlias = "Literal['down', 'up', 'left', 'right']"

# What kind of secret.
SecretKind: TypeAlias = "Literal['text', 'password', 'totp']"


class SecretList(TypedDict, total=False):
    """All secrets of a caller."""

    # By name.
    secrets: Required[list[SecretSummary]]


class SecretSummary(TypedDict, total=False):
    """What clients are shown of a secret."""

    # Its name.
    name: Required[str]

    # Its kind.
    kind: Required[SecretKind]

    # The sites it may be filled on.
    sites: Required[list[str]]

    # When it was first set.
    created_at: Required[str]

    # When it was last set.
    updated_at: Required[str]


class SetSecret(TypedDict, total=False):
    """The body of `PUT /v1/vault/{name}`."""

    # The value, one line. It is never shown again.
    value: Required[str]

    # What kind of value.
    kind: SecretKind | None

    # The sites it may be filled on, as `host` or `host:port`; at least one.
    sites: Required[list[str]]


class SiteMap(TypedDict, total=False):
    """The answer of `POST /v1/map`."""

    # The start page.
    url: Required[str]

    # The addresses.
    links: Required[list[MappedAddress]]

    # Addresses that fit, before the limit; a lower bound when `notes` says that reading ended early.
    found: Required[int]

    # Site maps that were read.
    sitemaps: Required[int]

    # What could not be read or was left out, and why.
    notes: list[str]


class SiteMatchRequest(TypedDict, total=False):
    """`POST /api/sites/match`: which of the known sites a task is about."""

    # The task, which may name a site.
    instructions: str | None

    # Addresses of pages, or bare domains.
    assets: list[str] | None


class SiteMemory(TypedDict, total=False):
    """What scrapes learned about a site: names of fields and where they stand, never a text or a value of a page."""

    # The site: a registrable domain, or one server, with its port where that is unusual.
    site: Required[str]

    # When it was last added to.
    learned_at: Required[str]

    # How many pages were read.
    pages: Required[int]

    # What the pages were taken for, the latest first.
    page_types: Required[list[str]]

    # Where each field was read last: a path in the page's own data, a selector, or `model`.
    fields: Required[dict[str, str]]

    # Fields that were wanted and that the page read last did not have.
    missing: Required[list[str]]

# How a step, a call or a page stands.
StepStatus: TypeAlias = "Literal['running', 'completed', 'failed', 'skipped', 'cancelled']"


class StorageState(TypedDict, total=False):
    """Cookies and local storage of a browser."""

    # The cookies.
    cookies: list[StoredCookie] | None

    # Local storage by origin.
    origins: list[OriginState] | None


class StoredCookie(TypedDict, total=False):
    """A cookie."""

    # Its name.
    name: Required[str]

    # Its value.
    value: Required[str]

    # The host it is sent to; with a dot before it, also to the hosts below.
    domain: Required[str]

    # The path below which it is sent.
    path: str | None

    # When it ends, in whole seconds since 1970; -1 where it ends with the session.
    expires: float | None

    # Whether scripts do not see it.
    httpOnly: bool | None

    # Whether it is sent over TLS only.
    secure: bool | None

    # Which requests of other sites carry it; the browser's own rule where absent.
    sameSite: SameSite | None


class TakeoverElement(TypedDict, total=False):
    """An element that can be acted on. What stands in fields is not shown."""

    # Names the element in an act, as long as it is on the page.
    ref: Required[str]

    # Its ARIA role.
    role: Required[str]

    # Its accessible name, at most 120 characters.
    name: Required[str]

    # States such as `checked` or `disabled`.
    states: list[str]


class TakeoverPage(TypedDict, total=False):
    """A page as a person acts on it. Values that the run holds are shown as `{{key}}`."""

    # Its address; `about:blank` before the first page.
    url: Required[str]

    # Its title.
    title: Required[str]

    # The dialog that is open; until it is answered nothing else can be done.
    dialog: str

    # The elements that can be acted on, in the order of the page; the first 300.
    elements: Required[list[TakeoverElement]]

    # How many more there are.
    more: Required[int]


class TakeoverState(TypedDict, total=False):
    """How a takeover stands: the answer of `pause`, `act` and `resume`."""

    # Who has the browser.
    status: Required[TakeoverStatus]

    # When the agent goes on by itself, if nobody hands the browser back before; while the run is paused.
    paused_until: str

    # The page, while the run is paused.
    page: TakeoverPage

# Who has the browser of a run.
TakeoverStatus: TypeAlias = "Literal['running', 'pausing', 'paused']"


class ToolRequest(TypedDict, total=False):
    """`POST /v1/tools/{name}/run`."""

    # What the tool is given.
    parameters: dict[str, Any] | None

    # The page it works on.
    url: str | None

    # The page's HTML, when it is not to be fetched; `url` is its address then.
    html: str | None

    # What earlier steps gave, by name.
    input: dict[str, Any] | None

    # How pages are opened.
    fetch: FetchOptions | None


class UpdateMonitor(TypedDict, total=False):
    """`PATCH /v1/monitors/{id}`: what is given is changed."""

    # What people call the monitor.
    name: str | None

    # Whether checks rest.
    paused: bool | None

    # When it is checked.
    schedule: MonitorSchedule | None

    # What has to hold so that a change is told; replaces `when`, too.
    conditions: list[Condition] | None

    # What has to hold in words; replaces `conditions`, too.
    when: list[str] | None


class UrlComplete(TypedDict, total=False):
    """`url_complete`."""

    # Which page.
    url: Required[str]

    # Its place in the list, from 0.
    index: Required[int]

    # How it went: `completed`, `failed`, `skipped` or `cancelled`.
    status: Required[StepStatus]

    # How many items it gave.
    items: Required[int]

    # Why it failed.
    error: ScrapeError


class UrlStart(TypedDict, total=False):
    """`url_start`."""

    # Which page.
    url: Required[str]

    # Its place in the list, from 0.
    index: Required[int]

    # How many pages there are.
    total: Required[int]


class Viewport(TypedDict, total=False):
    """Size of the view, in CSS pixels."""

    # Width, 50 to 4096.
    width: Required[int]

    # Height, 50 to 4096.
    height: Required[int]

# What to wait for after a page has loaded; exactly one condition.
WaitFor: TypeAlias = "WaitForSelector | WaitForText | WaitForMilliseconds | WaitForNetworkIdle"


class WaitForMilliseconds(TypedDict, total=False):
    """So many milliseconds, at most 120,000."""

    milliseconds: Required[int]


class WaitForNetworkIdle(TypedDict, total=False):
    """No request under way for half a second; `true`."""

    network_idle: Required[Literal[True]]


class WaitForSelector(TypedDict, total=False):
    """A visible element that this CSS selector matches."""

    selector: Required[str]


class WaitForText(TypedDict, total=False):
    """A text that the page shows."""

    text: Required[str]

# What of a page is watched.
WatchedPart: TypeAlias = "Literal['text', 'item', 'records']"


class Webhook(TypedDict, total=False):
    """An endpoint, without its secret."""

    # Its id.
    id: Required[str]

    # Where messages are sent; absent when it cannot be read.
    url: str

    # What is sent.
    events: Required[list[str]]

    # What people call it.
    description: Required[str]

    # When it was created.
    created_at: Required[str]

    # Why its address cannot be read, and what to do. No messages are sent to such an endpoint.
    error: str


class WebhookList(TypedDict, total=False):
    """All endpoints of a caller."""

    # By id.
    webhooks: Required[list[Webhook]]


class WebhookWithSecret(TypedDict, total=False):
    """An endpoint whose secret was just made. The secret is never shown again."""

    # Its id.
    id: Required[str]

    # Where messages are sent; absent when it cannot be read.
    url: str

    # What is sent.
    events: Required[list[str]]

    # What people call it.
    description: Required[str]

    # When it was created.
    created_at: Required[str]

    # Why its address cannot be read, and what to do. No messages are sent to such an endpoint.
    error: str

    # What messages are signed with: `whsec_` and 32 bytes in base64.
    secret: Required[str]

    # Until when messages are signed with the secret before it too.
    previous_until: str
