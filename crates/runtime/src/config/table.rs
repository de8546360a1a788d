//! The table of settings. Flags, variables, keys of `huntsman.toml`, `--help` and `docs/config.md` come from its rows.

use std::net::SocketAddr;
use std::path::PathBuf;

use url::Url;
use wire::scrape::ExtractionMode;
use wire::{Audience, BrowserEngine};

use super::error::Error;
use super::origin::Origins;
use super::secret::Secret;
use super::setting::{Setting, SettingValue};
use super::store_engine::StoreEngine;
use super::value::{CountryProxy, PositiveNumber, Switch};

const SERVER: &str = "Server";
const RUNS: &str = "Runs";
const PAGES: &str = "Pages";
const TOOLS: &str = "Tools";
const MODELS: &str = "Models";
const BROWSERS: &str = "Browsers";
const SEARCH: &str = "Search";
const RESEARCH: &str = "Research";

/// The command that serves.
const SERVING: &[&str] = &["serve"];
/// Commands that automate.
const AUTOMATING: &[&str] = &["automate", "serve", "worker"];
/// Commands that research.
const RESEARCHING: &[&str] = &["research", "serve", "worker"];
/// Commands that start runs or tools.
const ACTING: &[&str] = &[
    "scrape", "automate", "research", "tools", "plan", "serve", "worker",
];
/// Commands that ask models.
const ASKING: &[&str] = &[
    "scrape", "automate", "research", "tools", "plan", "llm", "serve", "worker", "doctor",
];
/// Commands that open pages in an engine.
const OPENING: &[&str] = &[
    "scrape", "automate", "research", "tools", "plan", "serve", "worker", "doctor",
];
/// Commands that use the network.
const CONNECTING: &[&str] = &[
    "scrape", "automate", "research", "tools", "plan", "index", "llm", "serve", "worker", "doctor",
];
/// Commands that use the data folder.
const STORING: &[&str] = &[
    "scrape", "automate", "research", "tools", "plan", "index", "runs", "serve", "worker", "doctor",
    "tenant", "key", "usage", "audit",
];

/// Commands that use the store of runs.
const KEEPING: &[&str] = &[
    "scrape", "automate", "research", "plan", "runs", "serve", "worker", "cluster", "doctor", "tenant",
    "key", "usage", "audit",
];

