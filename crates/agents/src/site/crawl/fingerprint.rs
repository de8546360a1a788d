//! Fingerprints of pages: a key of the text, equal for equal texts, and a sketch, nearly equal for nearly equal ones.

use page::Page;
use page::dom::NodeSet;
use serde_json::Value;
use wire::frontier::AddressKey;

/// Shortest text that tells a page from others, in bytes.
const LEAST_BYTES: usize = 64;
/// Fewest words of a text that has a sketch.
const LEAST_WORDS: usize = 60;
/// Words of one feature of a sketch.
const SHINGLE: usize = 3;

/// What a page is compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fingerprint {
    pub(super) content: Option<AddressKey>,
    pub(super) sketch: Option<u64>,
}

/// The fingerprint of what a page shows: its text, its pictures, and the facts of its structured data.
pub(super) fn fingerprint(page: &Page) -> Fingerprint {
    let text = page
        .dom()
        .body()
        .map(|body| page::text::render(body, &NodeSet::new(page.dom())))
        .unwrap_or_default();
    of_contents(&text, &(pictures(page) + &facts(page)))
}

/// The fingerprint of a text; pages are the same only where what stands beside their texts is, too.
fn of_contents(text: &str, beside: &str) -> Fingerprint {
    if text.len() < LEAST_BYTES {
        return Fingerprint::default();
    }
    let words: Vec<u64> = text
        .split_whitespace()
        .map(|word| hash(word.bytes().map(u64::from)))
        .collect();
    let content = match beside {
        "" => AddressKey::of(text),
        beside => AddressKey::of(&format!("{text}\n{beside}")),
    };
    Fingerprint {
        content: Some(content),
        sketch: (words.len() >= LEAST_WORDS).then(|| sketch(&words)),
    }
}

/// The names of the files of a page's pictures, which copies of the page in other folders have too.
fn pictures(page: &Page) -> String {
    let name = |picture: page::dom::Node<'_>| {
        let source = picture.attr("src")?.split(['?', '#']).next()?;
        // A picture that is written out in its address stands for one that a script loads.
        (!source.starts_with("data:")).then(|| source.rsplit('/').next().unwrap_or(source).to_owned() + "\n")
    };
    page.dom().by_tag("img").filter_map(name).collect()
}

/// The values of a page's structured data, without addresses, which copies of the page may have of their own.
fn facts(page: &Page) -> String {
    let mut facts = String::new();
    for value in page::meta::jsonld(page) {
        add_facts(&value, &mut facts);
    }
    facts
}

fn add_facts(value: &Value, facts: &mut String) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(name, _)| !name.starts_with('@')) {
                facts.push_str(name);
                facts.push('\n');
                add_facts(value, facts);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| add_facts(value, facts)),
        Value::String(text) if text.contains("://") || text.starts_with('/') => {}
        Value::String(text) => {
            facts.push_str(text);
            facts.push('\n');
        }
        Value::Bool(_) | Value::Number(_) => {
            facts.push_str(&value.to_string());
            facts.push('\n');
        }
    }
}

/// SimHash (Charikar 2002) over runs of words: each bit is what most features have there.
fn sketch(words: &[u64]) -> u64 {
    let mut counts = [0i32; 64];
    for shingle in words.windows(SHINGLE) {
        let feature = hash(shingle.iter().copied());
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += if feature >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    let bits = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    bits.fold(0, |sketch, (bit, _)| sketch | 1 << bit)
}

/// FNV-1a over numbers, with a last step that spreads its high bits.
fn hash(numbers: impl Iterator<Item = u64>) -> u64 {
    let mixed = numbers.fold(0xcbf2_9ce4_8422_2325, |hash: u64, number| {
        (hash ^ number).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_equal_texts_have_nearly_equal_sketches_and_others_have_not() {
        let words = |seed: usize| {
            (0..400)
                .map(|at| format!("w{}", (at * at + seed * 7919) % 997))
                .collect::<Vec<_>>()
        };
        let text = |words: &[String]| of_contents(&words.join(" "), "").sketch.unwrap();
        let first = words(1);
        let mut edited = first.clone();
        edited[200] = "other".to_owned();
        let near = (text(&first) ^ text(&edited)).count_ones();
        let far = (text(&first) ^ text(&words(2))).count_ones();
        assert!(near <= 3 && far > 12, "{near} {far}");
        assert_eq!(
            of_contents("Loading", ""),
            Fingerprint::default(),
            "a short text says nothing"
        );
    }

    #[test]
    fn pages_of_one_text_with_other_pictures_or_prices_are_no_copies() {
        let content = |head: &str, body: &str| {
            let text =
                "A kettle for the kitchen, made of steel, with a long cord and a handle that stays cool.";
            let html = format!("<html><head>{head}</head><body><p>{text}</p>{body}</body></html>");
            fingerprint(&Page::new(html, "https://a.test/x".parse().ok())).content
        };
        let offer = |price: u32, url: &str| {
            format!(
                "<script type='application/ld+json'>{{\"@type\": \"Product\", \"url\": \"{url}\", \
                 \"offers\": {{\"price\": {price}}}}}</script>"
            )
        };
        let (one, copy, other) = (offer(10, "https://a.test/1"), offer(10, "/2"), offer(20, "/2"));
        assert_eq!(content(&one, ""), content(&copy, ""));
        assert_ne!(content(&one, ""), content(&other, ""));
        let (picture, moved) = ("<img src='/t1.jpg'>", "<img src='https://cdn.test/a/t1.jpg?w=9'>");
        assert_eq!(content("", picture), content("", moved));
        assert_ne!(content("", picture), content("", "<img src='/t2.jpg'>"));
    }
}
