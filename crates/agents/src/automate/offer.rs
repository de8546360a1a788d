//! Which tools the model is offered. The same for a whole run, so that its prompts begin alike.

use browser::{Capability, NotCapable};
use llm::tool::Effects::{Act, Idempotent, Read};
use llm::tool::{Effects, ToolSet, ToolSpec};
use serde_json::{Map, Value, json};

/// What decides which tools there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Means {
    /// Whether a person may be asked.
    pub(super) interactive: bool,
    /// The keys of the person's values.
    pub(super) keys: Vec<String>,
    /// Whether the model sees pictures.
    pub(super) images: bool,
    /// Whether there are files that may be given to pages.
    pub(super) files: bool,
    /// Whether somebody searches the web.
    pub(super) search: bool,
}

/// The tools for a tab that can do what `can` says. The same for a whole run, so that prompts begin alike.
pub(super) fn offer(means: &Means, can: impl Fn(Capability) -> Result<(), NotCapable>) -> ToolSet {
    let able = |capability| can(capability).is_ok();
    let times = (
        "times",
        json!({"type": "integer", "description": "2 for a double click"}),
    );
    let mut click = vec![times];
    if able(Capability::Pointer) {
        click.extend([("x", pixels("place within it")), ("y", number())]);
    }
    let mut tools = vec![
        tool(
            "click",
            "Click an element; it is scrolled into view first.",
            &[REF],
            &click,
            Act,
        ),
        tool(
            "fill",
            "Replace the value of a field.",
            &[REF, VALUE],
            &[],
            Idempotent,
        ),
        tool(
            "select",
            "Choose options of a select field by their text, all that shall be chosen.",
            &[REF, OPTIONS],
            &[],
            Idempotent,
        ),
        tool(
            "check",
            "Set a checkbox, radio button or switch.",
            &[REF],
            &[],
            Idempotent,
        ),
        tool("uncheck", "Clear a checkbox or switch.", &[REF], &[], Idempotent),
        tool(
            "press",
            "Press keys, as in Enter, ArrowDown, Control+A, in an element or where the focus is.",
            &[KEY],
            &[optional_ref()],
            Act,
        ),
    ];
    if able(Capability::Keys) {
        tools.push(tool(
            "type",
            "Type by real keys, after what is there.",
            &[REF, VALUE],
            &[],
            Act,
        ));
        tools.push(tool("focus", "Focus an element.", &[REF], &[], Idempotent));
    }
    if able(Capability::Hover) {
        tools.push(tool(
            "hover",
            "Move the pointer over an element.",
            &[REF],
            &[("x", number()), ("y", number())],
            Idempotent,
        ));
    }
    if able(Capability::Pointer) {
        tools.push(tool(
            "right_click",
            "Click with the other button.",
            &[REF],
            &[],
            Act,
        ));
    }
    if able(Capability::Scroll) {
        let way = (
            "direction",
            json!({"type": "string", "enum": ["down", "up", "left", "right"]}),
        );
        let pixels = (
            "pixels",
            json!({"type": "integer", "description": "600 when absent"}),
        );
        let takes = [way, pixels, optional_ref()];
        tools.push(tool(
            "scroll",
            "Scroll the page or an element to read on; a ref alone brings it into view.",
            &[],
            &takes,
            Idempotent,
        ));
    }
    if able(Capability::Drag) {
        let takes = [
            (
                "to",
                json!({"type": "string", "description": "ref to drop it on"}),
            ),
            ("x", pixels("place within `to`; without `to` how far to drag")),
            ("y", number()),
            ("from_x", pixels("place within ref")),
            ("from_y", number()),
        ];
        tools.push(tool("drag", "Drag an element.", &[REF], &takes, Act));
        let text = (
            "text",
            json!({"type": "string", "description": "all when absent"}),
        );
        tools.push(tool(
            "select_text",
            "Select text, in an element or anywhere.",
            &[],
            &[optional_ref(), text],
            Act,
        ));
    }
    if able(Capability::Tabs) {
        let number = ("tab", json!({"type": "integer"}));
        tools.push(tool(
            "switch_tab",
            "Go on in another open tab.",
            &[],
            std::slice::from_ref(&number),
            Act,
        ));
        tools.push(tool(
            "close_tab",
            "Close a tab, the present one by default.",
            &[],
            &[number],
            Act,
        ));
    }
    if able(Capability::Dialogs) {
        let accept = ("accept", json!({"type": "boolean"}));
        let text = ("text", json!({"type": "string"}));
        let about = "Answer the open dialog; with none open, say how the next ones are answered.";
        tools.push(tool("answer_dialogs", about, &[], &[accept, text], Idempotent));
    }
    let text = (
        "text",
        json!({"type": "string", "description": "until the page shows this"}),
    );
    let mut wait = vec![("seconds", json!({"type": "number"}))];
    if able(Capability::Wait) {
        let gone = (
            "gone",
            json!({"type": "boolean", "description": "until it is gone"}),
        );
        wait.extend([text, optional_ref(), gone]);
    }
    let goto = "Go to an address that the task names or a page links to.";
    tools.extend([
        tool("wait", "Wait for something, or for a time.", &[], &wait, Read),
        tool("goto", goto, &[("url", "text")], &[], Act),
        tool("back", "Go one page back.", &[], &[], Act),
        tool("forward", "Go one page forward.", &[], &[], Act),
        tool(
            "search_page",
            "Find elements by a text they contain, on the whole page and not only in the part shown.",
            &[("text", "text")],
            &[],
            Read,
        ),
        tool(
            "extract",
            "Read something out of the whole page, such as a long text or a table.",
            &[ABOUT],
            &[],
            Read,
        ),
    ]);
    if means.images && able(Capability::Screenshot) {
        tools.push(tool("screenshot", "See the page as a picture.", &[], &[], Read));
        if able(Capability::Pointer) {
            let about = "Click at a place of the picture that no ref stands for.";
            tools.push(tool(
                "click_at",
                about,
                &[("x", "number"), ("y", "number")],
                &[],
                Act,
            ));
        }
    }
    if means.files && able(Capability::Upload) {
        let about = "Give files to a file field, by their names in the task.";
        tools.push(tool("upload", about, &[REF, ("files", "list")], &[], Act));
    }
    if means.search {
        let about = "Search the web; gives addresses, titles and summaries.";
        tools.push(tool("web_search", about, &[("query", "text")], &[], Read));
    }
    if !means.keys.is_empty() {
        let about = "Put a value of the person into a field, by its key.";
        tools.push(tool("fill_user_data", about, &[REF, KEY], &[], Idempotent));
    }
    if means.interactive {
        let about = "Ask the person for values of fields; they are filled in without you seeing them.";
        tools.push(tool(
            "request_user_data",
            about,
            &[ABOUT, ("refs", "list")],
            &[],
            Act,
        ));
    }
    tools.push(tool(
        "done",
        "Finish with the whole answer.",
        &[("result", "text")],
        &[],
        Idempotent,
    ));
    tools.push(tool(
        "abort",
        "Give up: the task cannot be done.",
        &[("reason", "text")],
        &[],
        Idempotent,
    ));
    ToolSet::new(tools)
}

