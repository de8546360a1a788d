use page::Page;

use super::*;

fn read(url: &str, html: &str) -> Option<(String, String, Certainty)> {
    let page = Page::new(html, url.parse().ok());
    let now = "2024-06-01T00:00:00".parse().unwrap();
    let found = super::read(&VisiblePage::of(&page), &Metadata::read(&page), now).published?;
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

#[test]
fn a_page_that_is_published_anew_with_every_change_has_the_day_that_it_shows() {
    let html = |label: &str| {
        format!(
            r#"<script type="application/ld+json">{{"@type":"BlogPosting","datePublished":"Mar 5, 2024","dateModified":"Mar 5, 2024"}}</script>
            <h1>T</h1><div><span class="text-date">{label}January 9, 2024</span></div><p>x</p>"#
        )
    };
    let day = |html: String| read("https://a.example/x", &html).map(|it| it.0);
    assert_eq!(day(html("")).as_deref(), Some("2024-01-09"));
    assert_eq!(day(html("Updated ")).as_deref(), Some("2024-03-05"));
}

#[test]
fn days_of_many_entries_without_names_are_not_the_pages() {
    let card = |day: u8| {
        format!(
            r#"<div itemscope itemtype="https://schema.org/Article"><a href="/{day}">x</a><span itemprop="datePublished"
            content="2024-05-1{day}">x</span></div>"#
        )
    };
    let cards: String = (0..8).rev().map(card).collect();
    let html = format!(
        r#"<meta name="date" content="March 27, 2023"><h1>T</h1><span>Mar 27, 2023</span><p>x</p><section>{cards}</section>"#
    );
    let found = read("https://a.example/x", &html);
    assert_eq!(found.map(|it| it.0).as_deref(), Some("2023-03-27"));
}

#[test]
fn the_first_publication_stands_before_the_day_of_a_later_edition() {
    let html = r#"<h1>T</h1><p class="post-date">30 Sep 2022, 11:07am</p><p>x</p>
        <p>This article was originally published on 26 Sep 2019 but has been updated since.</p>"#;
    let found = read("https://a.example/x", html);
    assert_eq!(found.map(|it| it.0).as_deref(), Some("2019-09-26"));
    let text = "<p>x <b>y</b></p>".repeat(120);
    let rerun = format!(
        "<script type='application/ld+json'>{{\"@type\":\"Article\",\"datePublished\":\"2024-04-25\"}}</script>\
         <h1>T</h1><time datetime=2024-04-25>25.4.24</time>{text}<p><i>ab, cd; Erstveröffentlichung: 4.4.18</i></p>"
    );
    let found = read("https://a.example/x", &rerun);
    assert_eq!(found.map(|it| it.0).as_deref(), Some("2018-04-04"));
}

#[test]
fn days_of_opinions_and_of_courses_are_not_the_pages() {
    for html in [
        "<div itemscope itemtype='https://schema.org/Hotel'><h1 itemprop=name>T</h1><div itemprop=review itemscope \
         itemtype='https://schema.org/Review'><time itemprop=datePublished datetime=2024-04-02>2 April 2024</time></div></div>",
        "<h1>T</h1><h2>Guests</h2><p>“Fine breakfast!” – Ria, 12 August 2023</p><p>“A fine view.” – Henk, 3 July 2023</p>",
        "<h1>T</h1><table><tr><th>Start date</th><th>Weeks</th></tr><tr><td>16 Sep 2023</td><td>10</td></tr></table>",
    ] {
        assert_eq!(read("https://a.example/x", html), None, "{html}");
    }
}

#[test]
fn of_two_days_on_one_line_above_the_title_each_has_its_own_words() {
    let html = r#"<div class="dateline-wrapper"><a>Health</a><span class="dateline">December 22, 2022</span><span
        class="dateline">Updated: January 02, 2024</span></div><h1>T</h1><p>x</p>"#;
    let found = read("https://a.example/x", html);
    assert_eq!(found.map(|it| it.0).as_deref(), Some("2022-12-22"));
}

#[test]
fn a_line_right_above_the_title_dates_the_text_and_a_list_below_does_not() {
    let html = r#"<p>02.02.2022 10:16 - 1. League - by the clubs</p><h1>T</h1><div>x</div>
        <div class="list">{entries}</div>"#;
    let entry = |day: u8| format!(r#"<p><small class="orange">{day}.01.2022</small></p>"#);
    let entries: String = (22..31).rev().map(entry).collect();
    let found = read("https://a.de/x", &html.replace("{entries}", &entries));
    assert_eq!(found.map(|it| it.0).as_deref(), Some("2022-02-02"));
}

#[test]
fn a_day_shown_among_other_things_does_not_stand_before_the_one_of_the_markup() {
    let markup = r#"<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2020-10-26",
        "dateModified":"2020-10-26"}</script>"#;
    let embed = r#"<blockquote><p>a</p><a href="/p">b</a><time datetime="2020-03-27">c</time></blockquote>"#;
    let entry = r#"<div class="box"><a href="/q">The headline of another page that stands beside this one</a>
        <div class="article-date"><span>09.08.2020</span></div></div>"#;
    let menu = r#"<nav><article><h2><a href="/r">x</a></h2><span class="entry-date">18.1.2019</span></article></nav>"#;
    let filler = "<p>text</p>".repeat(80);
    let html = format!("{markup}{menu}<h1>T</h1>{entry}<div class=content>{filler}{embed}</div>");
    let found = read("https://a.example/x", &html);
    assert_eq!(found.map(|it| it.0).as_deref(), Some("2020-10-26"));
}

#[test]
fn a_day_shown_as_published_far_below_stands_before_the_markup_of_a_system_that_publishes_anew() {
    let filler = "<p>text</p>".repeat(80);
    let html = format!(
        r#"<script type="application/ld+json">{{"@type":"Article","datePublished":"2019-11-29","dateModified":"2019-11-29"}}
        </script><h1>T</h1><div class=content>{filler}<div>Published <time pubdate datetime="2019-08-13">August 13, 2019</time>
        </div></div>"#
    );
    let found = read("https://a.example/x", &html);
    assert_eq!(found.map(|it| it.0).as_deref(), Some("2019-08-13"));
}

#[test]
fn an_element_beside_the_title_may_carry_the_day_in_an_attribute() {
    let line = r#"<div data-date="18 March 2020"><span>Some words</span></div>"#;
    let beside = read("https://a.example/x", &format!("<h1>T</h1>{line}<p>x</p>"));
    assert_eq!(beside.map(|it| it.0).as_deref(), Some("2020-03-18"));
    let calendar = read(
        "https://a.example/x",
        &format!("<h1>T</h1><aside>{line}</aside><p>x</p>"),
    );
    assert_eq!(calendar, None);
}

#[test]
fn a_day_of_change_is_one_of_publication_only_beside_the_title() {
    let now = "2024-06-01T00:00:00".parse().unwrap();
    let dates = |html: &str| {
        let page = Page::new(html, "https://a.example/x".parse().ok());
        let dates = super::read(&VisiblePage::of(&page), &Metadata::read(&page), now);
        let published = dates.published.map(|found| found.value.moment.date.to_string());
        let modified = dates.modified.map(|found| found.value.date.to_string());
        (published, modified)
    };
    let changed = Some("2024-03-19".to_owned());
    let meta = r#"<meta property="article:modified_time" content="2024-03-19T14:01:40Z"><h1>Tea</h1><p>All of it.</p>"#;
    assert_eq!(dates(meta), (None, changed.clone()));
    let footer = "<h1>Tea</h1><p>All of it.</p><footer>Last updated on Mar 19, 2024</footer>";
    assert_eq!(dates(footer), (None, changed.clone()));
    let beside = "<article><h1>Tea</h1><p class=meta>Updated on Mar 19, 2024</p><p>All of it.</p></article>";
    assert_eq!(dates(beside), (changed.clone(), changed));
}

#[test]
fn numbers_and_days_of_other_things_are_no_day_of_the_page() {
    let none = [
        "<h1>Manual</h1><button>Version: <strong>5.1</strong></button>",
        "<h1>Course</h1><main><p>Homework is due on 10/3.</p></main>",
        "<h1>Course</h1><main><ul><li><a href=/1>Installing it</a> Mar 3</li></ul></main>",
    ];
    for html in none {
        assert_eq!(read("https://a.example/x", html), None, "{html}");
    }
    // What JSON-LD says of a review is no day that a script names the page's.
    let review = r#"<script type="application/ld+json">{"@type":"Product","name":"Mug","review":{"@type":"Review","datePublished":"2024-01-20"}}</script><h1>Mug</h1>"#;
    assert_eq!(read("https://a.example/x", review), None);
    let sentence = "<main><section><p>Rules.</p></section><p>The 2020 code went into effect January 1, 2020, and it has many changes for those who build.</p></main>";
    let far = |text: &str| {
        let html = format!("<h1>Building</h1>{}{text}", "<p>x</p>".repeat(80));
        read("https://a.example/x", &html).map(|found| found.2)
    };
    assert_eq!(far(sentence), None);
    let line = "<main><section><p>Rules.</p></section><p>In effect: January 1, 2020</p></main>";
    assert_eq!(far(line), Some(Certainty::Mentioned));
}

#[test]
fn days_of_comments_forms_spans_and_sentences_are_not_days_of_publication() {
    let day = |html: &str| {
        let found = read("https://a.example/x", html);
        found
            .filter(|found| found.2 > Certainty::Commented)
            .map(|found| found.0)
    };
    assert_eq!(
        day(
            "<h1>T</h1><p>x</p><ul class=comments><li class=comment><span class=comment-date>Posted 4 June 2011</span></ul>"
        ),
        None
    );
    assert_eq!(
        day("<h1>T</h1><form><input class=date data-date=2023-10-30 value=2023-10-30></form>"),
        None
    );
    assert_eq!(day("<h1>T</h1><p>1/27/2024 - 3/24/2024</p>"), None);
    let far = "<div><p>x</p></div>".repeat(40);
    let told = format!(
        "<h1>T</h1>{far}<p>As of version 2.3, which was <i>finally</i> released on 2019-04-29 together with its tools, all places have changed.</p>"
    );
    assert_eq!(day(&told), None);
    assert_eq!(
        day("<h1>T</h1><p>Published 3 May 2019</p>").as_deref(),
        Some("2019-05-03")
    );
}

#[test]
fn the_day_of_a_review_in_markup_is_not_the_pages() {
    let html = r#"<h1>T</h1><div itemscope itemtype="https://schema.org/Product"><div itemprop=review itemscope
        itemtype="https://schema.org/Review"><meta itemprop=datePublished content=2020-11-13></div></div>"#;
    assert!(
        read("https://a.example/x", html)
            .is_none_or(|found| found.0 != "2020-11-13" || found.2 < Certainty::Stated)
    );
}

#[test]
fn what_was_changed_before_it_was_published_was_a_draft() {
    let html = r#"<meta property="article:published_time" content="2024-03-05"><meta property="article:modified_time" content="2024-02-23">"#;
    let page = Page::new(html, None);
    let now = "2024-06-01T00:00:00".parse().unwrap();
    assert_eq!(
        super::read(&VisiblePage::of(&page), &Metadata::read(&page), now).modified,
        None
    );
}

#[test]
fn a_day_without_a_year_is_of_the_year_in_which_the_page_was_served() {
    let day = |rest: &str| {
        let html = format!("<h1>Bird of the year</h1><span class=article-date>Jan 04</span><p>x</p>{rest}");
        read("https://a.example/x", &html).map(|found| found.0)
    };
    assert_eq!(
        day("<a href=/news-2022-01-17.html>y</a><p>© 2022 A</p>").as_deref(),
        Some("2022-01-04")
    );
    assert_eq!(day("<p>© 2024 A</p>").as_deref(), Some("2024-01-04"));
    assert_eq!(day("").as_deref(), Some("2024-01-04"));
}

#[test]
fn the_day_above_a_smaller_heading_that_is_the_title_is_the_pages() {
    let html = "<title>Efficient hybrid battery</title><h2>Press service</h2><p><em>01.11.2023 11:35</em></p>\
        <h4>Efficient hybrid battery</h4><p>x</p>";
    assert_eq!(
        read("https://a.example/x", html).map(|found| found.0).as_deref(),
        Some("2023-11-01")
    );
}

#[test]
fn a_label_before_a_time_says_that_the_page_was_changed_then() {
    let html = format!(
        "<h1>Guide</h1>{}<p>Last updated <time datetime=2023-09-17T06:16:41Z>1 year ago</time></p>",
        "<div><p>x</p></div>".repeat(60)
    );
    assert_eq!(read("https://a.example/x", &html), None);
}

#[test]
fn days_of_other_pages_are_not_of_this_one() {
    let story = "<h1>A violin is mostly air</h1><p>Isobel Ruthven has made two hundred instruments.</p>";
    for others in [
        "<div><h2>Recent releases</h2><div><span>21.04.2024</span> <a href=/r/1>Last known service line removed</a></div></div>",
        "<div><h3>Weitere Stellen</h3><a href=/koch>Köchin oder Koch</a><span>seit 02.02.2024</span></div>",
    ] {
        assert_eq!(read("https://a.example/x", &format!("{story}{others}")), None);
    }
}

#[test]
fn a_report_begins_with_its_place_and_day() {
    let html = "<h1>Utility builds a floating array</h1><p>PORT ELLERY, May 5, 2024 – Ellery Valley Water today announced that \
        it will build a floating solar array on the raw water reservoir, enough to supply the works beside it.</p>\
        <div><h2>Recent releases</h2><div><span class=date>April 21, 2024</span> <a href=/r/1>Last line removed</a></div></div>";
    assert_eq!(read("https://a.example/x", html), told("2024-05-05", "p"));
}

#[test]
fn each_of_two_days_in_a_line_has_its_own_words() {
    let html = "<h1>Baker wanted</h1><p>Data publikacji: 4 marca 2024 | Oferta ważna do: 30 kwietnia 2024 | Miejsce: Leszno</p>";
    let found = read("https://a.example/x", html).map(|found| found.0);
    assert_eq!(found.as_deref(), Some("2024-03-04"));
}

#[test]
fn who_sells_in_pounds_writes_the_day_first() {
    let page = |sign: &str| format!("<h1>Plane</h1><p>{sign}24.50</p><p>Published: 02/03/2024</p>");
    let day = |sign: &str| read("https://tools.example.com/x", &page(sign)).map(|found| found.0);
    assert_eq!(day("£").as_deref(), Some("2024-03-02"));
    assert_eq!(day("$").as_deref(), Some("2024-02-03"));
}

fn moments(html: &str) -> (Option<String>, Option<String>) {
    let page = Page::new(html, "https://a.example/x".parse().ok());
    let now = "2024-06-01T00:00:00".parse().unwrap();
    let found = super::read(&VisiblePage::of(&page), &Metadata::read(&page), now);
    let published = found.published.map(|found| found.value.moment.to_string());
    (published, found.modified.map(|found| found.value.to_string()))
}

#[test]
fn each_day_of_a_line_has_its_own_words() {
    let html =
        "<h1>T</h1><p class=byline>By Ann Lee · Published March 5, 2023 · Updated April 1, 2023</p><p>x</p>";
    let day = |day: &str| Some(format!("{day}T00:00:00"));
    assert_eq!(moments(html), (day("2023-03-05"), day("2023-04-01")));
}

#[test]
fn an_edit_within_the_line_of_a_post_is_not_its_day() {
    let post = |day: &str, edit: &str| {
        format!("<div class=post><span class=post_date>{day} {edit}</span><p>Some words of a post.</p></div>")
    };
    let edit = "<span class=edit>(last modified: 2024-01-05, 03:27 AM)</span>";
    let posts: String = [
        post("2019-02-23, 09:14 PM", edit),
        post("2019-02-24, 02:31 AM", ""),
        post("2019-02-24, 05:31 PM", ""),
        post("2019-02-25, 05:31 PM", ""),
    ]
    .concat();
    assert_eq!(
        moments(&format!("<h1>T</h1>{posts}")).0.as_deref(),
        Some("2019-02-23T21:14:00")
    );
}

#[test]
fn the_markup_of_a_reply_gives_no_day_of_the_thread() {
    let html = "<h1>T</h1><article><time datetime='2024-02-25T10:06:36-0500'>Feb 25, 2024</time><p>x</p></article>\
        <article itemscope itemtype='https://schema.org/Comment'><time datetime='2024-02-25T10:44:51-0500' itemprop=datePublished>Feb 25, 2024</time><p>x</p></article>";
    assert_eq!(moments(html).0.as_deref(), Some("2024-02-25T10:06:36-05:00"));
}

#[test]
fn days_of_reviews_of_members_and_of_other_threads_are_not_the_pages() {
    for html in [
        "<h1>T</h1><div id=all-member-reviews><p>Reviewed by <a href=/u/g>g</a> from Alaska on 6/21/07</p></div>",
        "<h1>T</h1><div><h3>Advice from other travelers</h3><ul><li>4 responses; most recent on 08/12/2010 at 02:14 PM</li></ul></div>",
        "<h1>T</h1><div><a href='http://blog.example/dog'>What Dan and Roxanne found in New Mexico last year</a><br><span>June 30, 2010</span></div>",
        "<h1>T</h1><p>Reading, <abbr title=Pennsylvania>PA</abbr></p>",
    ] {
        let found =
            read("https://a.example/x", html).filter(|(_, _, certainty)| *certainty >= Certainty::Likely);
        assert_eq!(found, None, "{html}");
    }
}

#[test]
fn a_draft_of_the_local_day_is_no_publication() {
    let html = r#"<script type="application/ld+json">{"@type":"NewsArticle","dateCreated":"2022-05-03T23:53:14Z",
        "datePublished":"2022-05-04T00:25:56Z"}</script><h1>T</h1><time class="date">Publicado 3 May 2022 21:25</time>"#;
    assert_eq!(moments(html).0.as_deref(), Some("2022-05-03T21:25:00"));
}

