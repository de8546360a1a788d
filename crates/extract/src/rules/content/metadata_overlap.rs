//! How much of each block stands in the `articleBody`, the title or the description of the page.

use super::hashing::HashSet64;
use super::repetition::{BlockWords, hashes, trigram};
use page::Page;
use serde_json::Value;

/// Longest text of the page's data that is compared, in words.
const MAX_WORDS: usize = 60_000;

/// For each block, how much of it the page's own data repeats, 0 to 1.
#[derive(Default)]
pub(crate) struct MetadataOverlap {
    /// Share of the block's three-word pieces that are in an `articleBody`; -1 when the page has none.
    pub(crate) body: Vec<f32>,
    /// How alike block and title are.
    pub(crate) title: Vec<f32>,
    /// Share of the block's three-word pieces that are in a description.
    pub(crate) description: Vec<f32>,
}

impl MetadataOverlap {
    /// Compares the words of the blocks with the page's data.
    pub(crate) fn read(page: &Page, words: &BlockWords, count: usize) -> MetadataOverlap {
        let texts = MetadataTexts::read(page);
        let body = trigrams(&texts.body);
        let description = trigrams(&texts.description);
        let titles: Vec<HashSet64> = texts.titles.iter().map(|title| hashes(title).collect()).collect();
        let mut overlap = MetadataOverlap::default();
        for at in 0..count {
            let own = words.of(at);
            overlap.body.push(if body.is_empty() {
                -1.0
            } else {
                covered(own, &body)
            });
            overlap.description.push(covered(own, &description));
            overlap
                .title
                .push(titles.iter().map(|title| alike(own, title)).fold(0.0, f32::max));
        }
        overlap
    }
}

/// The texts of the page's data.
#[derive(Default)]
struct MetadataTexts {
    titles: Vec<String>,
    body: String,
    description: String,
}

impl MetadataTexts {
    fn read(page: &Page) -> MetadataTexts {
        let mut texts = MetadataTexts::default();
        let dom = page.dom();
        for meta in dom.by_tag("meta") {
            let name = meta.attr("property").or(meta.attr("name")).unwrap_or("");
            let content = meta.attr("content").unwrap_or("");
            match name {
                "og:title" | "twitter:title" => texts.titles.push(content.to_owned()),
                "description" | "og:description" | "twitter:description" => {
                    texts.description.push_str(content);
                    texts.description.push_str(" \u{1f} ");
                }
                _ => {}
            }
        }
        if let Some(title) = dom
            .head()
            .and_then(|head| head.children().find(|it| it.is("title")))
        {
            let title = title.raw_text();
            for part in title.split(['|', '–', '—', '»', '·']).chain(title.split(" - ")) {
                texts.titles.push(part.to_owned());
            }
        }
        for script in dom.by_tag("script").filter(|script| {
            script
                .attr("type")
                .is_some_and(|media_type| media_type.contains("ld+json"))
        }) {
            let text = script.raw_text();
            if text.contains("\"articleBody\"")
                && let Ok(value) = serde_json::from_str(text.trim())
            {
                texts.walk(&value);
            }
        }
        texts
    }

    fn walk(&mut self, value: &Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(map) => {
                    for (key, value) in map {
                        match (key.as_str(), value) {
                            ("articleBody", Value::String(text)) if text.len() > 200 => {
                                self.body.push_str(text);
                                self.body.push_str(" \u{1f} ");
                            }
                            _ => open.push(value),
                        }
                    }
                }
                Value::Array(list) => open.extend(list),
                _ => {}
            }
        }
    }
}

fn trigrams(text: &str) -> HashSet64 {
    let words: Vec<u64> = hashes(text).take(MAX_WORDS).collect();
    words.windows(3).map(trigram).collect()
}

fn covered(own: &[u64], whole: &HashSet64) -> f32 {
    if whole.is_empty() || own.len() < 3 {
        return 0.0;
    }
    let found = own
        .windows(3)
        .filter(|three| whole.contains(&trigram(three)))
        .count();
    found as f32 / (own.len() - 2) as f32
}

fn alike(own: &[u64], title: &HashSet64) -> f32 {
    if own.is_empty() || own.len() > 40 || title.is_empty() {
        return 0.0;
    }
    let own: HashSet64 = own.iter().copied().collect();
    2.0 * own.intersection(title).count() as f32 / (own.len() + title.len()) as f32
}
