use net::Response;

use super::*;

fn answer(status: u16, content_type: Option<&str>, body: &[u8]) -> Fetched {
    let mut headers = http::HeaderMap::new();
    if let Some(content_type) = content_type {
        headers.insert("content-type", content_type.parse().unwrap());
    }
    read(Response {
        url: "http://ok.test/a".parse().unwrap(),
        status: http::StatusCode::from_u16(status).unwrap(),
        headers,
        body: Bytes::copy_from_slice(body),
        truncated: false,
        hops: vec![],
        from_cache: false,
        remote: "93.184.216.34:80".parse().unwrap(),
        timing: Default::default(),
    })
}

fn kind(content_type: Option<&str>, body: &[u8]) -> &'static str {
    match answer(200, content_type, body).body {
        FetchedBody::Page(_) => "page",
        FetchedBody::Xml(_) => "xml",
        FetchedBody::Text(_) => "text",
        FetchedBody::Json(_) => "json",
        FetchedBody::Pdf(_) => "pdf",
        FetchedBody::Document(_) => "document",
        FetchedBody::Binary(_) => "binary",
        FetchedBody::Empty => "empty",
    }
}

/// The beginning of an office document, as far as its kind is told by.
const OFFICE: &[u8] = b"PK\x03\x04\x14\x00\x00\x00 [Content_Types].xml";

#[test]
fn content_is_what_it_says_unless_it_plainly_is_not() {
    for (content_type, body, expect) in [
        (Some("text/html; charset=utf-8"), "<p>x".as_bytes(), "page"),
        (Some("TEXT/HTML"), b"just words", "page"),
        (Some("application/xhtml+xml"), b"<html/>", "page"),
        (Some("application/json"), b"{\"a\":1}", "json"),
        (Some("application/ld+json; x=y"), b"[]", "json"),
        (Some("application/rss+xml"), b"<rss/>", "xml"),
        (Some("text/xml"), b"<?xml version='1.0'?><urlset/>", "xml"),
        (Some("text/plain"), b"words", "text"),
        (Some("text/plain"), b"<!DOCTYPE html><p>x", "page"),
        (Some("text/css"), b"a{}", "text"),
        (Some("text/plain"), b"\x00\x01\x02", "binary"),
        (Some("application/octet-stream"), b"%PDF-1.7", "pdf"),
        (Some("text/html"), b"%PDF-1.7", "pdf"),
        (Some("text/html"), b"\x89PNG\r\n\x1a\n", "binary"),
        (Some("application/pdf"), b"%PDF-1.7", "pdf"),
        (Some("image/png"), b"\x89PNG\r\n\x1a\n", "binary"),
        (Some("image/svg+xml"), b"<svg/>", "binary"),
        (None, b"  <!doctype HTML><p>x", "page"),
        (None, b"\xef\xbb\xbf<html>", "page"),
        (None, b"<?xml version='1.0'?><!DOCTYPE html><html>", "page"),
        (None, b"{ \"a\": 1 }", "json"),
        (None, b"{ font: x }", "text"),
        (None, b"plain words", "text"),
        (None, b"PK\x03\x04", "binary"),
        (None, OFFICE, "document"),
        (Some("application/zip"), OFFICE, "document"),
        (Some("text/html"), OFFICE, "document"),
        (Some("application/epub+zip"), b"PK\x03\x04", "document"),
        (Some("application/epub+zip"), b"<!doctype html><p>x", "page"),
        (Some("application/zip"), b"PK\x03\x04 word/document.xml", "binary"),
        (Some("nonsense"), b"plain words", "text"),
        (Some("text/html"), b"", "empty"),
    ] {
        assert_eq!(kind(content_type, body), expect, "{content_type:?} {body:?}");
    }
}

fn warned(status: u16, html: &str) -> Vec<PageWarning> {
    answer(status, Some("text/html"), html.as_bytes()).visit.warnings
}

