//! Titles of pages of an invented newspaper.

use super::*;

fn read(html: &str) -> Option<String> {
    let page = Page::new(html, "https://www.daily-news.example/a/b".parse().ok());
    title(&page, &Metadata::read(&page)).map(|found| found.value)
}

fn check(html: &str, expected: &str) {
    assert_eq!(read(html).as_deref(), Some(expected), "{html}");
}

#[test]
fn the_name_of_the_site_is_no_part_of_the_title() {
    check(
        "<title>Rain - a long week | Daily News</title>",
        "Rain - a long week",
    );
    check("<title>Daily News: Rain</title><h1>Rain</h1>", "Rain");
    check("<title>Rain - Sun</title>", "Rain - Sun");
    check(
        r#"<title>Rain – All of it</title><meta property="og:title" content="Rain">"#,
        "Rain",
    );
    check("<title>Daily News » Rain</title>", "Rain");
    // What follows the name of the site says what the site offers.
    check(
        "<title>Rain that stays | Daily News | World | Sport | Culture</title>",
        "Rain that stays",
    );
}

fn read_with(url: &str, html: &str, trust: HeadingTrust) -> Option<String> {
    let page = Page::new(html, url.parse().ok());
    title_of(&page, &Metadata::read(&page), trust).map(|found| found.value)
}

#[test]
fn a_heading_stands_before_a_title_for_search_engines_where_the_type_of_the_page_allows_it() {
    let html = "<title>Buy Oak Tables Online Today</title><h1>Oak tables</h1>";
    let url = "https://woodshop.example/tables";
    let read = |trust| read_with(url, html, trust);
    assert_eq!(read(HeadingTrust::LIST).as_deref(), Some("Oak tables"));
    assert_eq!(
        read(HeadingTrust::LOW).as_deref(),
        Some("Buy Oak Tables Online Today")
    );
    let slogan = "<title>Oak tables</title><h1>Made to last for you</h1>";
    assert_eq!(
        read_with(url, slogan, HeadingTrust::LIST).as_deref(),
        Some("Oak tables")
    );
}

#[test]
fn a_title_that_only_names_the_site_gives_way_to_the_heading_except_on_the_front_page() {
    let html = "<title>Woodshop</title><h1>Oak tables</h1>";
    let read = |url| read_with(url, html, HeadingTrust::TEXT);
    assert_eq!(
        read("https://woodshop.example/tables").as_deref(),
        Some("Oak tables")
    );
    assert_eq!(read("https://woodshop.example/").as_deref(), Some("Woodshop"));
}

#[test]
fn a_heading_that_names_the_whole_book_is_no_title_of_its_chapter() {
    let html = "<title>Planning a garden | All About Soil</title><h1>All About Soil</h1>";
    let read = |url| read_with(url, html, HeadingTrust::TEXT);
    let chapter = read("https://garden.example/planning-a-garden");
    assert_eq!(chapter.as_deref(), Some("Planning a garden"));
    let book = read("https://garden.example/all-about-soil");
    assert_eq!(book.as_deref(), Some("All About Soil"));
}

#[test]
fn a_chapter_whose_title_is_a_heading_below_the_name_of_the_book_needs_no_address() {
    let html =
        "<title>Planning a garden - All About Soil</title><h1>All About Soil</h1><h2>Planning a garden</h2>";
    let found = read_with("https://garden.example/ch-2", html, HeadingTrust::TEXT);
    assert_eq!(found.as_deref(), Some("Planning a garden"));
}

#[test]
fn a_heading_that_the_address_is_made_of_stands_before_a_title_for_search_engines() {
    let html =
        "<title>Garden Plans: Buy and Save in 2024</title><h1>How we plan small gardens</h1><h1>Menu</h1>";
    let read = |url| read_with(url, html, HeadingTrust::LOW);
    assert_eq!(
        read("https://garden.example/blog/how-we-plan-small-gardens.html").as_deref(),
        Some("How we plan small gardens")
    );
    assert_eq!(
        read("https://garden.example/garden-plans-buy").as_deref(),
        Some("Garden Plans: Buy and Save in 2024")
    );
}

