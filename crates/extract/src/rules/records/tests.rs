use page::Page;

use super::*;

/// The texts of the first group.
fn first(html: &str) -> Vec<String> {
    let groups = find(&Page::new(html, None));
    groups
        .into_iter()
        .next()
        .map(|group| group.records.into_iter().map(|record| record.text).collect())
        .unwrap_or_default()
}

fn opening_words(html: &str) -> Vec<String> {
    first(html)
        .iter()
        .map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect()
}

fn repeat(n: usize, of: impl Fn(usize) -> String) -> String {
    (1..=n).map(of).collect()
}

fn menu() -> String {
    format!(
        "<nav><ul class='menu'>{}</ul></nav>",
        repeat(30, |n| format!(
            "<li><a href='/c{n}'>Category number {n}</a></li>"
        ))
    )
}

fn footer() -> String {
    let column = |c: usize| {
        let links = repeat(8, |n| format!("<li><a href='/f{c}-{n}'>Footer link {n}</a></li>"));
        format!("<div class='col'><h4>Column {c}</h4><ul>{links}</ul></div>")
    };
    format!("<footer>{}</footer>", repeat(4, column))
}

#[test]
fn a_product_grid_wins_over_menu_and_footer() {
    let tiles = repeat(9, |n| {
        format!(
            "<div class='tile'><a href='/p{n}'><img src='{n}.jpg'></a><h3><a href='/p{n}'>Lamp {n}</a></h3><span>$ {n}9.90</span></div>"
        )
    });
    let html = format!(
        "{}<main><h1>Lamps</h1><div class='grid'>{tiles}</div></main>{}",
        menu(),
        footer()
    );
    let want: Vec<String> = (1..=9).map(|n| format!("Lamp {n} $ {n}9.90")).collect();
    assert_eq!(first(&html), want);
}

#[test]
fn the_words_of_a_card_are_an_entry_with_its_picture_and_badge() {
    let cards = repeat(8, |n| {
        let badge = if n % 3 == 0 {
            "<span class=badge>Organic</span>"
        } else {
            ""
        };
        format!(
            "<div class='col'><div class='card'><div class='badges'>{badge}</div><a href='/w{n}'><img src='/w{n}.jpg' alt=''></a>\
             <div class='info'><div class='maker'>Estate {n}</div><a class='name' href='/w{n}'>Red wine number {n}</a>\
             <ul><li>Grape: Merlot</li><li>Year: 20{n}1</li></ul><span class='price'>{n},95 €</span><span>In stock now</span></div></div></div>"
        )
    });
    let groups = find(&Page::new(
        format!("<main><div class='row'>{cards}</div></main>"),
        "https://wine.example/".parse().ok(),
    ));
    let records = &groups[0].records;
    assert_eq!(records.len(), 8);
    assert!(records[2].text.starts_with("Organic"), "{}", records[2].text);
    assert_eq!(records[0].fields["image"], "https://wine.example/w1.jpg");
}

#[test]
fn how_long_something_takes_is_no_day() {
    let recipes = repeat(6, |n| {
        format!(
            "<article><h2><a href='/r{n}'>Soup number {n}</a></h2><p>By Ann Lee, <time datetime='2025-03-0{n}'>{n} March 2025</time></p>\
             <p>Ready in <time datetime='PT{n}5M'>{n}5 mins</time></p></article>"
        )
    });
    let groups = find(&Page::new(format!("<main>{recipes}</main>"), None));
    assert_eq!(groups[0].records[1].fields["date"], "2025-03-02");
}

#[test]
fn rows_of_a_grid_make_one_list() {
    let cell = |r: usize, c: usize| {
        format!("<td><a href='/{r}{c}'>Chair {r}{c}</a> <b>{r}{c} €</b> in oak and steel</td>")
    };
    let rows = repeat(4, |r| format!("<tr>{}</tr>", repeat(3, |c| cell(r, c))));
    let html = format!("{}<table>{rows}</table>", menu());
    assert_eq!(first(&html).len(), 12);
}

