//! Keywords of a text by frequency.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::text;
use crate::values::words;
use crate::{Error, Tool, ToolContext};

/// The tool `text.keywords`.
pub struct TextKeywords;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    top_k: usize,
}

impl Tool for TextKeywords {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let mut counts: HashMap<String, usize> = HashMap::new();
        let common: HashSet<&str> = COMMON.split_whitespace().collect();
        let mut all = 0_usize;
        for word in words(&text).filter(|word| {
            word.chars().count() > 2
                && word.chars().any(char::is_alphabetic)
                && !common.contains(word.as_str())
        }) {
            *counts.entry(word).or_default() += 1;
            all += 1;
        }
        let mut ranked: Vec<(String, usize)> = counts.into_iter().collect();
        ranked.sort_by(|(one, a), (other, b)| b.cmp(a).then_with(|| one.cmp(other)));
        ranked.truncate(params.top_k);
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let score = |count: usize| (count as f64 / all.max(1) as f64 * 10_000.0).round() / 10_000.0;
        let scores: Vec<f64> = ranked.iter().map(|(_, count)| score(*count)).collect();
        Ok(json!({"keywords": ranked.into_iter().map(|it| it.0).collect::<Vec<_>>(), "scores": scores}))
    }
}

/// Words that every text has, in English, Polish and German.
const COMMON: &str = "the and for are but not you all any can her was one our out day get has him his how its may new now old see two who did yes with that this have from they will would there their what about which when your said more than been were into only other some could them then these also very just over such no not each and or of in on at to by as is it an be we he she do if so up my me us \
oraz jest się nie jak ale czy tak dla przez przy pod nad bez jego jej ich tym tej ten tego które który która być był była było będzie może tylko już także lub aby żeby gdy kiedy gdzie \
der die das und ist nicht ein eine einen mit von für auf den dem des als auch sich wird werden oder aber nach bei aus wie noch nur";