#[test]
fn the_name_of_the_site_stays_beside_the_word_for_a_front_page_and_goes_once() {
    check("<title>Home - Daily News</title>", "Home - Daily News");
    check(
        "<title>Daily News TV | Programme | Daily News</title>",
        "Daily News TV | Programme",
    );
}

#[test]
fn buttons_are_no_part_of_a_heading() {
    check("<h1>Rain <button>Copy</button></h1>", "Rain");
    check("<h1><button>Rain</button></h1>", "Rain");
}

#[test]
fn a_heading_that_the_title_repeats_is_the_title() {
    check(
        "<title>Rain in May | Daily</title><h1>Daily News</h1><h1>Rain in May ¶</h1>",
        "Rain in May",
    );
    check("<title>Shop</title><h1>Rain in May</h1>", "Shop");
    check("<h1>Rain in May</h1>", "Rain in May");
}

#[test]
fn a_label_before_the_title_is_no_part_of_it() {
    check(
        "<title>Which fan is the quietest one? | Daily News</title><h1>Thread: Which fan is the quietest one?</h1>",
        "Which fan is the quietest one?",
    );
    check(
        "<title>Rain: what we know of it | Daily News</title><h1>Rain: what we know of it</h1>",
        "Rain: what we know of it",
    );
}

#[test]
fn a_style_within_a_heading_is_no_part_of_it() {
    check(
        "<h1><style>.a{color:red}</style>Rain <script>f()</script><button>Copy</button></h1>",
        "Rain",
    );
    check("<h1><style>.a{color:red}</style><a href=/>Rain</a></h1>", "Rain");
}

#[test]
fn a_label_before_the_words_and_the_name_of_a_forum_behind_them_are_no_part_of_the_title() {
    check(
        r#"<title>Guest of the fair: What is read there? | Daily News</title>
        <meta property="og:title" content="Guest of the fair: What is read there?">
        <h1><span>Culture</span><span class=hidden> : </span><span>Guest of the fair: What is read there?</span></h1>"#,
        "Guest of the fair: What is read there?",
    );
    check(
        "<title>What happened with the mill in 2024 / Mill Discussion / Daily News</title><h3>What happened with the mill in 2024</h3>",
        "What happened with the mill in 2024",
    );
}

#[test]
fn a_line_below_the_title_and_the_number_of_an_article_are_no_part_of_it() {
    check(
        "<title>Tuition and fees | Daily News</title><h1><span>Tuition and fees</span> <span class=header__subtitle>The same for ten years</span></h1>",
        "Tuition and fees",
    );
    check(
        "<title>A new mill | Daily News</title><h1><a href=/m><time datetime=2025-12-18>Dec <b>18</b> 2025</time> A new mill</a></h1>",
        "A new mill",
    );
    check(
        "<title>Red kettle</title><h1><span>Red kettle</span> <span>Code: 01245</span></h1>",
        "Red kettle",
    );
}

#[test]
fn blanks_are_those_of_the_stated_title() {
    check(
        "<meta property=og:title content='Mills: the third part'><title>Mills</title><h1><b>Mills</b><i> : </i><b>the third part</b></h1>",
        "Mills: the third part",
    );
}

#[test]
fn a_headline_behind_its_translation_is_no_name_of_a_whole() {
    let html = r#"<title>Miller buys second mill | Müller kauft eine zweite Mühle im Tal - Alnwick | Daily News</title>
        <script type="application/ld+json">{"@type":"NewsArticle","headline":"Müller kauft eine zweite Mühle im Tal"}</script>
        <h1>Müller kauft eine zweite Mühle im Tal</h1>"#;
    let url = "https://www.daily-news.example/local/miller-buys-second-mill-1.html";
    assert_eq!(
        read_with(url, html, HeadingTrust::TEXT).as_deref(),
        Some("Müller kauft eine zweite Mühle im Tal")
    );
}

