//! What an operator can set about models. The values are texts here; `llm` reads and checks them.

use clap::Args;

use super::Secret;

/// The settings about models.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Models")]
pub struct Llm {
    /// Provider of the model: a catalogue name (`huntsman doctor` lists them) or a wire. Without one, only work
    /// that needs no model is done.
    #[arg(long = "llm-provider", env = "HUNTSMAN_LLM_PROVIDER", value_name = "NAME")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_provider: Option<String>,

    /// Model that is asked.
    #[arg(long = "llm-model", env = "HUNTSMAN_LLM_MODEL", value_name = "MODEL")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_model: Option<String>,

    /// Address of the provider, where it is not the usual one.
    #[arg(long = "llm-base-url", env = "HUNTSMAN_LLM_BASE_URL", value_name = "URL")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_base_url: Option<String>,

    /// Key for the provider; else its usual variable, such as `OPENAI_API_KEY`.
    #[arg(long = "llm-api-key", env = "HUNTSMAN_LLM_API_KEY", value_name = "KEY")]
    #[arg(global = true, hide_short_help = true, hide_env_values = true)]
    pub llm_api_key: Option<Secret>,

    /// Model that plans [default: the main model].
    #[arg(
        long = "llm-planner-model",
        env = "HUNTSMAN_LLM_PLANNER_MODEL",
        value_name = "MODEL"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_planner_model: Option<String>,

    /// Model that reads pages [default: the main model].
    #[arg(
        long = "llm-extractor-model",
        env = "HUNTSMAN_LLM_EXTRACTOR_MODEL",
        value_name = "MODEL"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_extractor_model: Option<String>,

    /// Model that checks answers [default: the main model].
    #[arg(
        long = "llm-validator-model",
        env = "HUNTSMAN_LLM_VALIDATOR_MODEL",
        value_name = "MODEL"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_validator_model: Option<String>,

    /// Model that writes reports [default: the main model].
    #[arg(
        long = "llm-writer-model",
        env = "HUNTSMAN_LLM_WRITER_MODEL",
        value_name = "MODEL"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_writer_model: Option<String>,

    /// Model that judges reports [default: the main model].
    #[arg(
        long = "llm-judge-model",
        env = "HUNTSMAN_LLM_JUDGE_MODEL",
        value_name = "MODEL"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_judge_model: Option<String>,

    /// Whether slightly damaged tool calls are mended: `on` or `off`.
    #[arg(long = "llm-repair", env = "HUNTSMAN_LLM_REPAIR", value_name = "SWITCH")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_repair: Option<String>,

    /// Whether tool calls that a model writes as text are read: `on` or `off`.
    #[arg(
        long = "llm-text-calls",
        env = "HUNTSMAN_LLM_TEXT_CALLS",
        value_name = "SWITCH"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_text_calls: Option<String>,

    /// Folder that every exchange with a model is written to.
    #[arg(long = "llm-record", env = "HUNTSMAN_LLM_RECORD", value_name = "FOLDER")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_record: Option<String>,

    /// Folder of recorded exchanges that answer instead of a provider.
    #[arg(long = "llm-replay", env = "HUNTSMAN_LLM_REPLAY", value_name = "FOLDER")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_replay: Option<String>,

    /// Prices in US dollars for a million tokens, as JSON or a file of it: `{"model": {"input", "output",
    /// "cached"}}`.
    #[arg(long = "llm-prices", env = "HUNTSMAN_LLM_PRICES", value_name = "JSON")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_prices: Option<String>,

    /// Most tokens, read and written, that one run may use [default: no limit].
    #[arg(
        long = "llm-budget-tokens",
        env = "HUNTSMAN_LLM_BUDGET_TOKENS",
        value_name = "COUNT"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_budget_tokens: Option<String>,

    /// Most US dollars that one run may cost, by the prices known [default: no limit].
    #[arg(
        long = "llm-budget-dollars",
        env = "HUNTSMAN_LLM_BUDGET_DOLLARS",
        value_name = "DOLLARS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_budget_dollars: Option<String>,

    /// Longest wait for a connection to the provider, in seconds.
    #[arg(
        long = "llm-connect-seconds",
        env = "HUNTSMAN_LLM_CONNECT_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_connect_seconds: Option<String>,

