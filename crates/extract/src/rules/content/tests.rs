use super::*;
use proptest::prelude::*;

fn page(body: &str) -> Page {
    page_with("", body)
}

fn page_with(head: &str, body: &str) -> Page {
    let html = format!(
        "<html><head><title>River rises again - The Paper</title>{head}</head><body>\
         <header class=site-header><a href=/>The Paper</a><nav><ul><li><a href=/w>World</a><li><a href=/s>Sport</a><li><a href=/c>Culture</a></ul></nav></header>\
         {body}\
         <footer class=footer><ul><li><a href=/p>Privacy policy</a><li><a href=/i>Imprint</a></ul><p>Copyright 2026 The Paper. All rights reserved.</p></footer></body></html>"
    );
    Page::new(html, None)
}

fn read(body: &str) -> String {
    let page = page(body);
    text(&page, &find(&page))
}

fn written(body: &str) -> String {
    let page = page(body);
    markdown(&page, &find(&page))
}

fn has(text: &str, wanted: &[&str], unwanted: &[&str]) {
    for it in wanted {
        assert!(text.contains(it), "{it:?} is missing in\n{text}");
    }
    for it in unwanted {
        assert!(!text.contains(it), "{it:?} is too much in\n{text}");
    }
}

const FIRST: &str = "<p>The river rose again on Monday night, and by the morning the lower streets were under water, the mayor said.</p>";
const SECOND: &str = "<p>Schools stay closed until Thursday; the bridge, which is eighty years old, is to be checked before anyone may cross it.</p>";
const THIRD: &str = "<p>Helpers from three towns brought sand, pumps and soup, and nobody was hurt, according to the fire brigade.</p>";
const CHROME: [&str; 4] = ["Culture", "Imprint", "Copyright", "Privacy policy"];

#[test]
fn a_story_is_read_without_the_furniture_around_it() {
    let text = read(&format!(
        "<main><article><h1>River rises again</h1>{FIRST}{SECOND}{THIRD}</article>\
         <div class=share-buttons><a href=#f>Share on Facebook</a><a href=#t>Tweet</a></div>\
         <aside class=related><h3>Read more</h3><ul><li><a href=/1>Ten bridges you should see</a><li><a href=/2>The mayor, a portrait</a></ul></aside>\
         <div class=newsletter><p>Subscribe to our newsletter</p><form><input><button>Sign up</button></form></div></main>"
    ));
    has(
        &text,
        &["lower streets", "eighty years old", "nobody was hurt"],
        &CHROME,
    );
    has(&text, &[], &["Tweet", "Ten bridges", "Subscribe"]);
}

#[test]
fn comments_are_not_of_the_article() {
    let comments: String = (1..6)
        .map(|it| format!("<li class=comment><b>Reader {it}</b><p>I remember the flood of the year before, number {it}, it was much worse than that, believe me.</p></li>"))
        .collect();
    let page = page_with(
        "<meta property=og:type content=article><meta property=article:published_time content=2026-01-05>",
        &format!(
            "<article><h1>River rises again</h1>{FIRST}{SECOND}{THIRD}{FIRST}</article><section id=comments><h2>5 comments</h2><ol class=comment-list>{comments}</ol></section>"
        ),
    );
    let text = text(&page, &find(&page));
    has(
        &text,
        &["lower streets", "nobody was hurt"],
        &["I remember the flood"],
    );
}

#[test]
fn names_of_classes_alone_do_not_cut_an_article() {
    for class in [
        "widget",
        "top",
        "side",
        "header",
        "elementor-widget-theme-post-content",
        "ad-free-content",
    ] {
        let text = read(&format!(
            "<article class='{class}'><h1>River rises again</h1>{FIRST}{SECOND}{THIRD}</article>"
        ));
        has(
            &text,
            &["lower streets", "eighty years old", "nobody was hurt"],
            &CHROME,
        );
    }
}

