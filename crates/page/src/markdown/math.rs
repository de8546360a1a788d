//! Formulas as TeX, where the page has it.

use crate::dom::Node;
use html5ever::local_name;

/// A formula.
pub(super) struct Formula {
    pub(super) tex: String,
    pub(super) display: bool,
}

impl Formula {
    /// The formula of `<math>` or `<script type="math/tex">`.
    pub(super) fn of(node: Node<'_>) -> Option<Formula> {
        let (tex, display) = match *node.local() {
            local_name!("math") => {
                let display = node.attr("display") == Some("block") || node.attr("mode") == Some("display");
                (
                    annotation(node).or_else(|| node.attr("alttext").map(str::to_owned))?,
                    display,
                )
            }
            local_name!("script") => {
                let kind = node.attr("type")?;
                let after = kind.trim().strip_prefix("math/tex")?;
                (node.raw_text(), after.contains("mode=display"))
            }
            _ => return None,
        };
        let tex: String = tex.split_whitespace().collect::<Vec<_>>().join(" ");
        (!tex.is_empty()).then_some(Formula {
            tex: harmless(&tex),
            display,
        })
    }

    /// The formula between dollars.
    pub(super) fn markdown(&self) -> String {
        if self.display {
            format!("$${}$$", self.tex)
        } else {
            format!("${}$", self.tex)
        }
    }
}

/// TeX that means the same and holds neither the end of the formula nor a link or a tag.
fn harmless(tex: &str) -> String {
    let mut out = String::with_capacity(tex.len() + 4);
    let mut before = ' ';
    for c in tex.chars() {
        match (before, c) {
            (b, '$') if b != '\\' => out.push('\\'),
            (']', '(' | '[') => out.push(' '),
            ('<', c) if c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?') => out.push(' '),
            _ => {}
        }
        out.push(c);
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    out
}

/// The TeX source that tools put beside the presentation.
fn annotation(math: Node<'_>) -> Option<String> {
    let source = math.descendants().find(|node| {
        node.is("annotation")
            && node
                .attr("encoding")
                .is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    })?;
    Some(source.raw_text())
}

/// Whether an element only draws a formula whose source stands beside it.
pub(super) fn is_drawing(node: Node<'_>) -> bool {
    let Some(class) = node.attr_local(&local_name!("class")) else {
        return false;
    };
    if !class.contains("katex-html") && !class.contains("MathJax") && !class.contains("mwe-math-fallback") {
        return false;
    }
    let named = |name: &str| node.has_class(name);
    if named("katex-html")
        || named("mwe-math-fallback-image-inline")
        || named("mwe-math-fallback-image-display")
    {
        return node
            .siblings_before()
            .take(4)
            .any(|node| node.is("math") || node.descendants().take(8).any(|inner| inner.is("math")));
    }
    let drawn =
        named("MathJax") || named("MathJax_Display") || named("MathJax_Preview") || named("MathJax_SVG");
    drawn
        && node.siblings_after().take(4).any(|node| {
            node.is("script") && node.attr("type").is_some_and(|kind| kind.starts_with("math/tex"))
        })
}
