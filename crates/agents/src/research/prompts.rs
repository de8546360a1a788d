//! Prompts and answer schemas of the research agent. Page text enters them quoted only.

use llm::JsonSchema;
use llm::structured::StructuredRequest;
use minijinja::{Environment, UndefinedBehavior};
use page::Quoted;
use serde_json::{Value, json};

/// What every question begins with.
pub(crate) const SYSTEM: &str = include_str!("prompts/system.md");
pub(crate) const PLAN: &str = include_str!("prompts/plan.md");
pub(crate) const ANALYZE: &str = include_str!("prompts/analyze.md");
pub(crate) const EVALUATE: &str = include_str!("prompts/evaluate.md");
pub(crate) const OUTLINE: &str = include_str!("prompts/outline.md");
pub(crate) const WRITE: &str = include_str!("prompts/write.md");
pub(crate) const REVISE: &str = include_str!("prompts/revise.md");
pub(crate) const VERIFY: &str = include_str!("prompts/verify.md");
pub(crate) const CAN_ANSWER: &str = include_str!("prompts/can_answer.md");
pub(crate) const IS_ANSWERED: &str = include_str!("prompts/is_answered.md");
pub(crate) const COPY: &str = include_str!("prompts/copy.md");
pub(crate) const JUDGE: &str = include_str!("prompts/judge.md");

/// A prompt with its values filled in. Every name has to be given.
///
/// # Errors
/// When one is not, which is a fault of ours.
pub(crate) fn render(template: &str, values: minijinja::Value) -> Result<String, String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
        .render_str(template, values)
        .map_err(|error| error.to_string())
}

/// Letters of the label of a quote: as many as chance makes no page know.
const LABEL: usize = 10;

/// A text of a page behind its signs, under a label that no page can know. The label has no digits: a weak model cites those as the number
/// of a source.
pub(crate) fn quoted(text: &str, bytes: usize) -> Quoted {
    let label: String = std::iter::repeat_with(fastrand::lowercase).take(LABEL).collect();
    Quoted::new(&label, text, bytes)
}

/// A title or an address as a prompt may show it outside of a quote: one line, short, nothing that could be a tag.
pub(crate) fn shown(text: &str) -> String {
    let plain =
        |character: char| !character.is_control() && !matches!(character, '<' | '>' | '`' | '|' | '{' | '}');
    let line: String = text
        .chars()
        .filter(|character| plain(*character))
        .take(160)
        .collect();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(longest: u64) -> Value {
    json!({"type": "string", "maxLength": longest})
}

fn one_of(names: &[&str]) -> Value {
    json!({"type": "string", "enum": names})
}

fn list(items: Value, least: usize, most: usize) -> Value {
    json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
}

fn object(properties: Value) -> Value {
    let required: Vec<&String> = properties
        .as_object()
        .map(|object| object.keys().collect())
        .unwrap_or_default();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

/// The wanted answer of a schema written here.
///
/// # Errors
/// When the schema is none, which is a fault of ours.
fn wanted(name: &str, schema: Value) -> Result<StructuredRequest, String> {
    JsonSchema::new(schema)
        .map(|it| StructuredRequest::new(name, it))
        .map_err(|error| error.to_string())
}

/// The forms of the answers. Every text has a longest length: a weak model would never stop.
pub(crate) mod forms {
    use super::{StructuredRequest, Value, json, list, object, one_of, text, wanted};

    const LEVELS: [&str; 3] = ["low", "medium", "high"];

    pub(crate) fn plan(questions: usize, queries: usize) -> Result<StructuredRequest, String> {
        let schema = object(json!({
            "complexity": one_of(&["simple", "moderate", "complex"]),
            "objective": text(400),
            "plan": text(700),
            "questions": list(text(300), 1, questions),
            "queries": list(text(160), 1, queries),
        }));
        wanted("plan", schema)
    }

    pub(crate) fn analysis(claims: usize) -> Result<StructuredRequest, String> {
        let claim = object(json!({"claim": text(400), "quote": text(400)}));
        let schema = object(json!({
            "relevance": one_of(&LEVELS),
            "reliability": one_of(&LEVELS),
            "summary": text(500),
            "claims": list(claim, 0, claims),
        }));
        wanted("analysis", schema)
    }

    pub(crate) fn evaluation(questions: usize, queries: usize) -> Result<StructuredRequest, String> {
        let assessment = object(json!({
            "number": {"type": "integer"},
            "status": one_of(&["answered", "partial", "unanswered"]),
            "findings": text(400),
        }));
        let schema = object(json!({
            "assessments": list(assessment, 0, questions),
            "coverage": one_of(&["Light", "Moderate", "Solid", "Comprehensive"]),
            "gaps": text(500),
            "next_queries": list(text(160), 0, queries),
            "should_continue": {"type": "boolean"},
        }));
        wanted("evaluation", schema)
    }

    pub(crate) fn outline(sections: usize, sources: usize) -> Result<StructuredRequest, String> {
        let schema = object(json!({
            "direct_answer": text(700),
            "key_takeaways": list(text(300), 1, 5),
            "headings": list(text(120), 1, sections),
            "sources": list(json!({"type": "integer"}), 0, sources.max(1)),
        }));
        wanted("outline", schema)
    }

    fn sentence() -> Value {
        json!({"text": text(500), "sources": list(json!({"type": "integer"}), 0, 5)})
    }

    pub(crate) fn report(sentences: usize) -> Result<StructuredRequest, String> {
        let section = object(json!({
            "heading": text(120),
            "sentences": list(object(sentence()), 1, sentences),
        }));
        wanted("report", object(json!({"sections": list(section, 0, 12)})))
    }

    pub(crate) fn revision(sentences: usize) -> Result<StructuredRequest, String> {
        let mut properties = json!({"number": {"type": "integer"}});
        if let (Value::Object(all), Value::Object(more)) = (&mut properties, sentence()) {
            all.extend(more);
        }
        wanted(
            "revision",
            object(json!({"sentences": list(object(properties), 0, sentences)})),
        )
    }

    pub(crate) fn verdicts(statements: usize) -> Result<StructuredRequest, String> {
        let verdict = object(
            json!({"number": {"type": "integer"}, "supported": {"type": "boolean"}, "relevant": {"type": "boolean"}}),
        );
        wanted(
            "verdicts",
            object(json!({"verdicts": list(verdict, 0, statements)})),
        )
    }

    pub(crate) fn answers(verdicts: &[&str]) -> Result<StructuredRequest, String> {
        wanted("answers", object(json!({"answers": one_of(verdicts)})))
    }

    pub(crate) fn copies(quotes: usize) -> Result<StructuredRequest, String> {
        let quote = object(json!({"passage": {"type": "integer"}, "text": text(600)}));
        wanted("copies", object(json!({"quotes": list(quote, 0, quotes)})))
    }

    pub(crate) fn judgment() -> Result<StructuredRequest, String> {
        let schema = object(json!({
            "observation": text(600),
            "score": {"type": "number", "minimum": 0, "maximum": 10},
            "approved": {"type": "boolean"},
            "feedback": text(800),
        }));
        wanted("judgment", schema)
    }
}

#[cfg(test)]
mod tests;