#[test]
fn structure_inside_the_content_survives() {
    let written = written(&format!(
        "<article><h1>River rises again</h1>{FIRST}<h2>What is closed</h2><p>The town has closed these places until further notice, it said:</p>\
         <ul><li>the old bridge and the way along the river</li><li>both schools in the lower town</li></ul>\
         <h2>How high the water stood</h2>{SECOND}\
         <table><tr><th>Place</th><th>Height</th></tr><tr><td>Old bridge</td><td>4.10 m</td></tr><tr><td>Harbour</td><td>3.75 m</td></tr></table>{THIRD}\
         <p>The <a href=https://example.org/levels>levels of the river</a> are measured <strong>every hour</strong> by the state.</p></article>"
    ));
    has(
        &written,
        &["## What is closed", "- the old bridge", "| Old bridge", "4.10 m"],
        &CHROME,
    );
    has(
        &written,
        &[
            "[levels of the river](https://example.org/levels)",
            "**every hour**",
            "lower streets",
        ],
        &[],
    );
}

#[test]
fn code_keeps_its_white_space() {
    let written = written(
        "<main><h1>Parsing flags</h1><p>The function below reads all flags of the command line, one after the other, and stops at the first one it does not know.</p>\
         <pre><code class=language-rust>fn read(args: &amp;[&amp;str]) {\n    for arg in args {\n        println!(\"{arg}\");\n    }\n}</code></pre>\
         <p>It returns nothing, as it prints what it reads; call it once, at the start of the program, before anything else is done.</p></main>",
    );
    has(&written, &["    for arg in args {\n        println!"], &CHROME);
}

#[test]
fn a_thread_keeps_all_its_posts() {
    let posts: String = ["Has anyone run the new pump for more than a week without it stopping?", "Mine has run since March, but I clean the filter every Sunday evening.", "Same here. Take the grey filter, the white one is too fine for river water.", "Thank you both, I will order the grey one and report back in a month."]
        .iter()
        .enumerate()
        .map(|(at, it)| format!("<div class=post id=p{at}><div class=author><a href=/u/{at}>user{at}</a></div><div class=post-body><p>{it}</p></div><div class=actions><a href=#>Like</a> <a href=#>Reply</a></div></div>"))
        .collect();
    let text = read(&format!(
        "<div class=thread><h1>New pump: any experience?</h1>{posts}</div>"
    ));
    has(
        &text,
        &[
            "without it stopping",
            "every Sunday evening",
            "the grey filter",
            "report back",
        ],
        &CHROME,
    );
}

#[test]
fn what_a_page_without_scripts_would_show_is_read_when_it_is_all_there_is() {
    let posts: String = (0..8).map(|it| format!("<div class=topic-body><p>Post number {it}: the pump was loud at first, then it got better after we cleaned it twice.</p></div>")).collect();
    let text = read(&format!(
        "<div id=app></div><noscript><div class=crawler><h1>Loud pump</h1>{posts}</div></noscript>"
    ));
    has(&text, &["Post number 0", "Post number 7"], &[]);
}

#[test]
fn a_list_of_links_is_not_empty() {
    let subjects = [
        "Pumps",
        "Compilers",
        "Bridges",
        "Old maps",
        "Radio",
        "Bread",
        "Ferries",
        "Violins",
        "Sand",
    ];
    let rows: String = (0..25)
        .map(|it| (it, subjects[it % subjects.len()]))
        .map(|(it, subject)| format!("<tr class=athing><td>{it}.</td><td><a href=https://example.org/{it}>{subject} {it} explained to people who have never seen one</a></td></tr><tr><td></td><td>{it} points by user{it} | <a href=/i{it}>{it} comments</a></td></tr>"))
        .collect();
    let text = read(&format!("<table id=hnmain>{rows}</table>"));
    has(
        &text,
        &[
            "Pumps 0 explained",
            "Old maps 12 explained",
            "Violins 16 explained",
        ],
        &[],
    );
}