#[test]
fn walls_and_excuses_are_told() {
    let article = format!(
        "<title>Verify you are human, they said</title><h1>404 things not found</h1><p>{}",
        "word ".repeat(500)
    );
    for (status, html, expect) in [
        (
            403,
            "<title>Just a moment...</title><div>Checking</div>",
            vec![PageWarning::BotWall],
        ),
        (
            200,
            "<title>Shop</title><p>Please verify you are a human to continue",
            vec![PageWarning::BotWall],
        ),
        (
            200,
            "<title>Page not found | Shop</title><h1>Oops</h1>",
            vec![PageWarning::SoftNotFound],
        ),
        (
            200,
            "<title>Shop</title><h1>404</h1><p>Gone",
            vec![PageWarning::SoftNotFound],
        ),
        (
            200,
            "<title>Seite nicht gefunden</title><p>x",
            vec![PageWarning::SoftNotFound],
        ),
        (404, "<title>Page not found</title><p>x", vec![]),
        (200, "<title>Article 14045</title><p>x", vec![]),
        (200, article.as_str(), vec![]),
        (403, article.as_str(), vec![]),
        (
            200,
            "<div id=root></div><script src=a.js></script>",
            vec![PageWarning::ScriptsNeeded],
        ),
        (
            200,
            "<p>Loading</p><app-root></app-root><script src=a.js></script>",
            vec![PageWarning::ScriptsNeeded],
        ),
        (
            200,
            "<noscript>Enable JavaScript</noscript><script src=a.js></script>",
            vec![PageWarning::ScriptsNeeded],
        ),
        (200, "<p>Short page</p><script src=a.js></script>", vec![]),
        (200, "<html></html>", vec![PageWarning::Empty]),
        (200, "<img src=x>", vec![]),
    ] {
        assert_eq!(
            warned(status, html),
            expect,
            "{status} {}",
            &html[..html.len().min(80)]
        );
    }
}

#[test]
fn a_visit_knows_whether_it_is_the_page_that_was_meant() {
    assert!(answer(200, Some("text/html"), b"<p>here").visit.is_ok());
    assert!(!answer(404, Some("text/html"), b"<p>gone").visit.is_ok());
    assert!(
        !answer(200, Some("text/html"), b"<h1>Page not found")
            .visit
            .is_ok()
    );
}

#[test]
fn letters_come_out_right_whoever_names_the_encoding() {
    for (content_type, body) in [
        (
            Some("text/html; charset=iso-8859-2"),
            b"<title>\xbf\xf3\xb3w</title>".as_slice(),
        ),
        (
            Some("text/html"),
            b"<meta charset=iso-8859-2><title>\xbf\xf3\xb3w</title>",
        ),
        (Some("text/html"), "<title>żółw</title>".as_bytes()),
        (None, "\u{feff}<title>żółw</title>".as_bytes()),
    ] {
        assert_eq!(
            answer(200, content_type, body).visit.title,
            "żółw",
            "{content_type:?}"
        );
    }
}

#[test]
fn plain_text_is_shown_as_it_is() {
    let fetched = answer(200, Some("text/plain"), b"a <b> & c\n  d");
    let page = fetched.page();
    assert_eq!(page.dom().body().unwrap().raw_text(), "a <b> & c\n  d");
}

/// The page of a body at an address.
fn page_at(address: &str, content_type: &str, body: &str) -> Arc<Page> {
    let mut fetched = answer(200, Some(content_type), body.as_bytes());
    fetched.visit.url = address.parse().unwrap();
    fetched.page()
}

