//! Prompts: three things that the server is good for.

use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

use super::session::{Access, Session};

/// A prompt with blanks for its arguments.
struct PromptTemplate {
    name: &'static str,
    description: &'static str,
    /// Name, description; all are required.
    arguments: &'static [(&'static str, &'static str)],
    text: &'static str,
    is_read_only: bool,
}

const TEMPLATES: &[PromptTemplate] = &[
    PromptTemplate {
        name: "compare_pages",
        description: "Compare what several pages say, such as offers of the same product.",
        arguments: &[
            ("urls", "addresses, separated by spaces"),
            ("what", "what to compare"),
        ],
        text: "Compare {what} on these pages: {urls}. Read each with the tool `read` (as: item where it is one product, \
               else markdown; `find` narrows long pages). Answer with one table, a row a page with its address, and name \
               what a page does not say.",
        is_read_only: true,
    },
    PromptTemplate {
        name: "answer_with_sources",
        description: "Answer a question from several checked sources.",
        arguments: &[("question", "the question")],
        text: "Answer this question with the tool `research`: {question}. When it says that the run is still running, \
               call `run_wait` until it ends. Keep the report's citations, and say what its sources leave open.",
        is_read_only: true,
    },
    PromptTemplate {
        name: "do_in_browser",
        description: "Do a task on a web site without risking what was not asked for.",
        arguments: &[("task", "what to do"), ("url", "where to start")],
        text: "Do this in a browser with the tool `automate`, beginning at {url}: {task}. State in `guardrails` what the \
               task does not ask for, such as buying, sending and deleting. Set `interactive` if it needs values of a \
               person; never ask for passwords here. Then report what was done and what the pages showed.",
        is_read_only: false,
    },
];

fn is_offered(session: &Session, template: &PromptTemplate) -> bool {
    session.access == Access::All || template.is_read_only
}

/// The prompts that a client is offered.
pub(super) fn offered(session: &Session) -> Vec<Prompt> {
    let prompt = |template: &PromptTemplate| {
        let argument = |(name, description): &(&str, &str)| {
            PromptArgument::new(*name)
                .with_description(*description)
                .with_required(true)
        };
        let arguments = template.arguments.iter().map(argument).collect();
        Prompt::new(template.name, Some(template.description), Some(arguments))
    };
    TEMPLATES
        .iter()
        .filter(|it| is_offered(session, it))
        .map(prompt)
        .collect()
}

/// A prompt with its arguments filled in.
///
/// # Errors
/// When there is no such prompt, or arguments are missing; all of them are named.
pub(super) fn get(session: &Session, name: &str, given: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    let offered = || TEMPLATES.iter().filter(|it| is_offered(session, it));
    let Some(template) = offered().find(|it| it.name == name) else {
        let names: Vec<&str> = offered().map(|it| it.name).collect();
        let text = format!("there is no such prompt; there are {}", names.join(", "));
        return Err(ErrorData::invalid_params(text, None));
    };
    let value = |name: &str| {
        let text = given.get(name).and_then(|it| it.as_str());
        text.filter(|text| !text.trim().is_empty())
    };
    let missing: Vec<&str> = template
        .arguments
        .iter()
        .map(|it| it.0)
        .filter(|it| value(it).is_none())
        .collect();
    if !missing.is_empty() {
        let text = format!("arguments are missing: {}", missing.join(", "));
        return Err(ErrorData::invalid_params(text, None));
    }
    let text = template
        .arguments
        .iter()
        .fold(template.text.to_owned(), |text, (name, _)| {
            text.replace(&format!("{{{name}}}"), value(name).unwrap_or_default())
        });
    Ok(
        GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
            .with_description(template.description),
    )
}