#[test]
fn a_product_is_its_name_its_description_and_its_data() {
    let text = read(
        "<main class=product><h1 class=product-title>Grey river pump 3000</h1><span class=price>$129.00</span><button>Add to cart</button>\
         <div class=product-description><h2>Description</h2><p>The pump lifts three thousand litres an hour, runs on twelve volts and is quiet enough to sleep beside.</p>\
         <p>Its filter is made of steel, can be opened without tools, and needs to be cleaned about once a week in muddy water.</p></div>\
         <div class=product-specs><h2>Specifications</h2><table><tr><th>Weight</th><td>4.2 kg</td></tr><tr><th>Power</th><td>60 watts</td></tr></table></div></main>\
         <section class=related-products><h2>You may also like</h2><ul><li><a href=/p/1>Blue pump</a> $99</li><li><a href=/p/2>Hose, ten metres</a> $19</li></ul></section>",
    );
    has(&text, &["three thousand litres", "made of steel"], &CHROME);
}

#[test]
fn the_text_of_a_product_has_its_name_and_its_price() {
    let html = "<title>Grey river pump 3000</title><meta property=og:type content=product>\
        <script type=application/ld+json>{\"@type\":\"Product\",\"name\":\"Grey river pump 3000\",\"sku\":\"P3000\",\
        \"offers\":{\"@type\":\"Offer\",\"price\":\"129.00\",\"priceCurrency\":\"USD\"}}</script>\
        <main class=product><h1 class=product-title>Grey river pump 3000</h1><span class=price>$129.00</span><button>Add to cart</button>\
        <div class=product-description><h2>Description</h2><p>The pump lifts three thousand litres an hour, runs on twelve volts and is quiet \
        enough to sleep beside.</p><p>Its filter is made of steel, can be opened without tools, and needs to be cleaned about once a week in \
        muddy water.</p></div></main>";
    let page = Page::new(html, "https://shop.example/products/grey-river-pump".parse().ok());
    let text = main_text(&page);
    assert!(
        text.starts_with("Grey river pump 3000") && text.contains("$129.00"),
        "{:?} {text}",
        find(&page).kind
    );
}

#[test]
fn text_after_inline_elements_of_a_layout_table_is_kept() {
    let text = read(
        "<table><tr><td>The <b>river</b> rose again on <i>Monday</i> night, and by the morning the lower streets were under water.<br><br>\
         Schools stay <a href=/x>closed</a> until Thursday; the bridge, which is old, is to be checked before anyone may cross it.<br><br>\
         Helpers from three towns brought sand, pumps and soup, and nobody was hurt, the fire brigade said.</td></tr></table>",
    );
    has(
        &text,
        &[
            "rose again on Monday night, and by the morning",
            "closed until Thursday",
            "nobody was hurt",
        ],
        &CHROME,
    );
}

#[test]
fn a_page_without_words_has_no_content() {
    for html in [
        "",
        "<p>",
        "<body><img src=x></body>",
        "<script>var a = 1</script>",
    ] {
        let page = Page::new(html, None);
        let found = find(&page);
        assert_eq!(
            (text(&page, &found), found.roots.len()),
            (String::new(), 0),
            "{html}"
        );
    }
}

#[test]
fn every_part_can_be_turned_off() {
    let page = page(&format!(
        "<article><h1>River rises again</h1>{FIRST}{SECOND}{THIRD}</article>"
    ));
    for part in 0..5 {
        let options = ContentOptions {
            kind: part != 0,
            learned: part != 1,
            vocabulary: part != 2,
            metadata: part != 3,
            strictness: if part == 4 { GENEROUS } else { 1.0 },
        };
        let text = text(&page, &find_with(&page, &options));
        has(&text, &["lower streets", "nobody was hurt"], &[]);
    }
}

#[test]
fn markdown_has_the_plain_copy_that_the_text_has() {
    let words = "The river rose again on Monday night, and the lower streets were under water. ".repeat(5);
    let page = Page::new(format!("<ul><li><noscript>{words}"), None);
    let found = find(&page);
    assert!(!text(&page, &found).is_empty());
    assert_eq!(bare(&text(&page, &found)), bare(&markdown(&page, &found)));
}