#[test]
fn separated_values_are_a_table() {
    let text = "\u{feff}name,price\r\n\"Kettle, red\",12.50\r\n\r\n\"He said \"\"no\"\"\nand <b>left\",3\r\n";
    for (address, kind, text) in [
        ("http://ok.test/a", "text/csv", text.to_owned()),
        ("http://ok.test/a.CSV?x=1", "text/plain", text.to_owned()),
        (
            "http://ok.test/a",
            "text/csv; header=present",
            text.replace("d\",", "d\";")
                .replace("e,p", "e;p")
                .replace("\",3", "\";3"),
        ),
        (
            "http://ok.test/a.tsv",
            "text/plain",
            text.replace("d\",", "d\"\t")
                .replace("e,p", "e\tp")
                .replace("\",3", "\"\t3"),
        ),
    ] {
        let page = page_at(address, kind, &text);
        let table = page::tables::grids(&page).remove(0);
        assert_eq!(table.header, ["name", "price"], "{address}");
        assert_eq!(table.rows[0], ["Kettle, red", "12.50"], "{address}");
        assert_eq!(
            (table.rows.len(), table.rows[1][1].as_str()),
            (2, "3"),
            "{address}"
        );
        assert!(
            table.rows[1][0].contains("\"no\"") && table.rows[1][0].contains("<b>left"),
            "{address}"
        );
    }
    let words = "Some words.\nAnd more of them too.\n";
    let page = page_at("http://ok.test/a.csv", "text/csv", words);
    assert_eq!(page.dom().body().unwrap().raw_text(), words);
}

/// Header and rows of the first table of separated values, cells between bars.
fn separated(address: &str, kind: &str, text: &str) -> Option<(String, Vec<String>)> {
    let page = page_at(address, kind, text);
    let tables = page::tables::grids(&page);
    let table = tables.first()?;
    let rows = table.rows.iter().map(|row| row.join("|"));
    Some((table.header.join("|"), rows.collect()))
}

#[test]
fn separated_values_without_names_of_columns_keep_their_first_record() {
    let read = |text: &str| separated("http://ok.test/a", "text/csv", text).unwrap();
    for text in [
        "2026-11-01,4.5,OK\n2026-11-02,4.7,OK\n2026-11-03,5.1,WARN\n",
        "01.11.2026 08:15;ok\n02.11.2026 09:10;cold\n",
        "Ann,31,Oslo\nBo,42,Bergen\nCy,27,Moss\n",
        "ann@a.example,Ann\nbo@b.example,Bo\n",
    ] {
        let (header, rows) = read(text);
        assert!(header.replace('|', "").is_empty(), "{text:?}: {header}");
        assert_eq!(rows.len(), text.lines().count(), "{text:?}");
    }
    for (text, header) in [
        ("country,2023,2024\nNorway,5,6\nSweden,7,8\n", "country|2023|2024"),
        ("item,1,10,100\nPen,2,1.5,1\nCup,4,3,2\n", "item|1|10|100"),
        (
            "month,2026-01-01,2026-02-01\nOslo,3,4\nMoss,5,6\n",
            "month|2026-01-01|2026-02-01",
        ),
        (",0\na,5\nb,7\n", "|0"),
        ("name,site\nAnn,https://a.example\n", "name|site"),
        ("year,sum\n2025,5\n2026,6\n", "year|sum"),
        ("a,b,c\n", "a|b|c"),
    ] {
        assert_eq!(read(text).0, header, "{text:?}");
    }
}

#[test]
fn a_column_alone_is_a_table() {
    for text in [
        "email\nann@a.example\nbob@b.example\n",
        "Name\nOslo\nBergen\nStavanger\n",
    ] {
        let (header, rows) = separated("http://ok.test/a", "text/csv", text).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(header, lines[0]);
        assert_eq!(rows, lines[1..]);
    }
}

#[test]
fn separated_values_are_told_by_their_content_whatever_they_are_called() {
    let text = "Article;Price;Stock\nTall vase;79,00;4\nMug;\"18;50\";12\n";
    for kind in [
        "application/octet-stream",
        "text/plain",
        "application/vnd.ms-excel",
        "application/csv",
        "text/comma-separated-values; charset=utf-8",
    ] {
        let (header, rows) = separated("http://ok.test/download", kind, text).expect(kind);
        assert_eq!(header, "Article|Price|Stock", "{kind}");
        assert_eq!(rows, ["Tall vase|79,00|4", "Mug|18;50|12"], "{kind}");
    }
    let lines = "a\tb\n1\t2\n3\t4\n";
    assert!(separated("http://ok.test/notes.txt", "text/plain", lines).is_some());
    // One column more or less, prose, and programs are no tables.
    for other in [
        "Oslo, Norway\nParis, France\nRome, Italy\n",
        "a,b\n1,2,3\n4\n",
        "let a = 1;\nlet b = 2;\nlet c = 3;\n",
        "Dear Ann,\nwe are here,\nand well,\n",
        "a;b\n",
    ] {
        assert_eq!(
            separated("http://ok.test/x", "text/plain", other),
            None,
            "{other:?}"
        );
    }
    // A spreadsheet of Excel before 2007 is none of these.
    assert_eq!(
        kind(
            Some("application/vnd.ms-excel"),
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        ),
        "binary"
    );
    assert_eq!(
        kind(Some("application/vnd.ms-excel"), b"<table><tr><td>1"),
        "page"
    );
}