/// About how many bytes of a prompt an offer takes.
pub(super) fn size(offer: &ToolSet) -> usize {
    // What stands around each tool, whatever the provider.
    const AROUND: usize = 60;
    let each = offer
        .iter()
        .map(|it| AROUND + it.name.len() + it.description.len() + it.parameters.to_string().len());
    each.sum()
}

const REF: (&str, &str) = ("ref", "text");
const VALUE: (&str, &str) = ("value", "text");
const OPTIONS: (&str, &str) = ("value", "list");
const KEY: (&str, &str) = ("key", "text");
const ABOUT: (&str, &str) = ("description", "text");

fn optional_ref() -> (&'static str, Value) {
    ("ref", json!({"type": "string"}))
}

fn number() -> Value {
    json!({"type": "number"})
}

fn pixels(about: &str) -> Value {
    json!({"type": "number", "description": format!("{about}, in pixels")})
}

fn tool(
    name: &str,
    about: &str,
    needs: &[(&str, &str)],
    takes: &[(&str, Value)],
    effects: Effects,
) -> ToolSpec {
    let mut properties = Map::new();
    for (name, kind) in needs {
        let schema = match *kind {
            "list" => json!({"type": "array", "items": {"type": "string"}}),
            "number" => number(),
            _ => json!({"type": "string"}),
        };
        properties.insert((*name).to_owned(), schema);
    }
    for (name, schema) in takes {
        properties.insert((*name).to_owned(), schema.clone());
    }
    let required: Vec<&str> = needs.iter().map(|(name, _)| *name).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    ToolSpec::new(name, about, schema, effects)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every tool as it is offered, in its order, with the exact text of its schema.
    fn shown(title: &str, offer: &ToolSet) -> String {
        let mut text = format!("=== {title}, {} bytes\n", size(offer));
        for tool in offer.iter() {
            let effects = tool.effects;
            text.push_str(&format!("{} ({effects:?}): {}\n", tool.name, tool.description));
            text.push_str(&format!("    {}\n", tool.parameters));
        }
        text
    }

    #[test]
    fn tools_are_offered_by_what_the_tab_and_the_run_can_do() {
        let all = Means {
            interactive: true,
            keys: vec!["email".to_owned()],
            images: true,
            files: true,
            search: true,
        };
        let none = Means::default();
        let mut text = String::new();
        text.push_str(&shown("everything", &offer(&all, |_| Ok(()))));
        text.push_str(&shown("any tab, a plain run", &offer(&none, |_| Ok(()))));
        let poor = |capability: Capability| match capability {
            Capability::Links | Capability::Forms => Ok(()),
            other => Err(NotCapable {
                what: other,
                advice: "none",
            }),
        };
        text.push_str(&shown("a plain tab", &offer(&all, poor)));
        for lacking in Capability::ALL {
            let able = |capability: Capability| match capability == lacking {
                true => Err(NotCapable {
                    what: capability,
                    advice: "none",
                }),
                false => Ok(()),
            };
            let names: Vec<String> = offer(&all, able)
                .iter()
                .map(|tool| {
                    let parameters = tool.parameters["properties"].as_object();
                    let parameters = parameters.into_iter().flatten().map(|(name, _)| name.as_str());
                    format!("{}({})", tool.name, parameters.collect::<Vec<_>>().join(" "))
                })
                .collect();
            text.push_str(&format!("=== without {lacking:?}\n{}\n", names.join("\n")));
        }
        insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "snapshots"}, {
            insta::assert_snapshot!("offered_tools", text);
        });
    }
}