/// The words of a text, without what Markdown adds.
fn bare(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever the markup, reading ends, says the same twice, and Markdown has the words of the text.
    #[test]
    fn any_markup_is_read_and_text_and_markdown_agree(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<div>", "</div>", "<p>", "</p>", "<ul><li>", "</ul>", "<h2>", "</h2>", "<a>", "</a>", "<section class='comments'>",
            "</section>", "<noscript>", "</noscript>", "<span hidden>", "</span>", "<br><br>",
            "The river rose again on Monday night, and the lower streets were under water. ", "word ", "<article>", "</article>",
        ]), 0..80)
    ) {
        let page = Page::new(parts.concat(), None);
        let found = find(&page);
        let again = find(&page);
        prop_assert_eq!(&found.roots, &again.roots);
        prop_assert_eq!(bare(&text(&page, &found)), bare(&markdown(&page, &found)));
    }
}

#[test]
fn rows_that_differ_in_a_word_are_no_copies() {
    let rows: String = (0..40)
        .map(|row| {
            format!(
                "<p>Entry number {row} is a kettle of some kind, with a lid and a spout and a handle.</p>"
            )
        })
        .collect();
    let page = Page::new(format!("<h1>Kettles</h1>{rows}"), None);
    let text = text(&page, &find(&page));
    assert!(
        (0..40).all(|row| text.contains(&format!("Entry number {row} is"))),
        "{text}"
    );
}

#[test]
fn a_dialog_about_consent_is_not_of_the_page() {
    let prose = "<p>The river rose again on Monday night, and by the morning the lower streets were under water, the mayor said.</p>";
    let page = Page::new(
        format!(
            "<article><h1>River rises</h1>{}</article><div class=cookie-consent><h2>We value your privacy</h2><p>We and our 91 partners \
             store and access information on a device, such as unique identifiers, to process personal data.</p></div>",
            prose.repeat(5)
        ),
        None,
    );
    let text = text(&page, &find(&page));
    assert!(
        text.contains("lower streets") && !text.contains("91 partners"),
        "{text}"
    );
}

#[test]
fn what_a_line_says_to_screen_readers_alone_is_left_out() {
    let html = "<article><h1>River rises<span class=mw-editsection>[<a href=/edit>edit</a>]</span></h1><p>The river rose again on Monday \
        night, and the <a href=/x>mayor<span class=sr-only> (opens in a new window)</span></a> said that schools stay closed.</p></article>";
    let page = Page::new(html, None);
    let found = find(&page);
    for out in [text(&page, &found), main_markdown(&page)] {
        assert!(
            out.contains("River rises") && !out.contains("edit") && !out.contains("window"),
            "{out}"
        );
    }
}

#[test]
fn markdown_holds_the_title_and_a_products_price() {
    let prose = "<p>A kettle of brushed steel for a litre and a half, with a handle that stays cool and a lid that stays on when it pours.</p>";
    let html = format!(
        "<title>Steel kettle | Lumen</title><script type=application/ld+json>{{\"@type\":\"Product\",\"name\":\"Steel kettle\"}}</script>\
         <div class=product-page><h1 class=product-title>Steel kettle</h1><div class=price>$49.90</div><button>Add to cart</button>{}</div>",
        prose.repeat(4)
    );
    let page = Page::new(&html, "https://shop.example/products/steel-kettle".parse().ok());
    let markdown = main_markdown(&page);
    assert!(
        markdown.contains("# Steel kettle") && markdown.contains("$49.90"),
        "{markdown}"
    );
    let page = Page::new(format!("<title>Rain in May</title>{}", prose.repeat(4)), None);
    let markdown = main_markdown(&page);
    assert!(markdown.starts_with("# Rain in May\n\n"), "{markdown}");
}