#[test]
fn an_entry_of_three_rows_is_one_record() {
    let entry = |n: usize| {
        format!(
            "<tr class='athing'><td class='title'><span class='rank'>{n}.</span></td><td class='vote'><div class='arrow'></div></td>\
             <td class='title'><span class='line'><a href='/s{n}'>Story {n} about compilers and their makers</a> \
             <span class='site'>(a{n}.test)</span></span></td></tr>\
             <tr><td colspan='2'></td><td class='subtext'><span class='subline'><span class='score'>{n}0 points</span> by \
             <a href='/u{n}'>user{n}</a> <span class='age'>3 hours ago</span> | <a href='/i{n}'>{n}5 comments</a></span></td></tr>\
             <tr class='spacer' style='height:5px'></tr>"
        )
    };
    let html = format!("<table>{}</table>", repeat(20, entry));
    let texts = first(&html);
    assert_eq!(texts.len(), 20);
    assert_eq!(
        texts[3],
        "4. Story 4 about compilers and their makers (a4.test) 40 points by user4 3 hours ago | 45 comments"
    );
}

#[test]
fn a_term_and_its_description_are_one_record() {
    let html = format!(
        "<dl>{}</dl>",
        repeat(8, |n| format!(
            "<dt><a href='#t{n}'>Term {n}</a></dt><dd>What the term {n} means, said in some words.</dd>"
        ))
    );
    let texts = first(&html);
    assert_eq!(texts.len(), 8);
    assert_eq!(texts[0], "Term 1 What the term 1 means, said in some words.");
}

#[test]
fn a_list_cut_into_several_containers_is_whole() {
    let card = |n: usize| {
        format!(
            "<article class='card'><h2><a href='/a{n}'>Post {n}</a></h2><p>A few words on what post {n} is about.</p></article>"
        )
    };
    let part = |from: usize| {
        format!(
            "<section>{}</section><div class='banner'>A word from our sponsor</div>",
            repeat(4, |n| card(from * 10 + n))
        )
    };
    let html = format!("{}<div id='content'>{}</div>", menu(), repeat(3, part));
    assert_eq!(first(&html).len(), 12);
    assert_eq!(opening_words(&html)[4], "Post 21");
}

#[test]
fn threads_of_a_forum_are_rows() {
    let row = |n: usize| {
        format!(
            "<tr class='{}'><td><a href='/t{n}'>How do I grow tomatoes {n}?</a></td><td>gardener{n}</td><td>{n} replies</td><td>2024-03-{n:02}</td></tr>",
            if n.is_multiple_of(2) { "even" } else { "odd" }
        )
    };
    let html = format!(
        "{}<table><thead><tr><th>Thread</th><th>Author</th><th>Replies</th><th>Date</th></tr></thead><tbody>{}</tbody></table>",
        menu(),
        repeat(15, row)
    );
    assert_eq!(first(&html).len(), 15);
}

#[test]
fn rows_of_two_colours_are_each_an_entry() {
    let row = |n: usize| {
        let place = if n.is_multiple_of(5) {
            "<span class=free>no charge</span>"
        } else {
            "<b>20 €</b><br><a class=buy href='/b'>Buy</a>"
        };
        format!(
            "<tr class='{}'><td nowrap>Fri, {n} March 2026</td><td>19:00</td><td><a href='/c/{n}'>Evening {n}</a></td><td>Concert</td><td>Town Hall</td><td>{place}</td></tr>",
            if n.is_multiple_of(2) {
                "stripe-a"
            } else {
                "stripe-b"
            }
        )
    };
    let html = format!(
        "{}<table><thead><tr><th>Date</th><th>Time</th><th>Event</th><th>Kind</th><th>Place</th><th>Tickets</th></tr></thead><tbody>{}</tbody></table>",
        menu(),
        repeat(14, row)
    );
    assert_eq!(first(&html).len(), 14);
}

#[test]
fn job_offers_are_found_beside_filters() {
    let filter = |n: usize| format!("<li><label><input type='checkbox'> Branch {n} (12{n})</label></li>");
    let job = |n: usize| {
        format!(
            "<li class='job'><h3><a href='/job/{n}'>Engineer {n}</a></h3><div>Company {n}, Warsaw</div><p>We look for somebody who builds things with us.</p><time>2024-05-{n:02}</time></li>"
        )
    };
    let html = format!(
        "<aside class='filters'><ul>{}</ul></aside><ul class='jobs'>{}</ul>",
        repeat(40, filter),
        repeat(10, job)
    );
    assert_eq!(first(&html).len(), 10);
    assert_eq!(opening_words(&html)[9], "Engineer 10");
}