#[test]
fn a_feed_that_is_sent_as_a_page_is_a_feed() {
    for feed in [
        "<?xml version='1.0'?>\n<rss version='2.0'><channel/></rss>",
        "\u{feff}<feed xmlns='http://www.w3.org/2005/Atom'></feed>",
        "<?xml version='1.0'?><?xml-stylesheet href='a.xsl'?><!-- made by hand --><urlset>",
        "<rdf:RDF xmlns='x'>",
    ] {
        for content_type in [Some("text/html; charset=utf-8"), Some("text/plain"), None] {
            assert_eq!(
                kind(content_type, feed.as_bytes()),
                "xml",
                "{content_type:?} {feed}"
            );
        }
    }
    for page in [
        "<feedback>",
        "<p><rss>",
        "<!-- <rss> --><p>x",
        "<?xml version='1.0'?><html><body>",
    ] {
        assert_eq!(kind(Some("text/html"), page.as_bytes()), "page", "{page}");
    }
}

#[test]
fn separated_values_end_their_lines_in_any_way_and_may_name_their_separator() {
    for text in [
        "a,b\r1,2\r3,4\r",
        "a,b\r\n1,2\r\n3,4",
        "sep=;\r\na;b\r\n1;2\r\n3;4\r\n",
        "\u{feff}\"sep=;\"\na;b\n1;2\n3;4\n",
    ] {
        let page = page_at("http://ok.test/a.csv", "text/csv", text);
        let table = page::tables::grids(&page).remove(0);
        assert_eq!(
            (table.header, table.rows),
            (
                vec!["a".to_owned(), "b".to_owned()],
                vec![
                    vec!["1".to_owned(), "2".to_owned()],
                    vec!["3".to_owned(), "4".to_owned()]
                ]
            ),
            "{text:?}"
        );
    }
}

#[test]
fn lines_of_one_value_above_separated_values_are_their_title() {
    for text in [
        "Mills 2024,,\n,,\nid,name,v\n1,a,5\n",
        "Mills 2024\n\nid,name,v\n1,a,5\n",
        "Mills 2024,,\nid,name,v\n1,a,5\n",
    ] {
        let page = page_at("http://ok.test/a.csv", "text/csv", text);
        let table = page::tables::grids(&page).remove(0);
        assert_eq!(
            (table.header.as_slice(), table.rows.len()),
            (["id", "name", "v"].map(str::to_owned).as_slice(), 1),
            "{text:?}"
        );
        assert_eq!(page_quality::title(&page), "Mills 2024", "{text:?}");
    }
    // A column without a name is no title.
    let page = page_at("http://ok.test/a.csv", "text/csv", "name,\nKettle,5\nPot,7\n");
    assert_eq!(page::tables::grids(&page).remove(0).rows.len(), 2);
}

#[test]
fn markdown_has_its_structure() {
    let text = "---\ntitle: x\n---\n# Kettles & pots\n\nThe *red* [kettle](/red).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    for (address, kind) in [
        ("http://ok.test/a", "text/markdown"),
        ("http://ok.test/README.md", "text/plain"),
    ] {
        let page = page_at(address, kind, text);
        assert_eq!(page_quality::title(&page), "Kettles & pots");
        let link = page.dom().by_tag("a").next().unwrap();
        assert_eq!(
            (link.attr("href"), link.text().as_str()),
            (Some("/red"), "kettle")
        );
        assert_eq!(page::tables::grids(&page)[0].rows, [["1", "2"]]);
    }
    let plain = page_at("http://ok.test/a.txt", "text/plain", text);
    assert_eq!(plain.dom().body().unwrap().raw_text(), text);
}