#[test]
fn main_text_is_the_strict_content_without_what_the_page_hides() {
    let html = "<title>Hose</title><main><h1>Garden hose</h1><p style='display: none'>Was $1.00</p><p hidden>Now $2.00</p>\
        <p class=price><s>$30.00</s> <b>$24.50</b></p><p>A hose of rubber for the garden, twenty metres long, that lies flat when it is \
        empty and fits on every tap.</p><pre>a  b\n  c</pre><p>Sizes of the hose that we sell most, as every maker gives them.</p><table><tr><th>Bore</th><td>13 mm</td></tr>\
        <tr><th>Length</th><td>20 m</td></tr></table><p>All of our hoses have a warranty of five years, and we take them back when they \
        leak.</p></main>";
    let page = Page::new(html, None);
    assert_eq!(
        main_text(&page),
        "$30.00 $24.50\n\nA hose of rubber for the garden, twenty metres long, that lies flat when it is empty and fits on \
         every tap.\n\na  b\n  c\n\nSizes of the hose that we sell most, as every maker gives \
         them.\n\nBore\t13 mm\nLength\t20 m\n\nAll of our hoses have a warranty of five years, and we take them back when they leak."
    );
    let markdown = main_markdown(&page);
    for shown in ["# Garden hose", "**$24.50**", "```\na  b", "| Length | 20 m |"] {
        assert!(markdown.contains(shown), "{markdown}");
    }
    assert!(
        !markdown.contains("$1.00") && !markdown.contains("$2.00"),
        "{markdown}"
    );
}

#[test]
fn a_page_without_main_content_is_shown_whole_and_an_empty_one_is_empty() {
    let page = Page::new("<title>T</title><nav><a href=/a>One</a></nav>", None);
    assert_eq!(
        (
            main_text(&page).contains("One"),
            main_markdown(&page).contains("One")
        ),
        (true, true)
    );
    let page = Page::new("<title>T</title><div></div>", None);
    assert_eq!(
        (main_text(&page), main_markdown(&page)),
        (String::new(), String::new())
    );
}

#[test]
fn what_a_page_hides_and_may_show_later_stays() {
    let prose = "<p>The river rose again on Monday night, and the mayor said that schools stay closed until the water is lower.</p>";
    let html = format!(
        "<h1>River</h1>{}<p hidden id=more>Call 112 for help.</p><p hidden>{}</p>",
        prose.repeat(3),
        prose
    );
    let text = main_text(&Page::new(html, None));
    assert!(text.contains("Call 112"), "{text}");
}

#[test]
fn a_list_has_no_holes_and_a_term_stands_above_its_description() {
    let entry = |name: &str, text: &str| {
        format!("<dt id={name}>{name}<a href=#{name}>¶</a></dt><dd><p>{text}</p></dd>")
    };
    let terms = [
        entry(
            "open",
            "Fired when a connection is opened, and before any message has been received from the other side.",
        ),
        entry(
            "close",
            "Fired when a connection is closed, whether the server or the page has asked for the closing.",
        ),
        entry(
            "error",
            "Fired when a connection has been closed because of an error, of which the page is told nothing.",
        ),
        entry(
            "message",
            "Fired when data is received, which a property of the event then holds as text or as bytes.",
        ),
    ];
    let text = read(&format!(
        "<main><h1>Events of sockets</h1>{FIRST}<dl>{}</dl>{SECOND}</main>",
        terms.concat()
    ));
    has(
        &text,
        &["\nopen\n", "\nclose\n", "\nerror\n", "\nmessage\n"],
        &["¶"],
    );
}

#[test]
fn links_to_the_pages_before_and_behind_are_no_text() {
    let turner = "<div><table><tr><th colspan=3>Chapter 11. Floods</th></tr><tr><td><a accesskey=p href=a>Prev</a></td>\
        <th>Part II. The valley</th><td><a accesskey=n href=c>Next</a></td></tr></table></div>";
    let footer = "<div><table><tr><td><a rel=prev href=a>Prev</a></td><td><a rel=up href=u>Up</a></td><td><a rel=next href=c>Next</a></td></tr>\
        <tr><td>10.6. Dams and weirs</td><td>Home</td><td>11.1. The lower town</td></tr></table></div>";
    let body = format!(
        "<div id=doc>{turner}<div><h2>Chapter 11. Floods</h2>{FIRST}{SECOND}{THIRD}</div>{footer}</div>"
    );
    has(
        &read(&body),
        &["the mayor said", "fire brigade"],
        &["The valley", "Dams and weirs", "The lower town", "Prev"],
    );
}

