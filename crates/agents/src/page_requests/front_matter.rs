//! Metadata at the head of a Markdown text, as YAML between two lines of dashes.

use serde_json::Value;
use wire::tabstack::PageMetadata;

/// The front matter; empty when nothing is known. Every text is quoted, so that none is read as anything else.
pub(super) fn front_matter(metadata: &PageMetadata) -> String {
    let Ok(Value::Object(fields)) = serde_json::to_value(metadata) else {
        return String::new();
    };
    if fields.is_empty() {
        return String::new();
    }
    let mut out = String::from("---\n");
    for (name, value) in &fields {
        match value {
            Value::Array(list) => {
                out.push_str(&format!("{name}:\n"));
                for one in list {
                    out.push_str(&format!("  - {}\n", scalar(one)));
                }
            }
            one => out.push_str(&format!("{name}: {}\n", scalar(one))),
        }
    }
    out.push_str("---\n\n");
    out
}

/// A JSON string is a double-quoted YAML scalar (YAML 1.2, 1.3) once no control character stands in it.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let plain: String = text
                .chars()
                .map(|character| if character.is_control() { ' ' } else { character })
                .collect();
            Value::String(plain.trim().to_owned()).to_string()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_page_breaks_out_of_the_front_matter() {
        let metadata = PageMetadata {
            title: Some("a: \"b\"\n---\nc\u{85}\\".into()),
            keywords: Some(vec!["- x".into(), "#y".into()]),
            page_count: Some(3),
            ..PageMetadata::default()
        };
        let expected = "---\nkeywords:\n  - \"- x\"\n  - \"#y\"\npage_count: 3\ntitle: \"a: \\\"b\\\" --- c \\\\\"\n---\n\n";
        assert_eq!(front_matter(&metadata), expected);
        assert_eq!(front_matter(&PageMetadata::default()), "");
    }
}