/// What nobody sees is no part of a record.
#[test]
fn hidden_parts_are_left_out() {
    let html = format!(
        "<ul>{}</ul>",
        repeat(5, |n| format!(
            "<li><a href='/{n}'>Tea {n}</a><span style='display: none'>secret</span><select><option>1</option></select></li>"
        ))
    );
    assert_eq!(first(&html)[0], "Tea 1");
}

/// The list is the same however often it is asked for, and any page has an answer.
#[test]
fn broken_pages_have_an_answer_and_always_the_same() {
    let deep = "<div class='a'>".repeat(5000) + "x";
    let wide = "<p class='x y z'>word <a href='/a'>link</a>".repeat(3000);
    for html in ["", "<", "<table><tr><td>", "<ul><li>a<li>b</ul>", &deep, &wide] {
        let page = Page::new(html, None);
        assert_eq!(find(&page), find(&page), "{}", html.get(..40).unwrap_or(html));
    }
}

#[test]
fn each_measure_has_its_own_weight() {
    let page = Page::new("<ul><li>a<li>b</ul>", None);
    let weighed = weights::WEIGHTS.map(|weight| weight.0);
    let measured: Vec<&str> = ranked(&page, &RecordOptions::default())[0]
        .0
        .iter()
        .map(|measure| measure.0)
        .collect();
    assert_eq!(measured, weighed);
}

/// The fields of a record are read from the places that all records share.
#[test]
fn fields_come_from_the_places_that_all_records_share() {
    let tile = |n: usize| {
        format!(
            "<li class='tile'><a href='/p{n}'><img data-src='/i{n}.jpg' src='data:image/gif;base64,R0'></a>\
             <a href='/p{n}' class='name'>Garden chair number {n}</a><span class='old price'>{n}9,00 €</span>\
             <span class='price'>{n}4,90 €</span><div class='stars' aria-label='4.{n} out of 5 stars'></div>\
             <p>Stands firmly on any lawn, even on number {n}.</p><button>Add to cart</button></li>"
        )
    };
    let html = format!("<ul>{}</ul>", repeat(6, tile));
    let page = Page::new(html, url::Url::parse("https://shop.test/chairs").ok());
    let third = serde_json::to_value(&find(&page)[0].records[2]).unwrap();
    let want = serde_json::json!({
        "text": "Garden chair number 3 39,00 € 34,90 € Stands firmly on any lawn, even on number 3. Add to cart",
        "title": "Garden chair number 3",
        "price": "34,90 €",
        "description": "Stands firmly on any lawn, even on number 3.",
        "image": "https://shop.test/i3.jpg",
        "rating": "4.3",
        "url": "https://shop.test/p3",
    });
    assert_eq!(third, want);
}

#[test]
fn a_long_date_is_no_description_and_a_short_text_called_so_is_one() {
    let story = |n: usize| {
        let date = format!("Mon, 0{n} Sep 2025 08:00:00 +0200");
        format!(
            "<article><h2><a href='/{n}'>Story {n} and more</a></h2><p class='author'>Ann {n}</p>\
             <time datetime='{date}'>{date}</time><div class='description'><p>Summary {n}</p></div></article>"
        )
    };
    let page = Page::new(format!("<main>{}</main>", repeat(5, story)), None);
    assert_eq!(find(&page)[0].records[1].fields["description"], "Summary 2");
}