#[test]
fn a_table_is_kept_with_the_heads_of_its_rows_and_columns() {
    let prose = "<p>The river rose again on Monday night, and by the morning the lower streets were under water, the mayor said.</p>";
    let row = |place: &str, height: u32| {
        format!(
            "<tr><th scope=row>{place}</th><td>{height} cm above the usual mark</td><td>{height} houses</td></tr>"
        )
    };
    let rows: String = [("Quern", 12), ("Holt", 31), ("Saddle", 7), ("Weir", 24)]
        .map(|(place, height)| row(place, height))
        .concat();
    let body = format!(
        "<article><h1>River rises again</h1>{0}<table><tr><th>Place</th><th>Height</th><th>Damage</th></tr>{rows}</table>{0}</article>",
        prose.replace("Monday", "Sunday").repeat(2)
    );
    has(
        &read(&body),
        &["Place\tHeight", "Quern\t12 cm", "Weir\t24 cm"],
        &[],
    );
}

#[test]
fn steps_that_differ_by_a_word_are_all_kept() {
    let step = |face: &str| {
        format!(
            "<h3>To remove the {face} face</h3><ol><li><p>Hold down Ctrl and Shift, and click to select the {face} face of the box.</p>\
             <li><p>Press the Delete key, and look at what is left of the box from all sides.</p></ol>"
        )
    };
    let steps = ["top", "front", "bottom"].map(step).concat();
    let body = format!(
        "<main><article><h1>Opening a box</h1><p>A box has six faces, of which each can be removed without the others, one after another.</p>{steps}</article></main>"
    );
    has(
        &read(&body),
        &[
            "select the top face",
            "select the front face",
            "select the bottom face",
        ],
        &[],
    );
}

#[test]
fn of_a_quote_that_is_a_copy_nothing_stays() {
    let said = "It depends on the mix of water and grain that the mill is given, and on how old the stones of the mill are by now.";
    let body = format!(
        "<main><h1>Which stones grind best?</h1><article class=post><p>{said}</p><p>We keep two pairs of them in the shed behind the house for the winter.</p></article>\
         <article class=post><blockquote><div>8 hours ago, Quern said:</div><div><p>{said}</p></div></blockquote><p>Ours are forty years old, and they still grind \
         all of the wheat that the farm next to us brings in autumn.</p></article></main>"
    );
    let text = read(&body);
    assert_eq!(text.matches("It depends on the mix").count(), 1, "{text}");
    has(&text, &["forty years old"], &["8 hours ago"]);
}

#[test]
fn a_card_within_a_sentence_is_not_read() {
    let body = "<main><article><h1>A new mill</h1><p>The mayor <span class=roll><a href='/p/1'>Anna Holt</a><span class=card><img src='/1.jpg'><a href='/p/1'>Anna \
        Maria Holt</a><a href='/a/1'>Mayor closes a bridge</a> <a href='/a/2'>Mayor opens a bridge</a></span></span> has opened the mill by the river, which will \
        grind the wheat of the whole valley from this autumn on.</p><p>It is the third mill that the town has built since the flood of the year before last, and \
        the only one that runs on wind.</p></article></main>";
    has(
        &read(body),
        &["The mayor Anna Holt has opened the mill"],
        &["closes a bridge", "Maria"],
    );
}

#[test]
fn a_paragraph_about_another_thing_in_the_same_words_is_kept() {
    let body = "<article><h1>Fields of a model</h1>\
        <p>Foreign keys take a number of extra arguments which are explained in the reference of all fields. These options \
        help define how the relationship should work; all are optional.</p><section><p>Below is what each side of it means.</p></section>\
        <section><p>Many to many fields also take a number of extra arguments which are explained in the reference of all fields. \
        These options help define how the relationship should work; all are optional.</p></section></article>";
    has(
        &read(body),
        &["Foreign keys take", "Many to many fields also take"],
        &[],
    );
}