#[test]
fn a_day_in_the_digits_of_another_script_is_read() {
    for (language, day) in [
        ("ar", "تاريخ النشر: ٥ مارس ٢٠٢٣"),
        ("fa", "تاریخ انتشار: ۵ مارس ۲۰۲۳"),
        ("hi", "प्रकाशित: ५ मार्च २०२३"),
    ] {
        let html = format!("<html lang={language}><main><h1>Title</h1><p>{day}</p><p>Text</p></main>");
        let found = read("https://a.example/x", &html).map(|(day, _, certainty)| (day, certainty));
        assert_eq!(found, Some(("2023-03-05".to_owned(), Certainty::Stated)), "{day}");
    }
}

#[test]
fn a_day_without_a_year_in_a_sentence_is_of_what_the_sentence_tells() {
    let html = "<h1>Report of the river</h1><p>The report number 2024 says that the river rose by 19 centimetres during the \
        night of May 1.</p>";
    assert_eq!(read("https://a.example/x", html), None);
}

#[test]
fn a_day_from_which_something_holds_is_none_of_publication() {
    for line in [
        "Valid from 1 March 2023",
        "Gültig ab 1. März 2023",
        "Effective as of 1 March 2023",
        "Ważne do 1.03.2023",
    ] {
        let html = format!("<h1>Price list</h1><p>{line}</p>");
        assert_eq!(read("https://a.example/x", &html), None, "{line}");
    }
}

