//! JSON values in a model's text.

use serde_json::{Deserializer, Value};

/// Values that a text may mean, best guess first: the whole text, the inside of each fence, and the first whole object
/// or list that stands in it. Nothing is repaired: quotes, apostrophes and commas mean what they say.
pub fn json_in(text: &str) -> Vec<Value> {
    let text = text.trim();
    let mut found: Vec<Value> = serde_json::from_str(text).ok().into_iter().collect();
    if !found.is_empty() {
        return found;
    }
    for fenced in text.split("```").skip(1).step_by(2) {
        let inside = fenced.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
        found.extend(serde_json::from_str::<Value>(inside.trim()).ok());
    }
    if found.is_empty() {
        found.extend(first_whole(text));
    }
    found
}

/// The first object or list that parses; a few places are tried, so that prose full of brackets costs little.
fn first_whole(text: &str) -> Option<Value> {
    const TRIES: usize = 16;
    text.match_indices(['{', '[']).take(TRIES).find_map(|(at, _)| {
        let rest = text.get(at..)?;
        let value = Deserializer::from_str(rest).into_iter::<Value>().next()?.ok()?;
        (value.is_object()
            || value
                .as_array()
                .is_some_and(|item| item.iter().any(Value::is_object)))
        .then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_fenced_answer_with_apostrophes_and_prose_is_read_as_it_stands() {
        let text =
            "Sure!\n```json\n{\"title\": \"L'Isle d'Or\", \"price\": \"1.299,00 €\"}\n```\nAnything else?";
        assert_eq!(
            json_in(text),
            [json!({"title": "L'Isle d'Or", "price": "1.299,00 €"})]
        );
    }

    #[test]
    fn an_answer_amid_prose_is_found_and_pseudo_json_is_not_guessed_at() {
        assert_eq!(
            json_in("The answer [as asked] is {\"a\": [1, 2]}."),
            [json!({"a": [1, 2]})]
        );
        assert_eq!(json_in("{'a': 'it's'}"), Vec::<Value>::new());
        assert_eq!(json_in("{\"a\": \"cut of"), Vec::<Value>::new());
    }
}