/// Declares the settings: one field of [`Config`] and one row of [`SETTINGS`] each. A section names the commands that its
/// settings concern unless their row says otherwise.
macro_rules! settings {
    ($($section:ident for $commands:ident {
        $($(#[doc = $help:literal])+ $name:ident: $type:ty { $($field:ident: $value:expr),* $(,)? })+
    })+) => {
        /// Every setting, in the order of the documentation.
        pub static SETTINGS: &[Setting] = &[$($(
            Setting {
                $($field: $value,)*
                ..Setting::new::<$type>(stringify!($name), concat!($($help),+)).of($section, $commands)
            },
        )+)+];

        /// What the operator has set, and the defaults of what was left alone.
        #[derive(Debug, Clone)]
        pub struct Config {
            $($($(#[doc = $help])+ pub $name: $type,)+)+
            /// Where each value comes from.
            pub origins: Origins,
        }

        impl Config {
            /// Reads each value as the type of its setting.
            pub(super) fn from_origins(origins: Origins) -> Result<Self, Error> {
                let mut settings = SETTINGS.iter();
                Ok(Self {
                    $($($name: {
                        // The fields and the rows come from the same lines, in the same order.
                        let setting = settings.next().ok_or(Error::Incomplete)?;
                        let texts = origins.texts(setting);
                        <$type as SettingValue>::read(&texts, setting).map_err(|text| Error::wrong_type(setting, &origins, &text))?
                    },)+)+
                    origins,
                })
            }
        }
    };
}

settings! {
    SERVER for SERVING {
        /// Address the server listens on. An address that others can reach is refused without API keys.
        listen: SocketAddr { default: Some("127.0.0.1:8787"), value_name: "ADDRESS" }

        /// Keys that clients of the server may present as bearer. On loopback none is needed.
        api_keys: Vec<Secret> { value_name: "KEY" }

        /// Address of an OAuth issuer whose access tokens open `/mcp` beside API keys. Clients that show none are led to it.
        /// A token's claim `tenant` names a tenant, its claim `scope` what the bearer may do.
        token_issuer: Option<Url> { value_name: "URL" }

        /// The audience that access tokens must be for: the address of `/mcp` as clients know it.
        token_audience: Option<Url> { value_name: "URL" }

        /// What each tenant may use that has no limit of its own, such as `running=4,tokens_per_day=1000000`; 0 is no limit.
        /// There are `running`, `queued`, `requests_per_minute`, `stored_megabytes`, and `pages`, `tokens` and `dollars`
        /// with `_per_day` or `_per_month`.
        tenant_limits: Vec<String> { value_name: "LIMIT" }

        /// Names under which the server may be asked while it listens on loopback, beside `localhost`; pages of these hosts
        /// may use it.
        server_names: Vec<String> { value_name: "HOST" }

        /// Most connections of one client address; further ones are refused, and 0 is no limit. An IPv6 network of 64 bits is
        /// one address. Behind a reverse proxy on another machine, all clients share the proxy's address: set 0 there and let
        /// the proxy limit its clients.
        connections_per_address: Option<usize> {
            default_in_words: Some("1000, and no limit for this machine itself"), value_name: "COUNT",
            in_found_file: true,
        }

        /// Most event streams that one key has open at once; a further one is refused with 429, and 0 is no limit.
        streams_per_key: Option<usize> {
            default_in_words: Some("5000, and no limit where no keys are set"), value_name: "COUNT",
            in_found_file: true,
        }

        /// Whether the server shows its console, pages on which people watch, start and answer runs, under `/console`. With API
        /// keys it asks for one.
        console: Switch { default: Some("on"), in_found_file: true }

        /// Runs that this process works on at once; 0 leaves the work to other processes.
        workers: usize {
            default: Some("8"), value_name: "COUNT", commands: &["serve", "worker"], in_found_file: true,
        }

        /// Runs that may wait for a worker; beyond that a request is refused with 503.
        queue: usize { default: Some("1000"), value_name: "COUNT", in_found_file: true }
    }

    RUNS for AUTOMATING {
        /// Folder of the database and the stored files.
        data_dir: Option<PathBuf> {
            default_in_words: Some("the user's data folder"), value_name: "FOLDER", commands: STORING,
        }

        /// Where runs are stored: `sqlite` (in the data folder), `memory` (gone at the end), or NATS servers with JetStream,
        /// which many servers and workers share.
        store: StoreEngine {
            default: Some("sqlite"), value_name: "STORE",
            commands: KEEPING,
        }

        /// File with a user's token and key for the NATS servers, as `nsc` writes it.
        nats_credentials: Option<PathBuf> { value_name: "FILE", commands: KEEPING }

        /// User name for the NATS servers, where they take one.
        nats_user: Option<String> { value_name: "NAME", commands: KEEPING }

        /// Password of that user.
        nats_password: Option<Secret> { value_name: "PASSWORD", commands: KEEPING }

        /// File with certificates of the authorities that the NATS servers' certificates come from. With it no server is
        /// talked to without TLS, also none of an address `nats://`.
        nats_ca: Option<PathBuf> {
            default_in_words: Some("the system's authorities"), value_name: "FILE", commands: KEEPING,
        }

        /// File with the certificate that the NATS servers ask of clients. With it, too, TLS is required.
        nats_certificate: Option<PathBuf> { value_name: "FILE", commands: KEEPING }

        /// File with the key of that certificate.
        nats_key: Option<PathBuf> { value_name: "FILE", commands: KEEPING }

        /// What the names of streams and subjects begin with: 1 to 16 of a-z, 0-9, `_` and `-`. Installations with different
        /// prefixes share NATS servers without seeing one another's runs.
        nats_prefix: String { default: Some("hm"), value_name: "PREFIX", commands: KEEPING }

        /// Copies that the NATS servers keep of everything. 1 loses runs with its server.
        nats_replicas: u16 { default: Some("3"), range: (1, 5), value_name: "COUNT", commands: KEEPING }

        /// Longest time that runs may take to end when a worker is asked to stop; those that remain go back to the queue.
        drain_seconds: u64 {
            default: Some("20"), range: (0, 86_400), value_name: "SECONDS", commands: &["worker"],
        }

        /// Key that encrypts values of unfinished runs: 64 hexadecimal digits, 32 bytes in base64, or a file with either.
        /// After a comma, older keys that are still read.
        secret_key: Vec<Secret> {
            default_in_words: Some("secret.key in the data folder, made at the first start"), value_name: "KEY",
            commands: KEEPING,
        }

        /// Days that a run is kept after its end.
        retention_days: Option<u64> {
            default_in_words: Some("no limit"), range: (1, 36_500), value_name: "DAYS", commands: SERVING,
        }

        /// Days that the events of a run are kept after its end; its result stays as long as the run.
        retention_event_days: Option<u64> {
            default_in_words: Some("as long as the run"), range: (1, 36_500), value_name: "DAYS", commands: SERVING,
        }

        /// Whether a picture of the page is kept before each action of a browser run, for the replay in the console. None is
        /// taken while the page shows a value of a person, of the request or of the vault.
        step_pictures: Switch { default: Some("off"), commands: AUTOMATING, in_found_file: true }

        /// Days that pictures are kept.
        retention_picture_days: Option<u64> {
            default_in_words: Some("no limit"), range: (1, 36_500), value_name: "DAYS", commands: SERVING,
        }

        /// Most room for runs and pictures, in megabytes. Beyond it the oldest pictures are deleted, then the runs that
        /// ended first.
        retention_megabytes: u64 {
            default: Some("20000"), range: (1, 1_000_000_000), value_name: "MEGABYTES", commands: SERVING,
        }

        /// Free space on the disk of the data folder below which new runs are refused with 507, in megabytes.
        free_megabytes: u64 {
            default: Some("200"), range: (0, 1_000_000_000), value_name: "MEGABYTES",
            commands: &["scrape", "automate", "research", "plan", "serve"],
        }

        /// Longest time one run may take, in seconds.
        run_seconds: u64 {
            default: Some("3600"), range: (1, 86_400), value_name: "SECONDS",
            commands: &["scrape", "automate", "research", "plan", "serve", "worker"],
            in_found_file: true,
        }

        /// Longest time a run waits for a person's answer to its question, in seconds.
        answer_seconds: u64 { default: Some("120"), range: (1, 86_400), value_name: "SECONDS", in_found_file: true }

        /// Longest time a person may have the browser of a run that they paused, in seconds; then the agent goes on.
        pause_seconds: u64 { default: Some("600"), range: (1, 86_400), value_name: "SECONDS", in_found_file: true }

        /// Which events a stream carries: `verbose` adds model exchanges, `debug` adds everything.
        audience: Audience {
            default: Some("public"), variable: Some("HUNTSMAN_EVENTS"), value_name: "AUDIENCE", in_found_file: true,
        }

        /// What is logged: a level, or `target=level` pairs as in `info,net=debug`.
        log: String {
            default: Some("info"), value_name: "FILTER",
            commands: &["scrape", "automate", "research", "tools", "plan", "index", "runs", "serve", "worker", "cluster"],
            in_found_file: true,
        }
    }

    PAGES for CONNECTING {
        /// How a page becomes an item.
        mode: ExtractionMode {
            default: Some("rule-based"), other_variables: &["AGENT_MODE"], value_name: "MODE",
            commands: &["scrape", "serve", "doctor"],
            in_found_file: true,
        }

        /// What opens pages: `auto` takes Chromium where a page needs it, `http` never runs scripts.
        engine: BrowserEngine {
            default: Some("auto"), value_name: "ENGINE", commands: OPENING,
            in_found_file: true,
        }

        /// Hosts that may be reached although they are not public: names, `host:port` or CIDR.
        allow_hosts: Vec<String> { value_name: "HOST" }

        /// Proxy through which pages are fetched. Proxies in the environment are ignored.
        proxy: Option<Url> { value_name: "URL" }

        /// Exits by country, each as `COUNTRY=http://user:password@host:port`. A request chooses one with `geo_target`.
        proxies: Vec<CountryProxy> { value_name: "COUNTRY=URL" }

        /// Largest body of a page once it is unpacked, in megabytes (1,048,576 bytes); a larger one is refused with
        /// `RESPONSE_TOO_LARGE`.
        page_megabytes: u64 { default: Some("16"), range: (1, 1024), value_name: "MEGABYTES" }

        /// Memory for all that is fetched at the same time, in megabytes: a quarter for bodies, and never less than the
        /// largest one takes, the rest for what is made of large pages. Beyond that, fetches wait for each other.
        fetch_megabytes: u64 { default: Some("256"), range: (1, 65_536), value_name: "MEGABYTES" }

        /// Files, and folders of files, that browser runs may give to pages they are trusted with.
        uploads: Vec<PathBuf> { value_name: "PATH", commands: AUTOMATING }
    }

    TOOLS for ACTING {
        /// Folder of your own tools: manifests with a plan or an HTTP endpoint.
        tools_dir: Option<PathBuf> { default_in_words: Some("tools.d in the data folder"), value_name: "FOLDER" }

        /// Tools that are off until they are named here, such as `browser.execute_js`, which runs scripts in pages.
        tools_granted: Vec<String> { value_name: "TOOL" }
    }

    MODELS for ASKING {
        /// Provider of the model: a catalogue name (`huntsman doctor` lists them) or a wire. Without one, only work that
        /// needs no model is done.
        llm_provider: Option<String> { value_name: "NAME" }

        /// Model that is asked.
        llm_model: Option<String> { value_name: "MODEL", in_found_file: true }

        /// Models that requests may name beside the server's own, each as `provider/model`. A provider other than the server's
        /// needs its key in its usual variable, such as `OPENAI_API_KEY`.
        llm_client_models: Vec<String> { value_name: "PROVIDER/MODEL" }

        /// Address of the provider, where it is not the usual one.
        llm_base_url: Option<String> { value_name: "URL" }

        /// Key for the provider; else its usual variable, such as `OPENAI_API_KEY`.
        llm_api_key: Option<Secret> { value_name: "KEY" }

        /// Model that plans.
        llm_planner_model: Option<String> {
            default_in_words: Some("the main model"), value_name: "MODEL", in_found_file: true,
        }

        /// Model that reads pages.
        llm_extractor_model: Option<String> {
            default_in_words: Some("the main model"), value_name: "MODEL", in_found_file: true,
        }

        /// Model that checks answers.
        llm_validator_model: Option<String> {
            default_in_words: Some("the main model"), value_name: "MODEL", in_found_file: true,
        }

        /// Model that writes reports.
        llm_writer_model: Option<String> {
            default_in_words: Some("the main model"), value_name: "MODEL", in_found_file: true,
        }

        /// Model that judges reports.
        llm_judge_model: Option<String> {
            default_in_words: Some("the main model"), value_name: "MODEL", in_found_file: true,
        }

        /// Whether slightly damaged tool calls are repaired.
        llm_repair: Option<Switch> {
            default_in_words: Some("on"), blank_is_unset: true, value_name: "SWITCH", in_found_file: true,
        }

        /// Whether tool calls that a model writes as text are read.
        llm_text_calls: Option<Switch> {
            default_in_words: Some("off"), blank_is_unset: true, value_name: "SWITCH", in_found_file: true,
        }

        /// Folder that every exchange with a model is written to.
        llm_record: Option<String> { value_name: "FOLDER" }

        /// Folder of recorded exchanges that answer instead of a provider.
        llm_replay: Option<String> { value_name: "FOLDER" }

        /// Prices in US dollars for a million tokens, as JSON or a file of it: `{"model": {"input", "output", "cached"}}`.
        llm_prices: Option<String> { default_in_words: Some("the catalogue's list prices"), value_name: "JSON" }

        /// Tokens that a model reads and writes in one call, its context window: a number for all models, or JSON
        /// `{"model": tokens}`. Long pages are shown to it in as many parts as that needs.
        llm_context_tokens: Option<String> {
            default_in_words: Some("the catalogue's, else 16384"), value_name: "COUNT", blank_is_unset: true,
            in_found_file: true,
        }

        /// Most tokens, read and written, that one run may use.
        llm_budget_tokens: Option<PositiveNumber> {
            default_in_words: Some("no limit"), blank_is_unset: true, value_name: "COUNT",
            in_found_file: true,
        }

        /// Most US dollars that one run may cost, by the prices known.
        llm_budget_dollars: Option<PositiveNumber> {
            default_in_words: Some("no limit"), blank_is_unset: true, value_name: "DOLLARS",
            in_found_file: true,
        }

        /// Longest wait for a connection to the provider, in seconds.
        llm_connect_seconds: Option<PositiveNumber> {
            default_in_words: Some("10"), range: (0, 86_400), blank_is_unset: true, value_name: "SECONDS",
            in_found_file: true,
        }

        /// Longest wait for the first token of an answer, in seconds.
        llm_first_token_seconds: Option<PositiveNumber> {
            default_in_words: Some("120"), range: (0, 86_400), blank_is_unset: true, value_name: "SECONDS",
            in_found_file: true,
        }

        /// Longest silence within an answer, in seconds.
        llm_silence_seconds: Option<PositiveNumber> {
            default_in_words: Some("60"), range: (0, 86_400), blank_is_unset: true, value_name: "SECONDS",
            in_found_file: true,
        }

        /// Longest time for one answer, in seconds.
        llm_total_seconds: Option<PositiveNumber> {
            default_in_words: Some("600"), range: (0, 86_400), blank_is_unset: true, value_name: "SECONDS",
            in_found_file: true,
        }

        /// How often one question is put while the provider does not answer.
        llm_attempts: Option<u32> {
            default_in_words: Some("4"), range: (1, 20), blank_is_unset: true, value_name: "COUNT",
            in_found_file: true,
        }

        /// Further tries that a model gets at an answer that does not fit its schema.
        llm_schema_retries: u32 {
            default: Some("2"), other_variables: &["LLM_SCHEMA_RETRIES"], range: (0, 10), value_name: "COUNT",
            in_found_file: true,
        }
    }

    BROWSERS for OPENING {
        /// Chromium's program.
        chromium: Option<PathBuf> { default_in_words: Some("found on PATH"), value_name: "FILE" }

        /// Browsers that run already: ws or http addresses, tried in order.
        cdp_endpoints: Vec<Url> { value_name: "URL" }

        /// Whether those browsers may be on other machines. Their pages load past the guard of addresses: what they
        /// reach is for the network there to decide.
        cdp_remote: Switch { default: Some("off"), value_name: "SWITCH" }

        /// Chromium's own sandbox. Only its operator may turn it off, where the system has none.
        chromium_sandbox: Switch { default: Some("on"), value_name: "SWITCH" }

        /// Further switches for Chromium.
        chromium_args: Vec<String> { separator: ' ', allows_hyphen: true, value_name: "SWITCHES" }

        /// Most browsers at once.
        browsers: u16 { default: Some("4"), range: (1, 256), value_name: "COUNT", in_found_file: true }

        /// Megabytes of memory that one process of Chromium may use. A page that needs more crashes.
        browser_memory: u32 { default: Some("2048"), range: (256, 1_048_576), value_name: "MEGABYTES" }

        /// Requests that the pages of one browser run may make. Further ones fail.
        browser_requests: u32 { default: Some("20000"), range: (1, 100_000_000), value_name: "COUNT" }

        /// Megabytes that the pages of one browser run may transfer. Requests beyond that fail.
        browser_megabytes: u32 { default: Some("2000"), range: (1, 10_000_000), value_name: "MEGABYTES" }
    }

    SEARCH for OPENING {
        /// Who searches the web: `searxng`, `brave`, `tavily`, `exa`, `serper`, `duckduckgo`, or `local` for what
        /// `huntsman index` has read.
        search_provider: Option<String> { value_name: "NAME" }

        /// Address of the search provider, where it is not the usual one.
        search_url: Option<Url> { value_name: "URL" }

        /// Key for the search provider.
        search_api_key: Option<Secret> { value_name: "KEY" }
    }

    RESEARCH for RESEARCHING {
        /// Tokens that one research run may use; what was found until then is written up.
        research_tokens: Option<u64> {
            default_in_words: Some("by mode, from 60000 for `fast` to 6000000 for `ultra`"), value_name: "COUNT",
            in_found_file: true,
        }

        /// US dollars that one research run may cost, where the prices of its models are known.
        research_dollars: Option<f64> { value_name: "DOLLARS", in_found_file: true }

        /// Seconds that one research run may take; what was found until then is written up.
        research_seconds: Option<u64> {
            default_in_words: Some("by mode, from 180 for `fast` to 3400 for `ultra`"), value_name: "SECONDS",
            in_found_file: true,
        }
    }
}
