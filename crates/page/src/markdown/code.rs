//! Code blocks and inline code: exact lines, language, and a fence longer than any inside.

use crate::dom::{Edge, Node, NodeId};
use crate::{tag, text};
use html5ever::local_name;

/// Classes of elements that hold line numbers.
const GUTTER_CLASSES: &str = "lineno linenos linenumber linenumbers line-number line-numbers line-numbers-rows lineNumber \
    lineNumbers gutter ln lnt linenodiv hljs-ln-numbers rouge-gutter gl crayon-num \
    syntaxhighlighter-line-numbers";
/// Classes of elements whose children hold line numbers.
const GUTTER_PARENT_CLASSES: &str = "gutter linenos rouge-gutter lntd linenodiv line-numbers blob-num";

/// A block of code.
pub(super) struct CodeBlock {
    pub(super) language: String,
    pub(super) text: String,
}

impl CodeBlock {
    /// The code of a `<pre>`; none when it holds only line numbers, or elements without text.
    pub(super) fn of(pre: Node<'_>) -> Option<CodeBlock> {
        let mut text = lines(only_code(pre).unwrap_or(pre));
        if (text.trim().is_empty() && !is_bare(pre)) || (is_gutter(pre) && is_numbers(&text)) {
            return None;
        }
        // The last line end belongs to the markup, with the spaces before the end of the element.
        if let Some(end) = text.rfind('\n')
            && text.get(end..).is_some_and(|rest| rest.trim().is_empty())
        {
            text.truncate(end);
        }
        Some(CodeBlock {
            language: language(pre),
            text,
        })
    }

    /// The fence around the block.
    pub(super) fn fence(&self) -> String {
        "`".repeat(longest_run(&self.text).max(2) + 1)
    }
}

/// Fewest cells of a row of a table of data; one of code has its lines beside their numbers.
const CELLS: usize = 3;

/// Whether a `<pre>` is a table of data and nothing else, which is no code. Tables of code have columns of line numbers.
pub(super) fn holds_table(pre: Node<'_>) -> bool {
    let Some(table) = pre.descendants().find(|node| node.is("table")) else {
        return false;
    };
    let is_other = |node: &Node<'_>| {
        let is_text = node.text_value().is_some_and(|text| !text.trim().is_empty());
        node.is("code") || (is_text && !node.is_inside(table.id()))
    };
    let rows: Vec<Vec<Node<'_>>> = table
        .descendants()
        .filter(|node| node.is("tr"))
        .map(|row| {
            row.children()
                .filter(|cell| cell.is("td") || cell.is("th"))
                .collect()
        })
        .collect();
    let is_numbered = |row: &Vec<Node<'_>>| row.first().is_some_and(|cell| is_numbers(&cell.text()));
    rows.iter().any(|row| row.len() >= CELLS)
        && !rows.iter().any(is_numbered)
        && !pre.descendants().any(|node| is_other(&node))
}

/// The `<code>` that has nothing but white space beside it in a `<pre>`.
fn only_code(pre: Node<'_>) -> Option<Node<'_>> {
    let mut inside = pre.children().filter(|child| !is_blank(*child));
    inside
        .next()
        .filter(|first| *first.local() == local_name!("code") && inside.next().is_none())
}

/// Whether a `<pre>` holds no element besides its `<code>`.
fn is_bare(pre: Node<'_>) -> bool {
    let code = only_code(pre);
    pre.descendants()
        .all(|node| !node.is_element() || code == Some(node))
}

/// The lines of a `<pre>`: white space exact, a line for each `<br>` and each element set as a
/// block, no line numbers.
fn lines(pre: Node<'_>) -> String {
    let mut out = String::new();
    let counters = counters(pre);
    let mut walk = pre.traverse();
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(node) => {
                let counts = || is_line_number(node) || counters.binary_search(&node.id()).is_ok();
                if let Some(text) = node.text_value() {
                    out.push_str(&text::with_plain_line_ends(text));
                } else if node != pre && (node.is_hidden_by_tag() || counts()) {
                    walk.leave_out();
                } else if *node.local() == local_name!("br") {
                    out.push('\n');
                } else if node != pre && (tag::is_block(node.local()) || starts_line(node)) {
                    end_line(&mut out);
                }
            }
            Edge::Close(node) => {
                if node != pre && node.is_element() && tag::is_block(node.local()) {
                    end_line(&mut out);
                }
            }
        }
    }
    out
}

fn end_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Whether an element is one of several that each wrap a line, with nothing between them.
fn starts_line(node: Node<'_>) -> bool {
    let line = |node: Node<'_>| {
        node.classes().any(|class| {
            matches!(
                class,
                "line" | "code-line" | "token-line" | "view-line" | "hljs-ln-line" | "react-code-text"
            )
        })
    };
    line(node)
        && node
            .prev_sibling()
            .is_some_and(|before| before.is_element() && line(before))
}