#[test]
fn the_steps_of_a_list_are_kept_though_the_text_above_said_some_of_them() {
    let grate = "Grate the tofu on the coarse side of the grater into a large bowl, and press out the water with a cloth.";
    let bake = "Bake the tofu on the middle shelf for half an hour and turn all of it over once while it is in the oven.";
    let body = format!(
        "<article><h1>Shredded tofu</h1><p>I make this on most Sundays, since the children like it as much as the neighbours do.</p>\
         <p>{grate}</p><p>{bake}</p><h2>Instructions</h2><ol><li>Heat the oven to 200 degrees and line a tray with paper.</li>\
         <li>{grate}</li><li>{bake}</li><li>Heat the sauce with a little water and pour it over the tofu.</li></ol></article>"
    );
    let text = read(&body);
    assert_eq!(text.matches("Grate the tofu").count(), 2, "{text}");
    assert_eq!(text.matches("Bake the tofu").count(), 2, "{text}");
}

#[test]
fn short_answers_of_a_question_are_content() {
    let html = "<nav><a href=/>Home</a> <a href=/q>Questions</a></nav><main><h1>May I cut ivy in November?</h1>\
        <div class=question><div class=votes>4</div><div class=post-text><p>My ivy grows into the gutter. May I cut it now?</p></div></div>\
        <h2>2 answers</h2><div class='answer accepted'><div class=votes>9</div><div class=post-text><p>Yes, a light trim is allowed.</p></div>\
        <p>answered by <a href=/u/2>Karl of the Gardens</a></p></div>\
        <div class=answer><div class=post-text><p>Not in frost.</p></div><form><textarea></textarea><label>Your reply to this</label></form></div></main>";
    let page = Page::new(html, None);
    for text in [main_text(&page), main_markdown(&page)] {
        assert!(
            text.contains("a light trim is allowed") && text.contains("Not in frost."),
            "{text}"
        );
        assert!(!text.contains("Your reply"), "{text}");
    }
}

#[test]
fn a_watched_page_is_without_the_advertisements_within_its_text() {
    let page = |advert: &str| {
        Page::new(
            format!(
                "<title>Opening</title><main><h1>Opening</h1><p>The workshop is open from Tuesday to Saturday, from ten until six, and \
                 closed on public holidays.</p>{advert}<p>Groups are asked to book two weeks ahead.</p></main>"
            ),
            None,
        )
    };
    let plain = watched(&page("")).content;
    assert!(plain.contains("two weeks ahead"), "{plain}");
    let spain = "<div class='ad advertisement'><p>Holiday in Spain from €299</p></div>";
    assert_eq!(watched(&page(spain)).content, plain);
    let sofa = "<aside class=sponsored><a href='https://ads.example/c?id=1'>New sofa</a></aside>";
    assert_eq!(watched(&page(sofa)).content, plain);
    let ad_free = "<div class=ad-free><p>All of it without advertisements.</p></div>";
    assert!(watched(&page(ad_free)).content.contains("All of it"));
    // A page of small ads is about them.
    let small: String = (1..9)
        .map(|at| format!("<div class=ad><p>Lathe number {at} for sale, hardly used, €{at}00</p></div>"))
        .collect();
    assert!(watched(&page(&small)).content.contains("Lathe number 3"));
}

#[test]
fn the_toolbar_of_a_web_archive_is_no_text() {
    let body = format!(
        "<div id=wm-ipp-base style='display:none'><div id=wm-ipp><p>Starting in 1996, an institute has been donating their crawl data to \
         the archive. Flowing in every day, these data are added to the collection after an embargo period.</p></div></div>\
         <main><article><h1>River rises again</h1>{FIRST}{SECOND}{THIRD}</article></main>"
    );
    let page = page(&body);
    for text in [main_text(&page), main_markdown(&page), whole_text(&page)] {
        has(&text, &["lower streets"], &[]);
    }
    has(&main_text(&page), &[], &["Starting in 1996"]);
    has(&main_markdown(&page), &[], &["Starting in 1996"]);
}

