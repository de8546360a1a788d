//! Sentiment of a text by word lists.

use serde_json::{Value, json};

use crate::input::{TextParams, text};
use crate::values::words;
use crate::{Error, Tool, ToolContext};

/// The tool `text.sentiment`.
pub struct TextSentiment;

impl Tool for TextSentiment {
    type Params = TextParams;
    type Output = Value;

    async fn run(&self, params: TextParams, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let (mut good, mut bad) = (0_i64, 0_i64);
        let mut turned = false;
        for word in words(&text) {
            if [
                "not", "no", "never", "nie", "nicht", "kein", "isn't", "don't", "wasn't",
            ]
            .contains(&word.as_str())
            {
                turned = true;
                continue;
            }
            let stem = |of: &str| of.split_whitespace().any(|it| word.starts_with(it));
            let value = i64::from(stem(GOOD)) - i64::from(stem(BAD));
            match value * if turned { -1 } else { 1 } {
                1 => good += 1,
                -1 => bad += 1,
                _ => continue,
            }
            turned = false;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let score = if good + bad == 0 {
            0.0
        } else {
            (good - bad) as f64 / (good + bad) as f64
        };
        let label = if score > 0.2 {
            "positive"
        } else if score < -0.2 {
            "negative"
        } else {
            "neutral"
        };
        Ok(
            json!({"score": (score * 100.0).round() / 100.0, "label": label, "positive": good, "negative": bad, "empty": text.trim().is_empty()}),
        )
    }
}

/// Beginnings of words that praise.
const GOOD: &str = "good great excellent wonderful love loved lovely best amazing happy recommend perfect fantastic beautiful nice pleased brilliant superb awesome enjoy \
dobr świetn wspania polecam polecić najleps zadowol doskona fantast piękn idealn super rewelac ulubion \
gut toll super wunderbar liebe besten zufrieden empfehl schön perfekt";
/// Beginnings of words that complain.
const BAD: &str = "bad terrible awful hate hated worst broken poor disappoint horrible useless waste annoying sad angry refund defective fail slow ugly \
zły złe zła okropn tragicz zepsut najgors rozczar beznadziej kiepsk słab niezadow reklamac wadliw \
schlecht furchtbar kaputt enttäusch schlimm nutzlos hässlich";
