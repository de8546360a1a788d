use super::*;

fn read(html: &str) -> Option<(String, String)> {
    let page = Page::new(html, "https://www.daily.example/a".parse().ok());
    author(&page, &Metadata::read(&page), false).map(|found| (found.value, found.source.to_string()))
}

fn check(html: &str, name: &str, source: &str) {
    assert_eq!(read(html), Some((name.to_owned(), source.to_owned())), "{html}");
}

#[test]
fn an_article_names_its_authors() {
    let html = r##"<script type="application/ld+json">{"@graph":[{"@type":"Article","author":[{"@id":"#a"},{"name":"John Roe"}]},
        {"@id":"#a","@type":"Person","name":"Jane Doe"}]}</script>"##;
    check(html, "Jane Doe, John Roe", "json-ld[0].@graph[0].author[0]");
}

#[test]
fn the_site_is_the_author_only_when_no_one_else_is() {
    let html = r#"<meta name="author" content="Daily">"#;
    check(html, "Daily", "meta[author]");
    check(
        &format!("{html}<h1>T</h1><span class=byline>By Jane Doe | May 3, 2019</span>"),
        "Jane Doe",
        "span.byline",
    );
}

#[test]
fn a_byline_is_found_in_words() {
    check(
        "<h1>T</h1><p>By Jane Doe and John Roe</p>",
        "Jane Doe, John Roe",
        "p",
    );
    check(
        "<h1>T</h1><p>Von Jana Müller, 3. Mai 2019</p>",
        "Jana Müller",
        "p",
    );
    check(
        "<h1>T</h1><p>By <a href=/author/jane rel=author>Jane Doe</a></p>",
        "Jane Doe",
        "a",
    );
}

#[test]
fn who_comments_is_no_author() {
    assert_eq!(
        read("<h1>T</h1><div class=comments><b class=author>Jane Doe</b></div><p>By the way, hello.</p>"),
        None
    );
}