#[test]
fn feeds_and_site_maps_are_lists_of_links() {
    let rss = "<?xml version='1.0'?><rss xmlns:atom='x'><channel><title>Tea &amp; News</title><link>http://k.example/</link>\
        <atom:link rel='self' href='http://k.example/feed'/><image><title>Logo</title></image>\
        <item><title><![CDATA[Red <kettle>]]></title><link>http://k.example/1</link>\
        <pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate><dc:creator>Ann</dc:creator>\
        <description>&lt;p&gt;It is red.&lt;/p&gt;</description></item><!-- no <item> -->\
        <item><link>http://k.example/2</link></item></channel></rss>";
    let atom = "<feed><title>Tea &amp; News</title><entry><title>Red &lt;kettle></title>\
        <link rel='self' href='/x'/><link href='http://k.example/1' rel='alternate'/><updated>2026-11-03</updated>\
        <published>2026-11-02</published><author><name>Ann</name></author><summary>It is red.</summary></entry>\
        <entry><link href=\"http://k.example/2\"/></entry></feed>";
    for (kind, text) in [
        ("application/rss+xml", rss),
        ("application/atom+xml", atom),
        ("text/xml", rss),
    ] {
        let page = page_at("http://k.example/feed", kind, text);
        assert_eq!(page_quality::title(&page), "Tea & News", "{kind}");
        let links: Vec<(&str, String)> = page
            .dom()
            .by_tag("a")
            .map(|link| (link.attr("href").unwrap(), link.text()))
            .collect();
        let wanted = [
            ("http://k.example/1", "Red <kettle>"),
            ("http://k.example/2", "http://k.example/2"),
        ];
        assert_eq!(links, wanted.map(|(url, text)| (url, text.to_owned())), "{kind}");
        let text = page.dom().body().unwrap().text();
        assert!(
            text.contains("It is red.") && text.contains("Ann"),
            "{kind}: {text}"
        );
        let date = page.dom().by_tag("time").next().unwrap().text();
        assert!(date.contains("02"), "{kind}: {date}");
    }
    let map =
        "<urlset><url><loc>http://k.example/a?b=1&amp;c=2</loc><lastmod>2026-11-02</lastmod></url></urlset>";
    let page = page_at("http://k.example/sitemap.xml", "application/xml", map);
    assert_eq!(
        page.dom().by_tag("a").next().unwrap().attr("href"),
        Some("http://k.example/a?b=1&c=2")
    );
    // Other documents, and broken ones, are text.
    for other in [
        "<note><to>Ann</to></note>",
        "<rss",
        "<",
        "<a><!--",
        "<rss><![CDATA[",
    ] {
        let page = page_at("http://k.example/x.xml", "application/xml", other);
        assert!(page.dom().body().is_some(), "{other}");
    }
}

/// The link, the words and the author of each entry of a feed.
fn entries(kind: &str, text: &str) -> Vec<[String; 3]> {
    let page = page_at("http://k.example/feed", kind, text);
    let entry = |article: page::dom::Node<'_>| {
        let part = |tag: &str| article.descendants().find(|node| node.is(tag));
        [
            part("a")
                .and_then(|link| link.attr("href"))
                .unwrap_or_default()
                .to_owned(),
            article.text(),
            part("p")
                .filter(|line| line.has_class("author"))
                .map(|line| line.text())
                .unwrap_or_default(),
        ]
    };
    page.dom().by_tag("article").map(entry).collect()
}

