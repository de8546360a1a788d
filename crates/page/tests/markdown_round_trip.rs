//! Markdown of a page, read by a parser of CommonMark, gives the page again.

use page::Page;
use page::dom::Node;
use page::markdown::{MarkdownOptions, render};
use proptest::prelude::*;
use pulldown_cmark::{Options, Parser, html};

fn to_html(markdown: &str) -> String {
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    out
}

fn to_markdown(html: &str) -> String {
    let page = Page::new(html, None);
    let body = page.dom().body().unwrap_or(page.dom().root());
    render(&page, &[body], &MarkdownOptions::default())
}

/// Elements and texts, white space outside of code and between blocks left out; items hold their text directly.
fn outline(html: &str) -> String {
    fn walk(node: Node<'_>, out: &mut String) {
        for child in node.children() {
            if let Some(text) = child.text_value() {
                if node.is("code") && node.parent().is_some_and(|parent| parent.is("pre")) {
                    out.push_str(text);
                    continue;
                }
                out.push_str(&text.split_whitespace().collect::<Vec<_>>().join(" "));
            } else if child.is("p") && node.is("li") {
                walk(child, out);
            } else if child.is_element() {
                out.push_str(&format!("<{}>", child.tag()));
                walk(child, out);
                out.push_str(&format!("</{}>", child.tag()));
            }
        }
    }
    let page = Page::new(html, None);
    let mut out = String::new();
    walk(page.dom().body().unwrap_or(page.dom().root()), &mut out);
    out
}

/// A few words, some of which would be markup.
fn words() -> impl Strategy<Value = String> {
    let signs = vec![
        "1.",
        "-",
        "+",
        "*a*",
        "_b_",
        "#",
        "`",
        "~~",
        "[x]",
        "!",
        "|",
        "\\",
        "=",
        "2)",
        "\\*",
        "&amp;amp;",
    ];
    let word = prop_oneof!["[a-z]{1,6}", prop::sample::select(signs).prop_map(str::to_owned)];
    (prop::collection::vec(word, 0..5), "[a-z]{2,5}")
        .prop_map(|(words, last)| format!("{} {last}", words.join(" ")).trim().to_owned())
}

fn block() -> impl Strategy<Value = String> {
    let list = (prop::collection::vec(words(), 1..4), any::<bool>()).prop_map(|(items, numbered)| {
        let tag = if numbered { "ol" } else { "ul" };
        let items: String = items.iter().map(|item| format!("<li>{item}</li>")).collect();
        format!("<{tag}>{items}</{tag}>")
    });
    let mixed = (words(), words(), words()).prop_map(|(a, b, c)| {
        format!(
            "<ul><li>{a}<blockquote><p>{b}</p></blockquote><hr><h3>{c}</h3>{b}<pre><code>{a}\n</code></pre></li><li>{c}</li></ul>"
        )
    });
    let nested = (words(), words(), any::<bool>()).prop_map(|(a, b, strong)| {
        let tag = if strong { "strong" } else { "em" };
        format!("<p><{tag}>{a} <{tag}>{b}</{tag}></{tag}> <{tag}><{tag}>{a}</{tag}></{tag}></p>")
    });
    let leaf = prop_oneof![
        words().prop_map(|text| format!("<p>{text}</p>")),
        (words(), 1..7u8).prop_map(|(text, level)| format!("<h{level}>{text}</h{level}>")),
        ("\n{0,2}", words(), "[ \n]{0,3}")
            .prop_map(|(before, text, after)| format!("<pre><code>{before}{text}{after}\n</code></pre>")),
        words().prop_map(|text| format!("<p><strong>{text}</strong> and <em>more</em></p>")),
        words().prop_map(|text| format!("<p><a href=\"https://a.example/x(1)\">{text}</a></p>")),
        words().prop_map(|text| format!("<p><a href=\"/`\">{text}</a> <a href=\"\">{text}`</a></p>")),
        words().prop_map(|text| format!("<ol><li>{text}</li><li></li><li>{text}</li></ol>")),
        Just("<hr>".to_owned()),
        Just("<blockquote></blockquote>".to_owned()),
        list,
        mixed,
        nested,
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop::collection::vec(inner, 1..3)
            .prop_map(|inside| format!("<blockquote>{}</blockquote>", inside.concat()))
    })
}

proptest! {
    #[test]
    fn blocks_come_back_as_they_were(blocks in prop::collection::vec(block(), 1..5)) {
        let html = blocks.concat();
        let markdown = to_markdown(&html);
        prop_assert_eq!(outline(&to_html(&markdown)), outline(&html), "{}", markdown);
    }
}

#[test]
fn what_stands_side_by_side_comes_back_apart() {
    for html in [
        "<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>",
        "<ol><li>a</li></ol><ol><li>b</li></ol>",
        "<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>",
        "<blockquote><pre><code>a\n</code></pre></blockquote>",
        "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
        "<ol><li>a</li></ol><ul><li>b</li></ul><ol><li>c</li></ol>",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>",
    ] {
        assert_eq!(outline(&to_html(&to_markdown(html))), outline(html), "{html}");
    }
}

#[test]
fn an_item_whose_words_are_in_no_paragraph_comes_back_without_one() {
    for html in [
        "<ul><li>a<pre><code>b\n</code></pre></li><li>c</li></ul>",
        "<ul><li>a<blockquote><pre><code>b\n</code></pre></blockquote></li><li>c</li></ul>",
        "<ol><li>a<hr>b<h2>c</h2>d</li><li>e<ul><li>f</li></ul></li></ol>",
    ] {
        let back = to_html(&to_markdown(html));
        assert!(!back.contains("<p>"), "{back}");
    }
}