#[test]
fn a_name_is_cleaned_of_what_stands_around_it() {
    let cases = [
        ("By JANE DOE", "JANE DOE"),
        ("Written by: Jane Doe - Staff Writer", "Jane Doe"),
        ("Jane Doe, MD, PhD", "Jane Doe, MD, PhD"),
        ("Jane Doe on May 3, 2019", "Jane Doe"),
        ("Jane Doe • 5 min read", "Jane Doe"),
        ("Autor: Jana Müller", "Jana Müller"),
        ("O&#039;Neil, Jane", "O'Neil, Jane"),
        ("Jane (Mary) Doe", "Jane Mary Doe"),
        ("Jane Doe (Editor)", "Jane Doe"),
        ("Jane Doe, Senior Director, Content", "Jane Doe"),
        ("Jane Doe, 4+ years covering shoes", "Jane Doe"),
    ];
    for (text, name) in cases {
        assert_eq!(names(text).join(" + "), name, "{text}");
    }
    for text in ["", "admin", "https://facebook.com/x", "3 May 2019", "by"] {
        assert_eq!(names(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_role_glued_to_the_name_is_no_part_of_it() {
    let cases = [
        ("ByJane Doe", "Jane Doe"),
        ("Byron Doe", "Byron Doe"),
        ("Jane DoeStaff Writer", "Jane Doe"),
        ("John DoeReviewed by Jane Roe", "John Doe"),
        ("Jane MacDonald", "Jane MacDonald"),
        ("By Jane Doe Yesterday", "Jane Doe"),
        ("By Medical News Today", "Medical News Today"),
    ];
    for (text, name) in cases {
        assert_eq!(names(text).join(" + "), name, "{text}");
    }
    check(
        "<h1>T</h1><div class=byline><span>By</span><b>Jane Doe</b><i>Founder of the Works</i></div>",
        "Jane Doe",
        "div.byline",
    );
    check(
        "<h1>T</h1><div class=byline>By <a>Jane Doe</a>, <a>John Roe</a> and <a>Ann Poe</a></div>",
        "Jane Doe, John Roe, Ann Poe",
        "div.byline",
    );
}

#[test]
fn a_request_and_a_phrase_are_no_names() {
    for text in [
        "Join today",
        "Sign Up",
        "functional style",
        "Asking clients to leave reviews",
        "Written By",
    ] {
        assert_eq!(
            read(&format!("<h1>T</h1><div class=author>{text}</div>")),
            None,
            "{text}"
        );
    }
    check(
        "<h1>T</h1><div class=author>Ana de la Vega</div>",
        "Ana de la Vega",
        "div.author",
    );
}

#[test]
fn a_person_whom_the_page_shows_stands_before_an_organization_of_its_markup() {
    let markup = r##"<script type="application/ld+json">{"@type":"Article","author":{"@type":"Organization","name":"Bureau of Tides"}}</script>"##;
    check(
        &format!("{markup}<h1>T</h1><span class=byline>By Jane Doe</span>"),
        "Jane Doe",
        "span.byline",
    );
    check(markup, "Bureau of Tides", "json-ld[0].author");
}

#[test]
fn a_heading_at_the_end_of_a_text_names_its_author() {
    let text = "<p>x <b>y</b></p>".repeat(80);
    check(
        &format!("<h1>T</h1>{text}<h3>Written by Jane Doe</h3>"),
        "Jane Doe",
        "h3",
    );
}

#[test]
fn a_role_behind_a_name_is_no_second_author() {
    let html = "<h1>T</h1><p>by <a rel=author href=/a>Anna Holt, Master Gardener &amp; Teacher</a></p>";
    assert_eq!(read(html).map(|found| found.0).as_deref(), Some("Anna Holt"));
    let two = "<h1>T</h1><div itemscope itemtype='https://schema.org/Article'><div itemprop=author itemscope itemtype='https://schema.org/Person'>\
        <span itemprop=name>Anna Holt</span><span itemprop=name>John Roe</span></div></div>";
    assert_eq!(
        read(two).map(|found| found.0).as_deref(),
        Some("Anna Holt, John Roe")
    );
    let boxed = "<h1>T</h1><div class='elementor-widget elementor-widget-author-box'><h4 class=elementor-author-box__name>Anna Holt</h4></div>";
    assert_eq!(read(boxed).map(|found| found.0).as_deref(), Some("Anna Holt"));
}

#[test]
fn who_wrote_with_the_one_of_the_account_is_named_too() {
    let page = |byline: &str| {
        format!("<meta name=author content='Ann Onym'><h1>Reeds</h1>{byline}<p>They grow.</p>")
    };
    let several = "Dr Ann Onym, Bo Roe, Cy Doe";
    check(
        &page(
            "<div class=hero><div>Written by <span>Dr Ann Onym</span>, <span>Bo Roe</span>, <span>Cy Doe</span></div><div>Reviewed by <a href=/e>Ed Itor</a></div></div>",
        ),
        several,
        "div",
    );
    check(
        &page(
            "<div class=by><address><a rel=author>Bo Roe</a></address><address><a rel=author><b>Ann</b> <b>Onym</b></a></address></div>",
        ),
        "Bo Roe, Ann Onym",
        "div.by",
    );
    // A role and a place are no persons, and others sign other texts.
    for byline in [
        "<p>By <a href=/ann>Ann Onym</a>, Associated Press</p>",
        "<p>By Ann Onym, Staff Writer</p>",
        "<p>By <a href=/bo>Bo Roe</a>, <a href=/cy>Cy Doe</a></p>",
    ] {
        check(&page(byline), "Ann Onym", "meta[author]");
    }
}

#[test]
fn an_account_of_the_site_and_its_owner_are_no_authors() {
    assert_eq!(read("<meta name=author content=adminn><h1>T</h1><p>x</p>"), None);
    let owned = "<meta name=author content='Quern Press'><meta name=copyright content='(c) Quern Press 2022'><meta name='article:author' content='Ann Onym'>";
    check(owned, "Ann Onym", "meta[article:author]");
}

#[test]
fn a_role_of_many_words_behind_a_name_is_left_out() {
    check(
        "<h1>T</h1><p class=byline>By ANN ONYM, AP National Political Writer</p>",
        "ANN ONYM",
        "p.byline",
    );
    // The reader's own name stands in a menu that is not shown before a log-in.
    assert_eq!(
        read(
            "<h1>T</h1><div style='display:none'>Welcome, <span class=username>Shop User</span></div><p>x</p>"
        ),
        None
    );
    check(
        "<h1>T</h1><p class=byline>by Ann Onym, Candidate Representative to the Liaison Committee</p>",
        "Ann Onym",
        "p.byline",
    );
}

#[test]
fn labels_buttons_and_who_checks_a_claim_are_no_authors() {
    check(
        "<h1>T</h1><p class=byline>著者：後藤大地</p>",
        "後藤大地",
        "p.byline",
    );
    assert_eq!(
        read("<h1>T</h1><button class=followAuthor>Folgen</button><p>x</p>"),
        None
    );
    let html = r#"<script type="application/ld+json">{"@type":"ClaimReview","author":{"@type":"Organization","name":"Check Press"},"itemReviewed":{"@type":"Claim","author":{"name":"Rumour Monger"}}}</script>
        <h1>T</h1><span class=author>Von: <a rel=author>Jana Doe</a></span>"#;
    check(html, "Jana Doe", "a");
}

#[test]
fn authors_in_elements_of_one_template_are_all_named() {
    let all = "John Alic, Mary Mowery, Edith Rubin";
    check(
        "<h1>T</h1><aside class=meta></aside><div><h6>Author(s)</h6><ul><li><a href=/1>John Alic</a></li><li><a href=/2>Mary Mowery</a></li>\
         <li><a href=/3>Edith Rubin</a></li></ul></div>",
        all,
        "ul",
    );
    check(
        "<h1>T</h1><div class=field-autorzy><div class=item><a href=/1>Jan Bor</a></div><div class=item><a href=/2>Ada Lis</a></div></div>",
        "Jan Bor, Ada Lis",
        "div.field-autorzy",
    );
    check(
        "<h1>T</h1><div class=author><div class=item>Jan Bor</div><div class=item>Chief of trade</div></div>",
        "Jan Bor",
        "div.author",
    );
}

#[test]
fn a_byline_below_the_title_or_at_the_end_of_an_article_is_read_whatever_is_around() {
    check(
        "<h1>T</h1><div class=teaser__meta><p class=byline__author>VON <a href=/a/1>MORITZ HOLT</a> am 21. April 2020</p></div>",
        "MORITZ HOLT",
        "p.byline__author",
    );
    let text = "<p>x <b>y</b></p>".repeat(80);
    check(
        &format!(
            "<article><h1>T</h1>{text}<footer><p>Posted by <a href=/c>Colin Ward</a> on <time>2025-12-18</time></p></footer></article>"
        ),
        "Colin Ward",
        "a",
    );
}

#[test]
fn switches_of_language_breadcrumbs_and_buttons_name_nobody() {
    for html in [
        "<div class=LocaleOptions><span class=active><a href=/profile/setlocale/en>EN</a></span></div><h1>T</h1>",
        "<div class=breadcrumb><a href=/people/>People</a><a href=/people/real-life>Real Life</a></div><h1>T</h1>",
        "<h1>T</h1><button><a id=author-modal href=/b?topic=9>Pay Strategy</a></button>",
        "<h1>T</h1><p>by <a rel=author href=/a>siteadmin</a></p>",
    ] {
        assert_eq!(read(html), None, "{html}");
    }
    check(
        "<h1>T</h1><p class=author>Do UOL, em São Paulo</p>",
        "UOL",
        "p.author",
    );
}

#[test]
fn lists_at_the_side_and_articles_of_others_name_no_authors() {
    let side = "<aside><h3>Our columnists</h3><ul><li><a>Jane Doe</a><li><a>John Roe</a><li><a>Ada Lis</a></ul></aside>";
    check(
        &format!("<article><h1>T</h1><p class=byline>By Jane Doe</p><p>x</p></article>{side}"),
        "Jane Doe",
        "p.byline",
    );
    let other =
        "<article><h3>Other story</h3><footer>by <a rel=author href=/b>Bob Ray</a></footer></article>";
    assert_eq!(
        read(&format!("<article><h1>T</h1><p>x</p></article>{other}")),
        None
    );
}

#[test]
fn a_byline_ends_before_its_day_in_any_language() {
    for (line, names) in [
        ("Par Nadia Benali, le 3 octobre 2024", "Nadia Benali"),
        ("Von Jana Müller, den 3. Mai 2019", "Jana Müller"),
        ("Por Ana Ruiz, el 3 de mayo de 2019", "Ana Ruiz"),
    ] {
        assert_eq!(
            read(&format!("<h1>T</h1><p>{line}</p>"))
                .map(|found| found.0)
                .as_deref(),
            Some(names),
            "{line}"
        );
    }
    let linked = "<h1>T</h1><p class=byline>By <a rel=author href=/a/m>Mira Lind</a> and José Ortega · Published March 5, 2025</p>";
    assert_eq!(
        read(linked).map(|found| found.0).as_deref(),
        Some("Mira Lind, José Ortega")
    );
}

#[test]
fn a_rank_below_a_linked_name_is_no_part_of_it() {
    let html = "<h1>T</h1><div class=author_information><strong><a href=/user-1>StarRiver</a></strong><br>\
        <span><p class=role>Board Owner</p></span></div><p>Words of the post.</p>";
    assert_eq!(read(html).map(|found| found.0).as_deref(), Some("StarRiver"));
}

#[test]
fn a_word_for_by_within_running_text_names_nobody() {
    let long = "The project was shown to the clubs in November, and they began to work on it. ".repeat(5);
    let html = format!(
        "<h1>T</h1><p>{long}In the project “<a href=/p>Help in clubs</a> von DOSB und dsj” all take part. {long}</p>"
    );
    assert_eq!(read(&html), None);
    let line = format!("<h1>T</h1><p>{long}<br>Von Jana Müller</p>");
    assert_eq!(read(&line).map(|found| found.0).as_deref(), Some("Jana Müller"));
}

#[test]
fn of_several_who_write_far_below_none_is_the_author_of_a_page_that_is_no_thread() {
    let before = "<i></i>".repeat(200);
    let post = |name: &str| format!("<p>good by <a href='/u/profile/{name}.html'>{name}</a></p>");
    let html = format!(
        "<h1>T</h1>{before}{}",
        ["Ann1", "Bob2", "Cid3"].map(post).concat()
    );
    assert_eq!(read(&html), None);
    let page = Page::new(html, None);
    assert_eq!(
        author(&page, &Metadata::read(&page), true)
            .map(|found| found.value)
            .as_deref(),
        Some("Ann1")
    );
}

#[test]
fn the_author_beside_the_title_stays_where_the_foot_of_the_page_names_several() {
    let between = "<i></i>".repeat(200);
    let html = format!(
        "<h1>T</h1><p class=byline>By Jane Doe</p>{between}<div class=author>Jane Doe</div>\
         <div class=card><span class=author>Ann Lee</span></div><div class=card><span class=author>Bo Kim</span></div>"
    );
    assert_eq!(read(&html).map(|found| found.0).as_deref(), Some("Jane Doe"));
}

#[test]
fn who_signs_the_text_stands_before_the_maker_of_a_film_in_it() {
    let film = r#"{"@type":"VideoObject","name":"Storm","author":{"@type":"Person","name":"Carla Filmer"}}"#;
    let text =
        r#"{"@type":"NewsArticle","headline":"Storm","author":{"@type":"Person","name":"Eduardo Barre"}}"#;
    let page = |blocks: &[&str]| {
        let blocks: String = blocks
            .iter()
            .map(|block| format!("<script type='application/ld+json'>{block}</script>"))
            .collect();
        read(&format!("{blocks}<h1>Storm</h1><p>The storm came at night.</p>")).map(|found| found.0)
    };
    assert_eq!(page(&[film, text]).as_deref(), Some("Eduardo Barre"));
    assert_eq!(page(&[film]).as_deref(), Some("Carla Filmer"));
}

#[test]
fn a_publisher_is_the_author_only_when_the_page_shows_no_one_else() {
    let byline = "<h1>T</h1><table><tr><td class=authorbold>Text & Fotos: Nell Ashe</td></tr></table>";
    let tags = "<meta name=author content='Quern Monthly'><meta name=DC.publisher content='Quern Monthly'>";
    check(&format!("{tags}{byline}"), "Nell Ashe", "td.authorbold");
    let stated = r#"<meta name=author content="Quern Monthly"><script type="application/ld+json">{"@type":"Article",
        "publisher":{"@type":"Organization","name":"Quern Monthly"}}</script>"#;
    check(&format!("{stated}{byline}"), "Nell Ashe", "td.authorbold");
    check(stated, "Quern Monthly", "meta[author]");
    // A person may publish what they write.
    let own = r#"<script type="application/ld+json">{"@type":"BlogPosting","author":{"@type":"Person","name":"Nell Ashe"},
        "publisher":{"@type":"Person","name":"Nell Ashe"}}</script><h1>T</h1><p>By Sam Oduya</p>"#;
    check(own, "Nell Ashe", "json-ld[0].author");
}

#[test]
fn the_account_that_published_a_page_is_not_its_author() {
    let stated = r#"<script type="application/ld+json">{"@type":"Article","author":{"name":"Sam Oduya"}}</script>
        <meta name="sailthru.author" content="By Nell Ashe ">"#;
    let shown = "<h1>T</h1><p class=byline>By Nell Ashe</p>";
    check(&format!("{stated}{shown}"), "Nell Ashe", "p.byline");
    let both = "<p>Sam Oduya wrote this.</p>";
    check(
        &format!("{stated}{shown}{both}"),
        "Sam Oduya",
        "json-ld[0].author",
    );
    check(stated, "Sam Oduya", "json-ld[0].author");
}

#[test]
fn labels_before_linked_names_are_bylines() {
    check(
        "<h1>T</h1><ul><li>Von:\n\t\t\t\t\t\t\t\t\t\t\t\t<span><a href=/a>Nell Ashe</a>,\n</span> <span><a href=/b>Sam Oduya</a></span></li></ul>",
        "Nell Ashe, Sam Oduya",
        "li",
    );
    check(
        "<h1>T</h1><p class=author><a>文● オカモト／編集部</a></p>",
        "オカモト／編集部",
        "p.author",
    );
}

#[test]
fn the_sign_of_a_currency_is_no_name() {
    assert_eq!(
        read("<h1>T</h1><p>De: <s>R$ 99,00</s> Por: <b>R$ 89,90</b></p>"),
        None
    );
}

#[test]
fn the_account_that_began_a_thread_may_be_mostly_digits() {
    let thread = |name: &str| {
        format!(
            "<h1>T</h1><div itemscope itemtype='https://schema.org/DiscussionForumPosting'><div itemprop=author itemscope \
             itemtype='https://schema.org/Person'><b itemprop=name>{name}</b></div></div><p class=author>Bob</p>"
        )
    };
    let found = |name: &str| read(&thread(name)).map(|(found, _)| found);
    assert_eq!(found("quern19821").as_deref(), Some("quern19821"));
    assert_eq!(found("198211").as_deref(), Some("Bob"));
}

#[test]
fn a_line_at_the_side_right_behind_the_title_names_the_author() {
    check(
        "<article><header><h1>T</h1></header><aside class=meta><p class=authors>Von:<br><i>\
        <a href='/autor/jana-mueller' class=author-name>Jana Müller</a></i></p></aside><p>Text</p></article>",
        "Jana Müller",
        "a.author-name",
    );
    assert_eq!(
        read("<h1>T</h1><p>Text</p><aside><p>Von <a href=/a class=author-name>Jana Müller</a></p></aside>"),
        None
    );
}

#[test]
fn the_maker_of_a_thing_in_a_caption_is_no_author() {
    assert_eq!(
        read(
            "<h1>T</h1><p>Helle trägt ein <a href=/t>Dreieckstuch</a> von Barbour, passend dazu <a href=/l>die Leine</a></p>"
        ),
        None
    );
}

#[test]
fn the_word_before_a_day_is_no_part_of_the_name_before_it() {
    for (byline, name) in [
        (
            "Par <a href=/a>Léo Mas</a>, le <time datetime=2024-02-01>1er février 2024</time>",
            "Léo Mas",
        ),
        (
            "Von <a href=/a>Karin Stolz</a>, am <time datetime=2024-02-01>1. Februar 2024</time>",
            "Karin Stolz",
        ),
        (
            "Por <a href=/a>Luis Mena</a>, el <time datetime=2024-02-01>1 de febrero de 2024</time>",
            "Luis Mena",
        ),
        (
            "Di <a href=/a>Sara Conti</a>, il <time datetime=2024-02-01>1 febbraio 2024</time>",
            "Sara Conti",
        ),
        (
            "Door <a href=/a>Pim Kok</a>, op <time datetime=2024-02-01>1 februari 2024</time>",
            "Pim Kok",
        ),
        (
            "Autor: <a href=/a>Ewa Lis</a>, dnia <time datetime=2024-02-01>1 lutego 2024</time>",
            "Ewa Lis",
        ),
        (
            "By <a href=/a>Tom Reed</a>, on <time datetime=2024-02-01>1 February 2024</time>",
            "Tom Reed",
        ),
        (
            "By <a href=/a>Kim Jong Il</a>, <time datetime=2024-02-01>1 February 2024</time>",
            "Kim Jong Il",
        ),
        ("Von Karin Stolz, Hamburg, am 5. Februar 2024", "Karin Stolz"),
        ("By Anna Stand, 5 February 2024", "Anna Stand"),
        ("By Stand, 5 February 2024", "Stand"),
        ("By April May, 5 February 2024", "April May"),
    ] {
        check(
            &format!("<h1>T</h1><p class=byline>{byline}</p>"),
            name,
            "p.byline",
        );
    }
}

#[test]
fn the_label_of_a_day_is_no_author() {
    for label in [
        "Opublikowano:",
        "Pubblicato:",
        "Gepubliceerd:",
        "Dodano:",
        "Aktualizacja:",
        "Stand:",
        "Ostatnia aktualizacja:",
        "Gepubliceerd",
    ] {
        let html = format!("<h1>T</h1><p class=byline>{label} 5. 2. 2024</p>");
        assert_eq!(read(&html), None, "{label}");
    }
}

#[test]
fn who_translated_a_book_did_not_write_it() {
    let html = "<h1>T</h1><p>by <a href=/authors/oakes>Miriam Oakes</a>, translated by <a href=/authors/lind>Peter Lind</a></p>";
    assert_eq!(read(html).map(|found| found.0).as_deref(), Some("Miriam Oakes"));
}

#[test]
fn each_author_of_a_box_that_says_who_they_are_is_named() {
    let html = "<h1>T</h1><div class=byline__written-by><strong>Written by</strong><br><strong><a href=/authors/ann>Ann Onym</a></strong>, \
        4+ years covering hardware, software and the science behind them<br><strong><a href=/authors/bo>Bo Roe</a></strong>, senior editor with 5+ years of tests of laptops.</div>";
    let two = Some("Ann Onym, Bo Roe");
    assert_eq!(read(html).map(|found| found.0).as_deref(), two);
    let checked = html.replace(", senior editor", ", reviewed by an editor");
    assert_eq!(read(&checked).map(|found| found.0).as_deref(), Some("Ann Onym"));
}

#[test]
fn quotation_marks_around_a_name_are_no_part_of_it() {
    check(
        r#"<script type="application/ld+json">{"@type":"Article","author":{"name":"\"Ann Onym\""}}</script>"#,
        "Ann Onym",
        "json-ld[0].author",
    );
    assert_eq!(names("Ann \"Annie\" Onym"), ["Ann \"Annie\" Onym"]);
}

#[test]
fn who_judged_a_place_did_not_write_its_page() {
    let hotel = "<div itemscope itemtype='https://schema.org/Hotel'><h1 itemprop=name>Hotel Quern</h1>\
        <div itemprop=review itemscope itemtype='https://schema.org/Review'><span itemprop=author>Elena P.</span></div></div>";
    assert_eq!(read(hotel), None);
    let review = "<div itemscope itemtype='https://schema.org/Review'><h1 itemprop=name>Quern</h1><span itemprop=author>Elena Poe</span></div>";
    check(review, "Elena Poe", "span");
}

#[test]
fn a_tag_of_another_name_says_who_wrote_it_where_the_first_names_the_site() {
    check(
        r#"<meta name="author" content="Daily"><meta name="articleAuthor" content="Anadolu Ajansı"><h1>Fires</h1>"#,
        "Anadolu Ajansı",
        "meta[articleAuthor]",
    );
}

#[test]
fn who_is_named_right_below_the_title_and_has_a_page_among_the_experts_wrote_it() {
    let line = |names: &[&str]| {
        let names = names
            .iter()
            .map(|name| format!("<li><a href='/blog/experts/{name}'>{name}</a></li>"));
        format!(
            "<h1>On trade</h1><div class=meta><ul>{}</ul></div><p>Trade grows.</p>",
            names.collect::<String>()
        )
    };
    assert_eq!(
        read(&line(&["Michael Roe"])).map(|found| found.0).as_deref(),
        Some("Michael Roe")
    );
    // A page of all experts is about them, and a link to all of them names no one.
    assert_eq!(read(&line(&["Ann Lee", "Bo Day", "Cy Low", "Dan Moss"])), None);
    assert_eq!(
        read("<h1>On trade</h1><p><a href=/experts>Our Experts</a></p>"),
        None
    );
}
