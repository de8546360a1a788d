use super::*;

/// The tree as one line: `tag(child child)`, text in quotes.
fn shape(html: &str) -> String {
    let dom = Dom::parse(html);
    let mut out = String::new();
    for edge in dom.body().expect("a body").traverse() {
        match edge {
            Edge::Open(node) => match node.text_value() {
                Some(text) => out.push_str(&format!("{text:?} ")),
                None => out.push_str(&format!("{}( ", node.tag())),
            },
            Edge::Close(node) if node.is_element() => out.push_str(") "),
            Edge::Close(_) => {}
        }
    }
    out.trim_end().to_owned()
}

#[test]
fn the_tree_is_a_browsers() {
    assert_eq!(shape("<p>a<p>b"), r#"body( p( "a" ) p( "b" ) )"#);
    assert_eq!(
        shape("<b>1<i>2</b>3</i>"),
        r#"body( b( "1" i( "2" ) ) i( "3" ) )"#
    );
    assert_eq!(
        shape("<table>x<tr><td>y</table>"),
        r#"body( "x" table( tbody( tr( td( "y" ) ) ) ) )"#
    );
    assert_eq!(
        shape("x<noscript><img></noscript>"),
        "body( \"x\" noscript( img( ) ) )"
    );
    assert_eq!(
        shape("x<template><p>t</template>"),
        r#"body( "x" template( p( "t" ) ) )"#
    );
    assert_eq!(shape("a<!-- c -->b&amp;c&nbsp;"), r#"body( "ab&c\u{a0}" )"#);
    assert_eq!(
        shape("<svg><path/><a>x</a></svg>y"),
        r#"body( svg( path( ) a( "x" ) ) "y" )"#
    );
}

#[test]
fn links_between_nodes_agree_with_each_other() {
    let dom = Dom::parse("<table>x<tr><b>y<td>z</b><p>a<b>b<p>c</table><p>d<div>e<i>f<p>g</i>h");
    for node in dom.nodes() {
        let children: Vec<_> = node.children().collect();
        assert_eq!(node.first_child(), children.first().copied());
        assert_eq!(node.last_child(), children.last().copied());
        let mut back: Vec<_> = node.children().rev().collect();
        back.reverse();
        assert_eq!(children, back);
        for pair in children.windows(2) {
            assert_eq!(
                (pair[0].next_sibling(), pair[1].prev_sibling()),
                (Some(pair[1]), Some(pair[0]))
            );
        }
        assert!(children.iter().all(|child| child.parent() == Some(node)));
        let inside: Vec<_> = dom
            .nodes()
            .filter(|it| it.ancestors().any(|above| above == node))
            .collect();
        assert_eq!(node.descendants().collect::<Vec<_>>(), inside);
        assert!(
            inside
                .iter()
                .all(|it| it.is_inside(node.id()) && !node.is_inside(it.id()))
        );
        let opened: Vec<_> = node
            .traverse()
            .filter(|edge| matches!(edge, Edge::Open(_)))
            .collect();
        assert_eq!(opened.len(), inside.len() + 1);
    }
}

#[test]
fn a_walk_can_leave_out_a_subtree() {
    let dom = Dom::parse("<div><p>a</p><ul><li>b</ul>c</div>");
    let mut walk = dom.body().expect("a body").traverse();
    let mut seen = String::new();
    while let Some(edge) = walk.next() {
        if let Edge::Open(node) = edge {
            seen += node.text_value().unwrap_or("");
            if node.is("ul") || node.is("p") {
                walk.leave_out();
            }
        }
    }
    assert_eq!(seen, "c");
}

#[test]
fn attributes_are_found_by_name() {
    let dom = Dom::parse("<body class=a><body class=b id=c data-x='&lt;1'><svg><a xlink:href=#h>");
    let body = dom.body().expect("a body");
    assert_eq!(
        body.attrs().collect::<Vec<_>>(),
        [("class", "a"), ("id", "c"), ("data-x", "<1")]
    );
    assert_eq!(
        (body.class(), body.id_attr(), body.attr("none")),
        ("a", "c", None)
    );
    assert_eq!(
        dom.by_tag("a").next().and_then(|a| a.attr("xlink:href")),
        Some("#h")
    );
}

#[test]
fn selectors_find_what_css_says() {
    let dom = Dom::parse(
        "<div id=a class='x y'><p lang=de>1<p class=y>2</div><ul><li>3<li>4<li>5</ul><svg><linearGradient/></svg>",
    );
    for (css, found) in [
        ("p", 2),
        ("DIV > p", 2),
        ("#a .y", 1),
        (".x.y, .y", 2),
        ("[lang|=de] + p", 1),
        ("li:nth-child(2n+1)", 2),
        ("li:last-child", 1),
        ("div:has(> p.y)", 1),
        (":is(p, li):not(.y)", 4),
        ("[class~=y]", 2),
        ("p:empty", 0),
        (":root", 1),
        ("linearGradient", 1),
    ] {
        let selector = Selector::parse(css).expect(css);
        assert_eq!(dom.select(&selector).count(), found, "{css}");
    }
    let selector = Selector::parse("div p").expect("a selector");
    let div = dom.by_tag("div").next().expect("a div");
    assert_eq!(div.select(&selector).count(), 2);
    assert!(!div.matches(&selector));
}

#[test]
fn a_bad_selector_says_where() {
    for css in ["", "p >", "p:hover", "::before", "[x=", "a:b(c)", "p..x"] {
        let error = Selector::parse(css).expect_err(css);
        assert!(error.to_string().contains("is not a CSS selector"), "{error}");
    }
}

/// Each would overflow the stack of the parser or of the matcher, or take hours.
#[test]
fn a_selector_beyond_the_limits_is_refused_before_it_is_parsed() {
    let nested = |count: usize| format!("{}a{}", ":is(".repeat(count), ")".repeat(count));
    let chain = |count: usize| format!("a{}", "+a".repeat(count));
    assert!(Selector::parse(&nested(MAX_SELECTOR_DEPTH)).is_ok());
    assert!(Selector::parse(&chain(MAX_COMBINATORS)).is_ok());
    for (css, said) in [
        (nested(MAX_SELECTOR_DEPTH + 1), "17 levels deep; at most 16"),
        (":not(".repeat(200), "200 levels deep"),
        (":is(".repeat(1_000), "1000 levels deep"),
        (":has(".repeat(800), "800 levels deep"),
        (":is(".repeat(1_000_000), "4000000 bytes; at most 4096"),
        (chain(MAX_COMBINATORS + 1), "257 combinators"),
        ("a, ".repeat(1_000_000), "3000000 bytes"),
    ] {
        let error = Selector::parse(&css).expect_err("beyond the limits").to_string();
        assert!(error.contains(said) && error.len() < 300, "{error}");
    }
}

#[test]
fn a_selector_that_takes_too_many_steps_is_an_error_and_never_a_short_list() {
    let siblings = Dom::parse(&"<i></i>".repeat(20_000));
    let deep = Dom::parse(&"<div>".repeat(500).repeat(20));
    let anywhere = format!("{}x", "* ".repeat(200));
    for (dom, css) in [(&siblings, "b ~ i"), (&deep, ":is(:is(:is(b * *) * *) * *) *")] {
        let selector = Selector::parse(css).expect(css);
        let error = dom.root().select_all(&selector).expect_err(css);
        assert_eq!(
            error,
            crate::Error::SelectorCost {
                selector: css.to_owned()
            }
        );
    }
    let selector = Selector::parse(&anywhere).expect("a selector");
    assert_eq!(deep.root().select_all(&selector).map(|found| found.len()), Ok(0));
    let plain = Selector::parse("i:nth-child(2n), i:last-child, p > i").expect("a selector");
    assert_eq!(
        siblings.root().select_all(&plain).map(|found| found.len()),
        Ok(10_000)
    );
    assert_eq!(
        siblings.root().select_first(&plain).map(|found| found.is_some()),
        Ok(true)
    );
}

#[test]
fn elements_beyond_the_depth_limit_are_left_out_and_their_text_stays() {
    for (open, close) in [
        ("<div>", "</div>"),
        ("<ul><li>", "</li></ul>"),
        ("<b>", "</b>"),
        ("<svg><g>", "</g></svg>"),
        ("<table><tr><td>", "</table>"),
    ] {
        let html = format!("{}deep{}after<p>end", open.repeat(5000), close.repeat(5000));
        let dom = Dom::parse(&html);
        let deepest = dom.nodes().map(|node| node.ancestors().count()).max();
        assert!(deepest <= Some(MAX_DEPTH + 8), "{open}: {deepest:?}");
        assert!(dom.flattened() > 4000, "{open}");
        assert_eq!(dom.root().raw_text(), "deepafterend", "{open}");
        let end = dom.by_tag("p").next().expect("a paragraph");
        assert_eq!(
            end.parent(),
            dom.body(),
            "{open}: the page goes on where it should"
        );
    }
}

#[test]
fn the_page_after_a_deep_part_keeps_its_structure() {
    let deep = format!(
        "{}<p>x<br><script>1<2</script><span>y</span>{}",
        "<div>".repeat(600),
        "</div>".repeat(600)
    );
    let dom = Dom::parse(&format!("{deep}<ul><li>a<li>b</ul>"));
    let list = dom.by_tag("ul").next().expect("a list");
    assert_eq!((list.parent(), list.children().count()), (dom.body(), 2));
}

#[test]
fn broken_formatting_cannot_multiply_elements_without_end() {
    let fonts: String = (0..400).map(|n| format!("<p><font a{n}>")).collect();
    let html = format!("{fonts}{}", "</i></p><p>x".repeat(20_000));
    let dom = Dom::parse(&html);
    assert_eq!(dom.truncation(), Some(Truncation::Elements));
    assert!(dom.len() < html.len());
}

#[test]
fn a_tree_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Dom>();
    shared::<Selector>();
    shared::<NodeSet>();
}

#[test]
fn nothing_in_a_noscript_reaches_beyond_its_end() {
    for inside in [
        "<iframe src=x>",
        "<div><p>",
        "<table><tr>",
        "</div></body>",
        "<style>",
        "<textarea><b>",
    ] {
        let dom = Dom::parse(&format!("<div id=a>x<noscript>{inside}</noscript><p>after</div>"));
        let after = dom.by_tag("p").last().expect("a paragraph");
        assert_eq!(after.parent().map(Node::id_attr), Some("a"), "{inside}");
        assert_eq!(after.text(), "after", "{inside}");
    }
}

#[test]
fn what_a_style_in_a_noscript_holds_is_no_text() {
    let dom = Dom::parse("<p>x<noscript>a<style>.b{c:url(\"<svg><b>\")}</style>d<script>e</noscript>f");
    let noscript = dom.by_tag("noscript").next().expect("a noscript");
    let texts: Vec<_> = noscript.descendants().filter_map(Node::text_value).collect();
    assert_eq!(texts, ["ad"]);
    assert_eq!(dom.body().expect("a body").text(), "xf");
}

#[test]
fn a_noscript_in_the_head_does_not_end_the_head() {
    let html =
        "<head><noscript>x<img src=pixel><link rel=a></noscript><meta name=b><title>t</title></head><p>c";
    let dom = Dom::parse(html);
    let head = dom.head().expect("a head");
    let tags: Vec<_> = head.descendants().map(Node::tag).collect();
    assert_eq!(tags, ["noscript", "link", "meta", "title", ""]);
}

#[test]
fn a_repeated_body_may_bring_a_protected_address() {
    assert_eq!(shape("<body>x<body data-cfemail=00>"), r#"body( "x" )"#);
    assert_eq!(shape("<body><body data-cfemail=00>"), "body( )");
}

/// The same page through html5ever's own tokenizer.
fn parse_slowly(html: &str) -> Dom {
    use html5ever::buffer_queue::BufferQueue;
    use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
    let tokenizer = Tokenizer::new(
        depth_limiter::DepthLimiter::for_bytes(html.len()),
        TokenizerOpts::default(),
    );
    let queue = BufferQueue::default();
    queue.push_back(html5ever::tendril::StrTendril::from_slice(html));
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.into_dom(None)
}

/// All of a tree, neighbouring texts put together.
fn dump(dom: &Dom) -> String {
    let mut out = String::new();
    let mut text = String::new();
    for edge in dom.root().traverse() {
        if let Edge::Open(node) = edge
            && let Some(piece) = node.text_value()
        {
            text += piece;
            continue;
        }
        if matches!(edge, Edge::Close(node) if node.is_text()) {
            continue;
        }
        if !text.is_empty() {
            out += &format!("{:?}\n", std::mem::take(&mut text));
        }
        match edge {
            Edge::Open(node) => out += &format!("<{} {:?}\n", node.tag(), node.attrs().collect::<Vec<_>>()),
            Edge::Close(node) => out += &format!("{}>\n", node.tag()),
        }
    }
    out
}

/// Pieces that bring a tokenizer into all of its states, to be put together in any order.
const PIECES: &[&str] = &[
    "<",
    "</",
    "<!",
    "<?",
    ">",
    "/>",
    "=",
    "'",
    "\"",
    " ",
    "\n",
    "\r\n",
    "\r",
    "-",
    "--",
    "-->",
    "--!>",
    "<!--",
    "<!-->",
    "<!--->",
    "<!doctype html>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\">",
    "<!doctype x system 'y'z>",
    "<![CDATA[",
    "]]>",
    "]",
    "<script>",
    "</script>",
    "</SCRIPT ",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea/",
    "<plaintext>",
    "<xmp>",
    "</xmp>",
    "<iframe>",
    "</iframe>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mi>",
    "<p",
    "<P CLASS=",
    "<div a=b c='d' a=\"e\">",
    "<a href=x&amp;y&copy=1&copy;2&notit;>",
    "</p>",
    "</div x=y>",
    "&",
    "&amp",
    "&AMP;",
    "&notit;",
    "&notin;",
    "&#65;",
    "&#x4a",
    "&#0;",
    "&#128;",
    "&#xD800;",
    "&#99999999999;",
    "&#;",
    "&#x;",
    "&nope;",
    "&acE;",
    "\0",
    "\u{c}",
    "żółw",
    "word",
    "<table>",
    "<tr>",
    "<td>",
    "<pre>",
    "<b>",
    "</b>",
    "<select>",
    "<option>",
    "<template>",
    "</template>",
    "<body id=z>",
    "<br/>",
    "<a/b/c>",
    "<a =b>",
];

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(2000))]

    #[test]
    fn our_tokens_are_those_of_the_standard(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..14)) {
        let html = pieces.concat();
        proptest::prop_assert_eq!(dump(&Dom::parse(&html)), dump(&parse_slowly(&html)), "{:?}", html);
    }
}