#[test]
fn both_days_of_a_line_with_a_dash_are_read() {
    let html = "<html lang=fr><h1>Le pont</h1><p class=date>Publié le 3 février 2023 à 18h45 – Mis à jour le 5 février 2023</p>";
    let page = Page::new(html, None);
    let now = "2024-06-01T00:00:00".parse().unwrap();
    let found = super::read(&VisiblePage::of(&page), &Metadata::read(&page), now);
    assert_eq!(
        found.modified.map(|found| found.value.date),
        Some(date(2023, 2, 5))
    );
    let published = found.published.map(|found| found.value.moment.date);
    assert_eq!(published, Some(date(2023, 2, 3)));
}

#[test]
fn days_in_the_life_of_a_thing_are_not_those_of_the_page() {
    let car =
        "<h1>Quern V60</h1><dl><dt>Modellår<dd>2019<dt>Bränsle<dd>Diesel<dt>I trafik<dd>2019-03-14</dl>";
    assert_eq!(read("https://a.example/x", car), None);
    let placed = format!("{car}<p>Fin bil.</p><p>Upplagd 6 jan 2024</p>");
    let day = read("https://a.example/x", &placed).map(|(day, ..)| day);
    assert_eq!(day.as_deref(), Some("2024-01-06"));
    let laptop = "<h1>Laptop X1</h1><table><tr><th>Weight<td>980 g<tr><th>Power<td>65 W\
        <tr><th>Release date<td>13/04/2024</table>";
    assert_eq!(read("https://a.example/x", laptop), None);
}

#[test]
fn days_in_the_line_of_rights_and_in_headlines_of_other_pages_are_not_those_of_the_page() {
    let rights = "<h1>Sleep</h1><p>Text</p><footer><p>All third party trademarks are trademarks of their respective owners. \
        Last Updated: January 12, 2024. This site contains links.</p></footer>";
    assert_eq!(read("https://a.example/x", rights), None);
    let list = "<h1>University of Quern</h1><div><a href=/n/1>Order of the disciplinary committee in its meeting held on \
        25.02.2016</a></div><div><a href=/n/2>Syllabus of the course work of the autumn</a></div>";
    assert_eq!(read("https://a.example/", list), None);
}