#[test]
fn feeds_of_atom_have_bases_authors_and_texts_of_several_kinds() {
    let atom = "<feed xml:base='http://b.example/x/'><title type='html'>Tea &amp;amp; News</title><author><name>Ann</name></author>\
        <entry><title type='xhtml'><div>One <em>cup</em></div></title><link href='posts/1'/><summary>Short</summary>\
        <content type='xhtml'><div><p>Long <em>text</em><br/></p></div></content></entry>\
        <entry xml:base='y/'><title>Two</title><link href='2'/><author><name>Bo</name></author><author><name>Cy</name></author>\
        <contributor><name>Di</name></contributor><summary>The whole…</summary>\
        <content type='html'>&lt;p&gt;The whole &amp;amp; more&lt;/p&gt;</content></entry></feed>";
    let page = page_at("http://k.example/feed", "application/atom+xml", atom);
    assert_eq!(page_quality::title(&page), "Tea & News");
    assert_eq!(
        entries("application/atom+xml", atom),
        [
            ["http://b.example/x/posts/1", "One cup Ann Short Long text", "Ann"],
            ["http://b.example/x/y/2", "Two Bo, Cy The whole & more", "Bo, Cy"],
        ]
        .map(|entry| entry.map(str::to_owned))
    );
}

#[test]
fn entries_of_podcasts_have_who_speaks_and_what_is_said() {
    let item = |parts: &str| format!("<item><title>Ep</title><link>/1</link>{parts}</item>");
    let items = [
        item("<itunes:author>Mia</itunes:author><itunes:summary>All about glaze.</itunes:summary>"),
        item(
            "<author>per@cast.example (Per Lind)</author><description>Clay.</description><itunes:summary>All of it</itunes:summary>",
        ),
        item("<author>per@cast.example</author>"),
        item(""),
    ];
    let rss = format!(
        "<rss><channel><title>Cast</title><description>About clay</description><itunes:author>Ola</itunes:author>{}</channel></rss>",
        items.concat()
    );
    let read: Vec<(String, String)> = entries("application/rss+xml", &rss)
        .into_iter()
        .map(|[_, text, author]| (text, author))
        .collect();
    let wanted = [
        ("Ep Mia All about glaze.", "Mia"),
        ("Ep Per Lind Clay.", "Per Lind"),
        ("Ep per@cast.example", "per@cast.example"),
        ("Ep Ola", "Ola"),
    ];
    assert_eq!(
        read,
        wanted.map(|(text, author)| (text.to_owned(), author.to_owned()))
    );
    let page = page_at("http://k.example/feed", "application/rss+xml", &rss);
    let meta = page.dom().by_tag("meta").next();
    assert_eq!(meta.and_then(|meta| meta.attr("content")), Some("About clay"));
}

#[test]
fn files_of_entries_are_links_and_pictures() {
    let rss = "<rss><channel><title>Pod</title><item><title>One</title><link>/1</link><description>Short words</description>\
        <content:encoded>&lt;p&gt;The whole text&lt;/p&gt;</content:encoded>\
        <enclosure url='/a/one.mp3?x=1&amp;y=2' type='audio/mpeg' length='5'/><enclosure url='/p.png' type='image/png'/></item></channel></rss>";
    let atom = "<feed><title>At</title><entry><title>One</title><link href='/1'/><link rel='enclosure' href='/c.mp3'/></entry></feed>";
    let page = page_at("http://k.example/feed", "application/rss+xml", rss);
    let links = |page: &page::Page| {
        let links = page::links::links(page).into_iter();
        links
            .map(|link| (link.url.to_string(), link.text))
            .collect::<Vec<_>>()
    };
    let link = |url: &str, text: &str| (url.to_owned(), text.to_owned());
    assert_eq!(
        links(&page),
        [
            link("http://k.example/1", "One"),
            link("http://k.example/a/one.mp3?x=1&y=2", "one.mp3")
        ]
    );
    assert_eq!(page.dom().by_tag("img").count(), 1);
    let described = page.dom().nodes().find(|node| node.has_class("description"));
    assert_eq!(described.unwrap().text(), "Short words");
    let page = page_at("http://k.example/feed", "application/atom+xml", atom);
    assert_eq!(
        links(&page),
        [
            link("http://k.example/1", "One"),
            link("http://k.example/c.mp3", "c.mp3")
        ]
    );
}