#[test]
fn very_many_attributes_are_kept_once_each() {
    let html = format!(
        "<p {}x=2>",
        (0..5000).map(|n| format!("a{} ", n % 4000)).collect::<String>()
    );
    let dom = Dom::parse(&html);
    let p = dom.by_tag("p").next().expect("a paragraph");
    assert_eq!((p.attrs().count(), p.attr("x")), (4001, Some("2")));
}

#[test]
fn a_hidden_mail_address_reads_as_in_a_browser() {
    let link = |value: &str| {
        format!("<a href=/cdn-cgi/l/email-protection data-cfemail={value}>[email&#160;protected]</a>")
    };
    assert_eq!(
        Dom::parse(&link("422f27022c27356c262d6c7636")).root().text(),
        "me@new.do.4t"
    );
    for value in ["4", "zz", "422f", "", "żółw"] {
        assert_eq!(
            Dom::parse(&link(value)).root().text(),
            "[email protected]",
            "{value}"
        );
    }
}

#[test]
fn a_box_of_one_pixel_hides_what_is_in_it() {
    let dom = Dom::parse(
        "<div id=a style='width:1px;height:1px;overflow:hidden'>x</div><div id=b style='width: 1px; height: 40px; overflow: hidden'>x</div>\
         <div id=c style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'>x</div>",
    );
    let is_hidden = |id: &str| {
        dom.nodes()
            .find(|node| node.id_attr() == id)
            .is_some_and(Node::is_hidden_by_attribute)
    };
    assert_eq!(["a", "b", "c"].map(is_hidden), [true, false, false]);
}

#[test]
fn an_empty_element_of_xml_is_whole() {
    let text = |html: &str| {
        let dom = Dom::parse(html);
        dom.body().map(|body| body.text()).unwrap_or_default()
    };
    let page = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='x'/></head><body><h1>A</h1><svg><g><g/>\
        <path/></g></svg><b/>b<br/><p/>c</body></html>";
    assert_eq!(text(&format!("<?xml version='1.0'?>\n{page}")), "A b c");
    assert_eq!(text(page), "");
}