/// Elements that number the lines without saying so: each the first in the box of a line, before
/// another element, and together they count.
fn counters(pre: Node<'_>) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut expected = None;
    for node in pre.descendants() {
        let alone = node.first_child().filter(|child| child.next_sibling().is_none());
        let Some(text) = alone.and_then(Node::text_value) else {
            continue;
        };
        let first = node
            .siblings_before()
            .take(3)
            .all(|sibling| sibling.is_hidden_by_tag() || is_blank(sibling));
        let code = node.siblings_after().take(3).find(|sibling| sibling.is_element());
        let boxed = node.parent().is_some_and(|line| line != pre && line.is_block());
        let (true, true, Some(code), Ok(number)) = (first, boxed, code, text.trim().parse::<u32>()) else {
            continue;
        };
        // One number alone may be code, unless what follows is set as a block of its own.
        if expected.is_some_and(|expected| expected != number)
            || (expected.is_none() && !code.is_block() && number > 1)
        {
            return Vec::new();
        }
        expected = Some(number.saturating_add(1));
        found.push(node.id());
    }
    let single = found.first().is_some_and(|id| {
        let code = pre
            .dom()
            .node(*id)
            .siblings_after()
            .take(3)
            .find(|sibling| sibling.is_element());
        code.is_some_and(Node::is_block)
    });
    if found.len() > 1 || single {
        found
    } else {
        Vec::new()
    }
}

fn is_blank(node: Node<'_>) -> bool {
    node.text_value().is_some_and(|text| text.trim().is_empty())
}

/// Whether an element holds the number of a line.
fn is_line_number(node: Node<'_>) -> bool {
    is_gutter(node) && {
        let text = node.raw_text();
        text.len() < 4096 && is_numbers(&text)
    }
}

/// Whether the names of an element are those of a column of line numbers.
fn is_gutter(node: Node<'_>) -> bool {
    let has = |node: Node<'_>, names: &str| {
        node.classes()
            .any(|class| names.split(' ').any(|name| name == class))
    };
    has(node, GUTTER_CLASSES)
        || node
            .parent()
            .is_some_and(|parent| has(parent, GUTTER_PARENT_CLASSES))
}

fn is_numbers(text: &str) -> bool {
    let mut words = text.split_whitespace();
    text.bytes().any(|byte| byte.is_ascii_digit())
        && words.all(|word| {
            let word = word.trim_end_matches([':', '.', '|']);
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// The language that the classes of a block, its `<code>` or the boxes around it name.
fn language(pre: Node<'_>) -> String {
    let code = pre.children().find(|node| *node.local() == local_name!("code"));
    let around = pre.ancestors().take(2);
    let named = code.into_iter().chain([pre]).chain(around).find_map(|node| {
        let attribute = ["data-lang", "data-language", "data-code-language"]
            .iter()
            .find_map(|name| node.attr(name));
        attribute
            .or_else(|| node.classes().find_map(of_class))
            .filter(|name| is_language(name))
            .or_else(|| brush(node))
    });
    named.map(str::to_ascii_lowercase).unwrap_or_default()
}

fn of_class(class: &str) -> Option<&str> {
    [
        "language-",
        "lang-",
        "highlight-source-",
        "highlight-text-",
        "brush:",
        "sourceCode-",
    ]
    .iter()
    .find_map(|prefix| class.strip_prefix(prefix))
    .filter(|name| !matches!(*name, "none" | "plaintext" | "text" | "nohighlight" | "default"))
}

/// `class="brush: js; toolbar: false"`, the way of SyntaxHighlighter; `class="highlight python"`
/// and `class="sourceCode python"`, the ways of others.
fn brush(node: Node<'_>) -> Option<&str> {
    let mut classes = node.classes();
    let first = classes.next()?;
    let second = classes.next()?.trim_end_matches(';');
    let keyed = matches!(first, "brush:" | "sourceCode" | "prettyprint" | "hljs");
    let known = !matches!(
        second,
        "linenums" | "prettyprinted" | "copyable" | "default" | "text" | "plain"
    );
    (keyed && known && is_language(second)).then_some(second)
}

fn is_language(name: &str) -> bool {
    (1..=24).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte >= 0x80 || b"+-#._".contains(&byte))
}

/// Inline code between ticks, or nothing when there is none. In a cell `|` is escaped, as the
/// row is cut before the code is read.
pub(super) fn inline(text: &str, cell: bool) -> String {
    let mut code = String::with_capacity(text.len());
    for word in text
        .split([' ', '\n', '\t', '\r', '\x0c'])
        .filter(|word| !word.is_empty())
    {
        if !code.is_empty() {
            code.push(' ');
        }
        code.push_str(word);
    }
    if code.is_empty() {
        return code;
    }
    if cell {
        code = code.replace('|', "\\|");
    }
    let ticks = free_run(&code);
    let pad = if code.starts_with('`') || code.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{pad}{code}{pad}{ticks}")
}

/// The shortest run of ticks that does not stand in the code.
fn free_run(code: &str) -> String {
    let mut taken = [false; 64];
    let mut run = 0usize;
    for byte in code.bytes().chain([0]) {
        if byte == b'`' {
            run += 1;
        } else {
            if let Some(slot) = taken.get_mut(run) {
                *slot = true;
            }
            run = 0;
        }
    }
    let free = (1..taken.len()).find(|len| taken.get(*len) == Some(&false));
    "`".repeat(free.unwrap_or_else(|| longest_run(code) + 1))
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0usize, 0usize);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// The link that all of an element's text lies in.
pub(super) fn only_link(code: Node<'_>) -> Option<Node<'_>> {
    let link = code.descendants().find(|node| node.is("a"))?;
    let outside = code.descendants().any(|node| {
        !node.is_inside(link.id()) && node.text_value().is_some_and(|text| !text.trim().is_empty())
    });
    (!outside).then_some(link)
}