#[test]
fn an_entry_of_a_feed_without_a_link_has_none() {
    let atom = "<feed><title>Tea</title><entry><title>Two</title><summary>Short</summary></entry></feed>";
    let page = page_at("http://k.example/feed", "application/atom+xml", atom);
    assert_eq!(page.dom().by_tag("a").count(), 0);
    assert!(page::markdown::render_page(&page).contains("## Two\n"));
}

#[test]
fn entries_of_rss_are_linked_by_their_permalinks() {
    let rss = "<rss><channel><title>T</title><item><title/><guid>http://k.example/1</guid><description>Teaser</description>\
        <content:encoded><![CDATA[<p>Full text</p>]]></content:encoded></item>\
        <item><title>Two &lt;b&gt;cups&lt;/b&gt;</title><guid isPermaLink='false'>http://k.example/2</guid></item></channel></rss>";
    assert_eq!(
        entries("application/rss+xml", rss),
        [
            ["http://k.example/1", "http://k.example/1 Teaser Full text", ""],
            ["", "Two cups", ""],
        ]
        .map(|entry| entry.map(str::to_owned))
    );
}

#[test]
fn noise_that_is_called_a_page_is_none() {
    let noise: Vec<u8> = (0..4096_u32)
        .map(|nth| (nth.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let fetched = answer(200, Some("text/html"), &noise);
    assert_eq!(fetched.visit.warnings, [PageWarning::NotAPage]);
    let utf16: Vec<u8> = "Tea in two bytes a letter"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let fetched = answer(200, Some("text/html; charset=utf-16le"), &utf16);
    assert_eq!(fetched.visit.warnings, []);
}

/// A text in UTF-16 with a byte order mark.
fn marked(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let mark = std::iter::once(0xfeff);
    mark.chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn a_page_in_utf16_is_a_page_in_any_script() {
    let types = [
        None,
        Some("text/html"),
        Some("text/html; charset=utf-8"),
        Some("text/html; charset=windows-1251"),
        Some("text/plain"),
        Some("application/octet-stream"),
    ];
    for title in ["Tea", "Чай из Сочи", "お茶", "茶 🍵 茶", "شاي"] {
        let html = format!("<!doctype html><meta charset=koi8-r><title>{title}</title><p>{title}");
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            for content_type in types {
                let fetched = answer(200, content_type, &marked(&html, bytes));
                assert_eq!(fetched.visit.warnings, [], "{title} {content_type:?}");
                assert_eq!(fetched.visit.title, title, "{content_type:?}");
            }
        }
        let unmarked = marked(&html, u16::to_be_bytes).split_off(2);
        let fetched = answer(200, Some("text/html; charset=utf-16be"), &unmarked);
        assert_eq!(
            (fetched.visit.title.as_str(), fetched.visit.warnings),
            (title, vec![])
        );
    }
    let words = marked("Чай из Сочи. ".repeat(200).as_str(), u16::to_le_bytes);
    assert_eq!(kind(None, &words), "text");
    assert_eq!(kind(Some("text/plain; charset=utf-8"), &words), "text");
    assert_eq!(kind(Some("text/html"), &words), "page");
}

#[test]
fn a_file_that_begins_like_a_byte_order_mark_stays_a_file() {
    let random = |nth: u32| (nth.wrapping_mul(2_654_435_761) >> 24) as u8;
    for mark in [b"\xff\xfe".as_slice(), b"\xfe\xff", b"\xef\xbb\xbf"] {
        let noise: Vec<u8> = mark.iter().copied().chain((0..4096).map(random)).collect();
        let zeros = [mark, &[0; 4096]].concat();
        for content_type in [
            None,
            Some("text/html"),
            Some("text/plain"),
            Some("application/octet-stream"),
        ] {
            assert_eq!(kind(content_type, &noise), "binary", "{mark:?} {content_type:?}");
        }
        assert_eq!(kind(None, &zeros), "binary", "{mark:?}");
        assert_eq!(
            kind(Some("image/png"), &marked("tea", u16::to_le_bytes)),
            "binary"
        );
    }
}
