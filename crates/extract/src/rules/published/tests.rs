use super::*;

fn read(url: &str, html: &str) -> Option<(String, String, Certainty)> {
    let page = Page::new(html, url.parse().ok());
    let now = "2024-06-01T00:00:00".parse().unwrap();
    let found = published(&page, &Metadata::read(&page), now)?;
    let PublicationDate { moment, certainty } = found.value;
    Some((moment.date.to_string(), found.source.to_string(), certainty))
}

fn told(day: &str, source: &str) -> Option<(String, String, Certainty)> {
    Some((day.to_owned(), source.to_owned(), Certainty::Stated))
}

#[test]
fn an_article_says_when_it_was_published() {
    let html = r#"<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle",
        "datePublished":"2019-05-03T10:00:00Z","dateModified":"2020-01-01"}]}</script><h1>T</h1><p>3 May 2019</p>"#;
    assert_eq!(
        read("https://a.example/x", html),
        told("2019-05-03", "json-ld[0].@graph[0].datePublished")
    );
}

#[test]
fn the_day_of_a_comment_is_not_the_pages() {
    let html = r#"<article><h1>T</h1><span class="entry-date">May 3, 2019</span><p>x</p></article>
        <div class="comments"><time datetime="2020-02-02">x</time><time datetime="2020-02-03">x</time></div>"#;
    assert_eq!(
        read("https://a.example/x", html),
        told("2019-05-03", "span.entry-date")
    );
}

#[test]
fn an_address_may_carry_the_day() {
    assert_eq!(
        read("https://a.example/2019/05/03/title", "<h1>T</h1>"),
        told("2019-05-03", "url")
    );
    assert_eq!(read("https://a.example/item-201905031234567", "<h1>T</h1>"), None);
}

#[test]
fn a_day_to_come_is_no_day_of_publication() {
    assert_eq!(
        read(
            "https://a.example/",
            r#"<h1>T</h1><time datetime="2031-01-01">x</time>"#
        ),
        None
    );
}

#[test]
fn numbers_are_read_in_the_way_of_the_country() {
    let html = |lang: &str| format!(r#"<html lang="{lang}"><h1>T</h1><p>Published 03/04/2019</p>"#);
    assert_eq!(
        read("https://a.com/", &html("en-US")).map(|it| it.0).as_deref(),
        Some("2019-03-04")
    );
    assert_eq!(
        read("https://a.co.uk/", &html("en-GB")).map(|it| it.0).as_deref(),
        Some("2019-04-03")
    );
    assert_eq!(
        read("https://a.com/", &html("fr")).map(|it| it.0).as_deref(),
        Some("2019-04-03")
    );
}