#[test]
fn a_title_that_names_only_a_section_gives_way_to_the_first_heading() {
    for (html, title) in [
        (
            "<title>Presse: Quern Technik</title><h1>Quern baut ein zweites Werk in Lingen</h1>",
            "Quern baut ein zweites Werk in Lingen",
        ),
        (
            "<title>Stellenangebot – Quern Pflege</title><h2>Pflegefachkraft für die Frühtour</h2><h3>Aufgaben</h3>",
            "Pflegefachkraft für die Frühtour",
        ),
        (
            "<meta property=og:site_name content='Oak Hall'><title>Oak Hall | Programme</title><nav><h2>Main menu</h2></nav><h2><a href=/>Next week</a></h2><h2>Ann Onym reads: The dyke</h2>",
            "Ann Onym reads: The dyke",
        ),
        (
            "<title>Annual results – Press release</title><h2>Key figures at a glance</h2>",
            "Annual results – Press release",
        ),
        (
            "<title>News from the mill</title><h2>Other things</h2>",
            "News from the mill",
        ),
    ] {
        let page = Page::new(html, None);
        let metadata = Metadata::read(&page);
        let found = super::title(&page, &metadata).map(|found| found.value);
        assert_eq!(found.as_deref(), Some(title), "{html}");
    }
}

#[test]
fn a_section_before_the_title_for_sharing_is_no_title() {
    let html = "<title>Quern Weekly | Culture | Books | The mill at night</title>\
        <meta property=og:title content='The mill at night'><h1>Books</h1><h2>The mill at night</h2>";
    assert_eq!(read(html).as_deref(), Some("The mill at night"));
}

#[test]
fn of_two_titles_the_one_that_begins_with_the_heading_is_that_of_the_page() {
    let html = "<title>Stone milling Services &amp; Strategies | Daily News</title>\
        <meta property=og:title content='Daily News | Milling Solutions'><h1>Stone milling</h1>";
    assert_eq!(read(html).as_deref(), Some("Stone milling Services & Strategies"));
}

#[test]
fn the_line_above_a_title_within_its_heading_is_no_part_of_the_title() {
    let html = r#"<title>Worm box | Quern</title><script type="application/ld+json">{"@type":"Article","headline":"How to build a worm box"}
        </script><h1><span class=header__roofline>Worm box</span> How to build a worm box</h1>"#;
    assert_eq!(read(html).as_deref(), Some("How to build a worm box"));
}

#[test]
fn a_heading_that_leads_to_the_front_page_names_the_site() {
    check(
        "<title>Enchufla - Steps of Quern - A dance</title><h1><a href='/'><span>Steps of Quern - A dance</span></a></h1>\
        <div>Enchufla</div>",
        "Enchufla",
    );
    // A blog's own name is the title of its front page alone.
    check("<title>Rain</title><h1><a href='/'>Rain</a></h1>", "Rain");
}

#[test]
fn a_link_of_the_header_to_the_front_page_names_the_site() {
    let header = "<header><a href='/'>Immo Donau</a></header>";
    check(
        &format!(
            "<title>3-Zimmer-Wohnung mit Balkon | Immo Donau</title>{header}<h1>Helle Wohnung mit Balkon</h1>"
        ),
        "3-Zimmer-Wohnung mit Balkon",
    );
    // Another site may be what a page is about.
    check(
        "<title>Flats | Immo Donau</title><header><a href='/'>Home</a></header><main><a href='/'>Immo Donau</a></main>",
        "Flats | Immo Donau",
    );
}

#[test]
fn the_link_to_a_section_in_a_heading_is_no_part_of_the_title() {
    check(
        "<title>Mill closed – Daily News</title><h1><div><a href='/local'>Local News | </a></div><span>Mill closed</span></h1>",
        "Mill closed",
    );
}

#[test]
fn a_word_for_an_overview_alone_is_no_title() {
    let html = "<meta property=og:site_name content=Quern><title>Milling with Quern | Overview</title>";
    assert_eq!(read(html).as_deref(), Some("Milling with Quern | Overview"));
    assert_eq!(
        read("<title>Overview of mills | Daily News</title>").as_deref(),
        Some("Overview of mills")
    );
}