#[test]
fn the_fields_of_a_job_offer_are_named_by_the_page() {
    let job = |n: usize| {
        format!(
            "<div class='job-card'><h3><a href='/job/{n}'>Engineer for bridges {n}</a></h3><div class='company'>Acme {n}</div>\
             <div class='location'>Gdańsk</div><time datetime='2024-05-0{n}'>{n} May</time></div>"
        )
    };
    let page = Page::new(format!("<main>{}</main>", repeat(5, job)), None);
    let fields = &find(&page)[0].records[1].fields;
    let read = |name: &str| {
        fields
            .get(name)
            .and_then(|value| value.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let got = ["title", "company", "location", "date", "url"].map(read);
    assert_eq!(
        got,
        [
            "Engineer for bridges 2",
            "Acme 2",
            "Gdańsk",
            "2024-05-02",
            "/job/2"
        ]
    );
}

#[test]
fn search_results_stay_and_the_advert_between_them_goes() {
    let hit = |n: usize| {
        let advert = if n == 4 {
            "<div class='ad'>Cheap flights</div>"
        } else {
            ""
        };
        format!(
            "{advert}<div class='hit'><h3><a href='/h{n}'>Result {n} for tulips</a></h3><p>Tulips bloom in spring, says page {n} of the book.</p><cite>a{n}.test</cite></div>"
        )
    };
    let html = format!(
        "<input name='q' value='tulips'><div id='results'>{}</div>",
        repeat(9, hit)
    );
    assert_eq!(first(&html).len(), 9);
    assert!(first(&html).iter().all(|it| it.starts_with("Result ")));
}

#[test]
fn the_heading_row_of_a_table_is_no_record() {
    let row = |n: usize| format!("<tr><td><a href='/c{n}'>City {n}</a></td><td>{n}00 000 people</td></tr>");
    let html = format!(
        "<table><tr><th>City</th><th>People living there</th></tr>{}</table>",
        repeat(7, row)
    );
    assert_eq!(opening_words(&html).first().map(String::as_str), Some("City 1"));
}

#[test]
fn the_fields_of_a_form_are_no_list() {
    let fields = "<label>Price from <input type=number name=a></label><label>Price to <input type=number name=b></label>\
        <label>Sort by <select name=c><option>Name<option>Price</select></label><button>Apply</button>";
    let html =
        format!("<main><form class=filter>{fields}</form><h1>All lamps</h1><p>No lamp is left.</p></main>");
    assert_eq!(first(&html), Vec::<String>::new());
}

#[test]
fn a_badge_and_a_maker_in_the_linked_title_are_no_part_of_it() {
    let makers = ["Acme", "Bolt", "Acme", "Bolt", "Acme", "Bolt"];
    let tile = |n: usize| {
        let maker = makers[n % makers.len()];
        format!(
            "<li class=tile><a href='/p{n}'><span class=f>New in</span> <span class=b>{maker}</span> \
             <span class=n>Walking shoe {n}</span></a><span>{n}4,90 €</span></li>"
        )
    };
    let page = Page::new(format!("<ul>{}</ul>", repeat(6, tile)), None);
    let title = find(&page)[0].records[1].fields.get("title").cloned();
    assert_eq!(title, Some("Walking shoe 2".into()));
}

#[test]
fn the_events_of_a_day_are_entries_of_their_own() {
    let event = |name: &str| {
        format!("<li><span>18:00</span> <strong>{name}</strong> <p>A long evening for everybody</p></li>")
    };
    let day = |n: usize| {
        let second = if n.is_multiple_of(3) {
            event(&format!("Late show {n}"))
        } else {
            String::new()
        };
        format!(
            "<h3><time datetime='2026-05-0{n}'>{n} May 2026</time></h3><ol class=day>{}{second}</ol>",
            event(&format!("Concert {n}"))
        )
    };
    let page = Page::new(format!("<main>{}</main>", repeat(7, day)), None);
    let records = find(&page).swap_remove(0).records;
    let told: Vec<(String, String)> = records
        .iter()
        .map(|record| {
            let field = |name: &str| {
                record
                    .fields
                    .get(name)
                    .and_then(|value| value.as_str())
                    .unwrap_or_default()
                    .to_owned()
            };
            (field("title"), field("date"))
        })
        .collect();
    assert_eq!(told.len(), 9, "{told:?}");
    assert!(
        told.contains(&("Late show 3".to_owned(), "2026-05-03".to_owned())),
        "{told:?}"
    );
}

#[test]
fn the_lines_of_an_order_form_are_things_to_buy() {
    let line = |n: usize| {
        format!(
            "<label class=ln><input type=number name=q{n}> <strong>Wild Garlic {n}</strong> <span>Foraged in small amounts</span> \
             <span>£{n}.95</span> <i>({n} reviews)</i></label>"
        )
    };
    let page = Page::new(format!("<form>{}</form>", repeat(6, line)), None);
    let title = find(&page)[0].records[1].fields.get("title").cloned();
    assert_eq!(title, Some("Wild Garlic 2".into()));
}

#[test]
fn a_summary_is_the_title_of_its_entry() {
    let entry = |n: usize| {
        format!(
            "<details open><summary>Riverside pool {n} <small>open air</small></summary><div><span>Distance</span> \
             <span>{n}.5 km from the station</span></div><div><span>Entry</span> <span>£{n}.20</span></div></details>"
        )
    };
    let page = Page::new(format!("<main>{}</main>", repeat(6, entry)), None);
    let title = find(&page)[0].records[1].fields.get("title").cloned();
    assert_eq!(title, Some("Riverside pool 2".into()));
}

#[test]
fn a_large_picture_the_whole_list_and_the_day_of_an_entry_are_its_own() {
    let card = |n: usize| {
        format!(
            "<article class=entry><div><a href='/a{n}'><img data-src='/large{n}.jpg' width=640 height=425></a>\
             <a href='/o{n}'><img src='/sender{n}.png' width=40 height=40></a></div><h2><a href='/a{n}'>How the mill of place {n} works</a></h2>\
             <ul><li>Grinds wheat of {n} farms of the valley, and rye of as many more.</li><li>Runs on water all through the year {n}.</li></ul>\
             <p>Registered: 2016-07-0{n}</p></article>"
        )
    };
    let page = Page::new(
        format!("<main>{}</main>", repeat(6, card)),
        url::Url::parse("https://mills.test/list").ok(),
    );
    let third = serde_json::to_value(&find(&page)[0].records[2]).unwrap();
    assert_eq!(third["image"], "https://mills.test/large3.jpg");
    assert_eq!(
        third["description"],
        "Grinds wheat of 3 farms of the valley, and rye of as many more. Runs on water all through the year 3."
    );
    assert_eq!(third["date"], serde_json::Value::Null);
}

#[test]
fn what_a_dialog_about_cookies_lists_is_no_list_of_the_page() {
    let cookie = |n: usize| {
        format!(
            "<div class=category><h3>Targeting cookies {n}</h3><p>These cookies may be set through our site by partners of number {n}, \
             to build a profile of your interests.</p><a href='/more{n}'>More</a></div>"
        )
    };
    let recipe = |n: usize| format!("<li><a href='/r{n}'>Soup of number {n}</a></li>");
    let html = format!(
        "<main><h1>Soups</h1><ul>{}</ul></main><div id=onetrust-consent-sdk>{}</div>",
        repeat(8, recipe),
        repeat(8, cookie)
    );
    assert!(first(&html).iter().all(|text| text.starts_with("Soup of")));
}

#[test]
fn the_day_of_a_vacancy_is_that_on_which_it_was_posted() {
    let jobs = |posted: bool| {
        let card = |n: usize| {
            let posted = if posted {
                format!("<span class=posted>Posted {n} March 2025</span> · ")
            } else {
                String::new()
            };
            format!(
                "<article class=job><h2><a href='/job/{n}'>Nurse of ward {n}</a></h2><p><a href='/c/{n}'>Clinic {n}</a></p>\
                 <p class=dates>{posted}<span class=closing>Closes <time datetime='2025-04-0{n}'>{n} April 2025</time></span></p></article>"
            )
        };
        let page = Page::new(
            format!("<main>{}</main>", repeat(6, card)),
            url::Url::parse("https://jobs.test/list").ok(),
        );
        serde_json::to_value(&find(&page)[0].records[2]).unwrap()["date"].clone()
    };
    assert!(
        jobs(true)
            .as_str()
            .is_some_and(|date| date.contains("3 March 2025")),
        "{}",
        jobs(true)
    );
    assert_eq!(jobs(false), "2025-04-03");
}

#[test]
fn the_subject_of_a_thread_is_a_link_among_badges_and_names() {
    let thread = |n: usize| {
        let badge = if n.is_multiple_of(2) {
            "<span class='label'>solved</span> "
        } else {
            ""
        };
        format!(
            "<tr><td class=subject>{badge}<a class=threadtitle href='thread.php?id={n}'>Brake {n} squeals: what now</a>\
             <div class=small>by <a href='member.php?n=Rider{n}'>Rider{n}</a> in <a href='forum.php'>Workshop</a></div></td>\
             <td>1{n}</td><td class=last>0{n}.02.2025, 10:12<div class=small>by <a href='#'>Other{n}</a></div></td></tr>"
        )
    };
    let page = Page::new(
        format!(
            "<table><thead><tr><th>Thread / began</th><th>Replies</th><th>Last post</th></tr></thead><tbody>{}</tbody></table>",
            repeat(8, thread)
        ),
        url::Url::parse("https://forum.test/list").ok(),
    );
    let second = serde_json::to_value(&find(&page)[0].records[1]).unwrap();
    assert_eq!(second["title"], "Brake 2 squeals: what now", "{second}");
    assert!(
        second["author"]
            .as_str()
            .is_none_or(|author| !author.contains("Other")),
        "{second}"
    );
}

#[test]
fn the_first_entry_may_have_a_larger_heading() {
    let story = |n: usize| {
        let level = if n == 1 { 2 } else { 3 };
        format!(
            "<article class=story><a href='/section/{n}'>Section</a><h{level}><a href='/a/{n}'>What the mud of river {n} remembers</a></h{level}>\
             <p>Cores from estuary {n} are rewriting the history of its floods.</p><div>By <a href='/people/{n}'>Ann Roe</a> <time datetime='2025-05-0{n}'>{n} hours ago</time></div></article>"
        )
    };
    let page = Page::new(
        format!("<main>{}</main>", repeat(8, story)),
        url::Url::parse("https://review.test/latest").ok(),
    );
    let first = serde_json::to_value(&find(&page)[0].records[0]).unwrap();
    assert_eq!(first["title"], "What the mud of river 1 remembers", "{first}");
}

#[test]
fn terms_under_headings_are_entries_also_in_the_last_part() {
    let dish = |name: &str, price: u32| {
        format!("<dt>{name} <span class=p>{price},90 €</span></dt><dd>with bread and herbs</dd>")
    };
    let html = format!(
        "<main><h1>Menu</h1><h2>Starters</h2><dl>{}{}</dl><h2>Mains</h2><dl>{}{}{}</dl><h2>Sweets</h2><dl>{}</dl><p>All of our prices are with service and taxes.</p></main>",
        dish("Broth", 5),
        dish("Salad", 8),
        dish("Roast", 24),
        dish("Noodles", 13),
        dish("Trout", 14),
        dish("Fritters", 7)
    );
    let names: Vec<String> = first(&html)
        .iter()
        .filter_map(|text| Some(text.split(' ').next()?.to_owned()))
        .collect();
    assert_eq!(names, ["Broth", "Salad", "Roast", "Noodles", "Trout", "Fritters"]);
}

#[test]
fn terms_of_a_glossary_under_letters_are_entries() {
    let term = |name: &str| format!("<dt>{name}</dt><dd>What sailors call it when the wind turns.</dd>");
    let html = format!(
        "<main><h1>Glossary</h1><h2>A</h2><dl>{}{}</dl><h2>B</h2><dl>{}{}</dl><h2>C</h2><dl>{}</dl></main>",
        term("Abaft"),
        term("Aloft"),
        term("Boom"),
        term("Bow"),
        term("Cleat")
    );
    assert_eq!(first(&html).len(), 5);
}

#[test]
fn the_article_above_a_list_of_articles_is_an_entry_but_not_the_one_a_page_is_about() {
    let story = |level: u32, n: usize| {
        format!(
            "<article><h{level}><a href='/n/{n}'>Water of street number {n} is cut off</a></h{level}><p>From 9 to 14 h on day {n}.</p></article>"
        )
    };
    let stories = repeat(4, |n| story(3, n));
    let with = |above: String| {
        first(&format!(
            "{}<main><h1>News</h1>{above}<div class=list>{stories}</div></main>",
            menu()
        ))
    };
    assert_eq!(with(story(2, 9)).len(), 5);
    assert_eq!(with(story(1, 9)).len(), 4);
    let text = "The council met for three hours and heard what people of the street had to say. ".repeat(5);
    assert_eq!(
        with(format!(
            "<article><h2><a href='/n/9'>Water</a></h2><p>{text}</p></article>"
        ))
        .len(),
        4
    );
}

#[test]
fn a_sentence_describes_an_entry_and_not_the_line_of_its_day() {
    let episodes = [
        (
            "6 Jun 2024 · 48 min · with Ruth Park",
            "How a false island stayed on charts.",
        ),
        (
            "23 May 2024 · 52 min · with Dan Osei",
            "What ink was made of, and why it fades.",
        ),
        ("9 May 2024 · 65 min · with no guest", "You asked, and we answer."),
        (
            "25 Apr 2024 · 44 min · with Ruth Park and Lee Chan",
            "On libraries that lend more.",
        ),
    ];
    let entry = |n: usize| {
        let (meta, text) = episodes[n - 1];
        format!(
            "<section class=ep><h2><a href='/ep/{n}'>Episode number {n}</a></h2><p class=meta>{meta}</p><p>{text}</p></section>"
        )
    };
    let groups = find(&Page::new(
        format!("<main><h1>Episodes</h1>{}</main>", repeat(4, entry)),
        None,
    ));
    let told: Vec<&str> = groups[0]
        .records
        .iter()
        .filter_map(|record| record.fields.get("description")?.as_str())
        .collect();
    assert_eq!(told, episodes.map(|(_, text)| text));
}

#[test]
fn two_headed_lists_have_their_entries_and_not_themselves_as_entries() {
    let part = |name: &str| {
        let job = |n: usize| {
            format!(
                "<li><h3><a href='/j/{name}-{n}'>{name} job {n}</a></h3><p>Full time in team {n}</p></li>"
            )
        };
        format!("<section><h2>{name}</h2><ul>{}</ul></section>", repeat(3, job))
    };
    let html = format!(
        "<main><h1>Open positions</h1>{}{}</main>",
        part("Berlin"),
        part("Munich")
    );
    let texts = first(&html);
    assert_eq!(texts.len(), 6, "{texts:?}");
    assert_eq!(texts[3], "Munich job 1 Full time in team 1");

    let table = |name: &str| {
        let dish = |n: usize| format!("<tr><td>{name} dish {n}</td><td>{n} l</td><td>£{n}.50</td></tr>");
        format!(
            "<h2>{name}</h2><table><tr><th>Dish</th><th>Size</th><th>Price</th></tr>{}</table>",
            repeat(3, dish)
        )
    };
    let html = format!(
        "<main><h1>Price list</h1>{}{}</main>",
        table("Starters"),
        table("Mains")
    );
    let texts = first(&html);
    assert_eq!(texts.len(), 6, "{texts:?}");

    // The features of two plans begin alike.
    let plan = |name: &str| {
        let feature = |n: usize| format!("<li>{n}0 users of the {name} plan</li>");
        format!(
            "<div class=plan><h2><a href='/{name}'>{name}</a></h2><ul>{}</ul></div>",
            repeat(3, feature)
        )
    };
    assert_eq!(
        first(&format!("<main>{}{}</main>", plan("Small"), plan("Large"))).len(),
        2
    );
}

#[test]
fn one_long_part_of_a_list_leaves_the_others_whole() {
    let part = |name: &str, jobs: usize| {
        let job = |n: usize| {
            format!(
                "<li><h3><a href='/j/{name}-{n}'>{name} job {n}</a></h3><p>Full time in team {n}</p></li>"
            )
        };
        format!("<section><h2>{name}</h2><ul>{}</ul></section>", repeat(jobs, job))
    };
    let html = format!(
        "<main><h1>Open positions</h1>{}{}{}</main>",
        part("Berlin", 10),
        part("Munich", 12),
        part("Kiel", 31)
    );
    assert_eq!(first(&html).len(), 53);
}

#[test]
fn a_line_across_a_table_of_threads_is_no_thread() {
    let thread = |n: usize| {
        format!(
            "<tr><td><a href='/t{n}'>How do I grow tomatoes {n}?</a></td><td>gardener{n}</td><td>{n} replies</td><td>2024-03-{n:02}</td></tr>"
        )
    };
    let html = format!(
        "<table><tbody><tr><td colspan=4>0 Members and 2 Guests are viewing this board.</td></tr>{}</tbody></table>",
        repeat(9, thread)
    );
    let texts = first(&html);
    assert_eq!(texts.len(), 9, "{texts:?}");
}
