//! Prints what parsing and rendering cost as pages grow: in length, in depth, and in ways that are
//! meant to hurt. Times should grow with the length and with nothing else.

use page::{Page, markdown, tables};
use std::time::Instant;

fn main() {
    let article = "<div class=\"row item\" id=x><h2>A heading</h2><p>Some <b>words</b> and a <a href=\"/link?a=1\">link</a> \
                   in a paragraph that is about as long as paragraphs are on the web.</p><ul><li>one<li>two</ul>\
                   <table><tr><td>1<td>2</table></div>\n";
    println!(
        "{:<34} {:>9} {:>9} {:>10} {:>10} {:>9}",
        "page", "bytes", "nodes", "parse ms", "render ms", "ns/byte"
    );
    for size in [10_000, 100_000, 1_000_000, 10_000_000] {
        show("article", &article.repeat(size / article.len() + 1));
    }
    for depth in [100, 1_000, 10_000, 100_000] {
        show(&format!("{depth} nested div"), &"<div>".repeat(depth));
        show(&format!("{depth} nested ul li"), &"<ul><li>x".repeat(depth));
        show(
            &format!("{depth} nested table"),
            &"<table><tr><td>x".repeat(depth),
        );
        show(&format!("{depth} nested b and i"), &"<b><i>x".repeat(depth));
        show(
            &format!("{depth} nested span, closed"),
            &("<span>".repeat(depth) + "x" + &"</span>".repeat(depth)),
        );
    }
    for count in [10_000, 100_000] {
        show(
            &format!("{count} unclosed font in p"),
            &(0..count).map(|n| format!("<p><font a{n}>x")).collect::<String>(),
        );
        show(
            &format!("{count} misnested a"),
            &"<a href=x><p>x</a>".repeat(count),
        );
        show(
            &format!("{count} attributes"),
            &format!(
                "<p {}>x",
                (0..count).map(|n| format!("a{n}=1 ")).collect::<String>()
            ),
        );
        show(
            &format!("{count} foster parents"),
            &format!("<table>{}", "<tr><td>x</td>y".repeat(count)),
        );
        show(
            &format!("{count} end tags"),
            &("<p>".repeat(600) + &"</x>".repeat(count)),
        );
        show(&format!("{count} entities"), &"&amp;&notit;&#x41;".repeat(count));
        show(&format!("{count} dt"), &"<dl><dt>x".repeat(count));
        show(
            &format!("{count} permalinks"),
            &format!("<h2>x{}", "<a href=#><button>".repeat(count)),
        );
        show(
            &format!("{count} links in links"),
            &"<a href=x><table><td>x".repeat(count),
        );
        show(
            &format!("{count} cells"),
            &format!("<table>{}", "<tr><td rowspan=9>x<td colspan=9>y".repeat(count)),
        );
    }
    show("an open comment", &format!("<!--{}", " x".repeat(1_000_000)));
    show("an open attribute", &format!("<p a='{}", " x".repeat(1_000_000)));
}

fn show(name: &str, html: &str) {
    let start = Instant::now();
    let page = Page::new(html, url::Url::parse("https://site.example/").ok());
    let parse = start.elapsed();
    let start = Instant::now();
    let size = markdown::render_page(&page).len() + tables::grids(&page).len();
    let render = start.elapsed();
    let per_byte = (parse + render).as_nanos() as f64 / html.len() as f64;
    println!(
        "{name:<34} {:>9} {:>9} {:>10.2} {:>10.2} {per_byte:>9.0}  {}{size}",
        html.len(),
        page.dom().len(),
        parse.as_secs_f64() * 1000.0,
        render.as_secs_f64() * 1000.0,
        if page.dom().truncation().is_some() {
            "cut, "
        } else {
            ""
        },
    );
}
