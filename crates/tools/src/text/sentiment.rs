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
        let (good, bad) = praise_and_complaints(&text);
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

/// Words that turn the next word of praise or complaint.
const TURNING: [&str; 9] = [
    "not", "no", "never", "nie", "nicht", "kein", "isn't", "don't", "wasn't",
];
/// Most words of a sentence that such a word reaches: "not a very good kettle".
const REACH: usize = 4;

/// How many words of a text praise, and how many complain.
fn praise_and_complaints(text: &str) -> (i64, i64) {
    let (mut good, mut bad) = (0_i64, 0_i64);
    for sentence in text.split(['.', '!', '?', ';', '\n']) {
        let mut reach = 0_usize;
        for word in words(sentence) {
            if TURNING.contains(&word.as_str()) {
                reach = REACH;
                continue;
            }
            let is_turned = reach > 0;
            reach = reach.saturating_sub(1);
            let stem = |of: &str| of.split_whitespace().any(|it| word.starts_with(it));
            let value = i64::from(stem(GOOD)) - i64::from(stem(BAD));
            match value * if is_turned { -1 } else { 1 } {
                1 => good += 1,
                -1 => bad += 1,
                _ => continue,
            }
            reach = 0;
        }
    }
    (good, bad)
}

/// Beginnings of words that praise.
const GOOD: &str = "good great excellent wonderful love loved lovely best amazing happy recommend perfect fantastic beautiful nice pleased brilliant superb awesome enjoy \
dobr świetn wspania polecam polecić najleps zadowol doskona fantast piękn idealn super rewelac ulubion \
gut toll super wunderbar liebe besten zufrieden empfehl schön perfekt";
/// Beginnings of words that complain.
const BAD: &str = "bad terrible awful hate hated worst broken poor disappoint horrible useless waste annoying sad angry refund defective fail slow ugly \
zły złe zła okropn tragicz zepsut najgors rozczar beznadziej kiepsk słab niezadow reklamac wadliw \
schlecht furchtbar kaputt enttäusch schlimm nutzlos hässlich";

#[cfg(test)]
mod tests {
    use super::praise_and_complaints;

    #[test]
    fn a_no_turns_what_is_near_in_its_sentence() {
        for (text, counts) in [
            (
                "There is no lift in the house and the street has trees. Wonderful staff, thank you.",
                (1, 0),
            ),
            ("No lift in a house with a wonderful garden", (1, 0)),
            ("Not good.", (0, 1)),
            ("Not a very good kettle", (0, 1)),
            ("Not bad at all", (1, 0)),
            ("Nie polecam", (0, 1)),
        ] {
            assert_eq!(praise_and_complaints(text), counts, "{text}");
        }
    }
}