    /// Longest wait for the first token of an answer, in seconds.
    #[arg(
        long = "llm-first-token-seconds",
        env = "HUNTSMAN_LLM_FIRST_TOKEN_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_first_token_seconds: Option<String>,

    /// Longest silence within an answer, in seconds.
    #[arg(
        long = "llm-silence-seconds",
        env = "HUNTSMAN_LLM_SILENCE_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_silence_seconds: Option<String>,

    /// Longest time for one answer, in seconds.
    #[arg(
        long = "llm-total-seconds",
        env = "HUNTSMAN_LLM_TOTAL_SECONDS",
        value_name = "SECONDS"
    )]
    #[arg(global = true, hide_short_help = true)]
    pub llm_total_seconds: Option<String>,

    /// How often one question is put while the provider does not answer (1 to 20).
    #[arg(long = "llm-attempts", env = "HUNTSMAN_LLM_ATTEMPTS", value_name = "COUNT")]
    #[arg(global = true, hide_short_help = true)]
    pub llm_attempts: Option<String>,

    /// Further tries that a model gets at an answer that does not fit its schema (0 to 10).
    #[arg(
        long = "llm-schema-retries",
        env = "HUNTSMAN_LLM_SCHEMA_RETRIES",
        value_name = "COUNT"
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=10))]
    #[arg(global = true, hide_short_help = true)]
    pub llm_schema_retries: Option<u32>,
}

impl Llm {
    /// The text of a setting by its variable; of a provider's own variables, such as `OPENAI_API_KEY`, what the
    /// environment says.
    pub fn variable(&self, name: &str) -> Option<String> {
        match name {
            "HUNTSMAN_LLM_PROVIDER" => self.llm_provider.clone(),
            "HUNTSMAN_LLM_MODEL" => self.llm_model.clone(),
            "HUNTSMAN_LLM_BASE_URL" => self.llm_base_url.clone(),
            "HUNTSMAN_LLM_API_KEY" => self.llm_api_key.as_ref().map(|it| it.reveal().to_owned()),
            "HUNTSMAN_LLM_PLANNER_MODEL" => self.llm_planner_model.clone(),
            "HUNTSMAN_LLM_EXTRACTOR_MODEL" => self.llm_extractor_model.clone(),
            "HUNTSMAN_LLM_VALIDATOR_MODEL" => self.llm_validator_model.clone(),
            "HUNTSMAN_LLM_WRITER_MODEL" => self.llm_writer_model.clone(),
            "HUNTSMAN_LLM_JUDGE_MODEL" => self.llm_judge_model.clone(),
            "HUNTSMAN_LLM_REPAIR" => self.llm_repair.clone(),
            "HUNTSMAN_LLM_TEXT_CALLS" => self.llm_text_calls.clone(),
            "HUNTSMAN_LLM_RECORD" => self.llm_record.clone(),
            "HUNTSMAN_LLM_REPLAY" => self.llm_replay.clone(),
            "HUNTSMAN_LLM_PRICES" => self.llm_prices.clone(),
            "HUNTSMAN_LLM_BUDGET_TOKENS" => self.llm_budget_tokens.clone(),
            "HUNTSMAN_LLM_BUDGET_DOLLARS" => self.llm_budget_dollars.clone(),
            "HUNTSMAN_LLM_CONNECT_SECONDS" => self.llm_connect_seconds.clone(),
            "HUNTSMAN_LLM_FIRST_TOKEN_SECONDS" => self.llm_first_token_seconds.clone(),
            "HUNTSMAN_LLM_SILENCE_SECONDS" => self.llm_silence_seconds.clone(),
            "HUNTSMAN_LLM_TOTAL_SECONDS" => self.llm_total_seconds.clone(),
            "HUNTSMAN_LLM_ATTEMPTS" => self.llm_attempts.clone(),
            other if other.starts_with("HUNTSMAN_") => None,
            other => std::env::var(other).ok(),
        }
    }

    /// Further tries at an answer that does not fit its schema: as set, else `LLM_SCHEMA_RETRIES`, else 2.
    pub fn schema_retries(&self) -> u32 {
        let older = || std::env::var("LLM_SCHEMA_RETRIES").ok()?.trim().parse().ok();
        self.llm_schema_retries.or_else(older).unwrap_or(2).min(10)
    }
}