#[test]
fn what_says_a_figure_or_a_name_of_its_own_is_no_copy() {
    let section = |heading: &str, text: &str| {
        format!("<section><h2>{heading}</h2><div class=body><p>{text}</p></div></section>")
    };
    let plan = |heading: &str, price: &str| {
        let text = "All plans of ours include unlimited calls and texts, roaming in the whole of Europe and a new card for your phone, and cost each month";
        section(heading, &format!("{text} {price}."))
    };
    let flight = |heading: &str, town: &str| {
        let text = "The daily flight leaves the main airport of the city at ten past eight in the morning and lands in";
        section(heading, &format!("{text} {town} at noon."))
    };
    let parts = [
        plan("Small", "£10"),
        plan("Medium", "£20"),
        plan("Large", "£30"),
        flight("First flight", "Krakow"),
        flight("Second flight", "Gdansk"),
    ];
    let body = format!("<main><h1>Our plans</h1>{FIRST}{}{SECOND}</main>", parts.concat());
    let page = page(&body);
    for text in [main_text(&page), main_markdown(&page)] {
        has(
            &text,
            &[
                "month £10.",
                "month £20.",
                "month £30.",
                "in Krakow at",
                "in Gdansk at",
            ],
            &[],
        );
    }
}

#[test]
fn what_is_said_again_below_a_heading_of_its_own_stays_there() {
    let warning = "Before you begin, switch off the power at the wall, wait for five minutes and check with a meter that nothing is live.";
    let step = |part: &str| {
        format!(
            "<section><h2>{part}</h2><p>{warning}</p><p>Then take out the {part} with a key, clean it with water and put a new one in its place with care.</p></section>"
        )
    };
    let steps = ["Seal", "Motor", "Valve"].map(step).concat();
    let copy = step("Seal");
    let text = read(&format!(
        "<main><h1>Repair of the pump</h1>{FIRST}{steps}<div>{copy}</div>{SECOND}</main>"
    ));
    assert_eq!(text.matches("switch off the power").count(), 3, "{text}");
}

#[test]
fn the_discussion_of_a_paper_is_no_comment_and_that_of_readers_is() {
    let read = |discussion: &str| {
        read(&format!(
            "<main><article><h1>On the origin of tides</h1>{FIRST}{SECOND}{THIRD}{discussion}\
            <section><h2>Conclusion</h2><p>The form of a bay decides how high the tide is there, and the moon only when it comes to it each day.</p></section>\
            </article></main>"
        ))
    };
    let found = "<p>We found that the tide of the northern bay is twice as high as that of the southern one, which is due to its form.</p>".repeat(2);
    has(
        &read(&format!(
            "<section id=discussion><h2>Discussion</h2>{found}</section>"
        )),
        &["northern bay", "form of a bay"],
        &[],
    );
    let post = "<div class=post><b class=username>Ann</b><p>I have been to the northern bay and the tide was not high at all, said nobody but me.</p></div>";
    has(
        &read(&format!(
            "<div id=discussion><h3>Discussion</h3>{}</div>",
            post.repeat(2)
        )),
        &["form of a bay"],
        &["not high at all"],
    );
}

#[test]
fn what_the_header_of_the_site_advertises_is_not_of_the_page() {
    let books: String = [
        "Banking of tomorrow: how a trade changes",
        "Two years of blogging in one book",
        "Ideas for small shops and their owners",
    ]
    .iter()
    .map(|book| format!("<div class=book><h4>{book}</h4><a href=/get>Get the book</a></div>"))
    .collect();
    let posts: String = ["Monday", "Tuesday", "Wednesday", "Thursday"]
        .iter()
        .map(|day| {
            format!("<div class=item><h2><a href='/{day}'>The river on {day}</a></h2>{FIRST}{SECOND}</div>")
        })
        .collect();
    let text = read(&format!(
        "<header><div id=sub><h3>My books</h3>{books}</div></header><section id=main>{posts}</section>"
    ));
    has(
        &text,
        &["lower streets", "The river on Tuesday"],
        &["Banking of tomorrow", "Two years of blogging"],
    );
}
