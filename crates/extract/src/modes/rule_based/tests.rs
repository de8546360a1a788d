use serde_json::json;

use super::*;

fn item(html: &str, url: &str) -> Item {
    let page = Page::new(html, url::Url::parse(url).ok());
    read(&page, &ExtractionRequest::default()).unwrap()
}

#[test]
fn structured_data_makes_a_job_whole() {
    let html = r#"<title>Cook - Acme careers</title><script type="application/ld+json">{"@context":"https://schema.org",
        "@type":"JobPosting","title":"Cook","hiringOrganization":{"@type":"Organization","name":"Acme"},"datePosted":"2026-03-01",
        "jobLocation":{"@type":"Place","address":{"addressLocality":"Bonn","addressCountry":"DE"}},"employmentType":"FULL_TIME",
        "baseSalary":{"currency":"EUR","value":{"minValue":30000,"maxValue":40000,"unitText":"YEAR"}},
        "description":"<p>You <b>cook</b>.</p>"}</script><h1>Cook</h1><p>You cook.</p>"#;
    let got = item(html, "https://acme.example/jobs/7");
    let fields = [
        "job_title",
        "company",
        "location",
        "date_posted",
        "job_type",
        "salary",
        "description",
    ];
    let want = [
        "Cook",
        "Acme",
        "Bonn, DE",
        "2026-03-01",
        "FULL_TIME",
        "EUR 30000-40000 per YEAR",
        "You cook .",
    ];
    assert_eq!(got.page_type, PageType::Job);
    assert_eq!(
        fields.map(|it| got.text(it).unwrap_or_default().replace("cook.", "cook .")),
        want.map(str::to_owned)
    );
    assert_eq!(got.missing(), Vec::<&str>::new());
}

#[test]
fn a_job_without_markup_is_read_from_its_labels() {
    let html = "<title>Job: Cook</title><h1>Job details</h1><dl><dt>Title</dt><dd>Cook</dd><dt>Company</dt><dd>Acme</dd>
        <dt>Location</dt><dd>Bonn</dd><dt>Posted</dt><dd>11-23-2010</dd><dt>Pay Rate</dt><dd>$10/h</dd></dl>";
    let got = item(html, "https://jobs.example/7");
    assert_eq!(got.page_type, PageType::Job);
    let fields = ["job_title", "company", "location", "date_posted", "salary"];
    assert_eq!(
        fields.map(|it| got.text(it)),
        ["Cook", "Acme", "Bonn", "11-23-2010", "$10/h"].map(Some)
    );
}

#[test]
fn jobs_recipes_and_events_are_known_without_markup_and_address() {
    let kind = |body: &str| {
        let page = Page::new(format!("<title>Quernby</title><main>{body}</main>"), None);
        read(&page, &ExtractionRequest::default()).unwrap().page_type
    };
    let text = "<p>We have worked by the river since 1911, and a good part of what we do is done as it was done then, by hand and in the morning.</p>";
    let job = format!(
        "<h1>Night baker</h1>{text}<h2>What you will be doing</h2>{text}<h2>What you bring</h2>{text}<h2>What we offer</h2>{text}\
         <p>Permanent, full time</p><a href=/apply>Send your application</a>"
    );
    assert_eq!(kind(&job), PageType::Job);
    assert_eq!(
        kind(&format!(
            "<h1>Bäcker (m/w/d)</h1>{text}<h2>Ihre Aufgaben</h2>{text}<h2>Wir bieten</h2>{text}"
        )),
        PageType::Job
    );
    let lines = [
        "250 g plain flour",
        "2 tsp ground ginger",
        "120 ml milk",
        "1 pinch of salt",
    ];
    let ingredients: String = lines.iter().map(|line| format!("<p>{line}</p>")).collect();
    let recipe = format!(
        "<h1>Ginger loaf</h1>{text}{ingredients}<p>Stir it all together and bake it for an hour in a slow oven.</p>"
    );
    assert_eq!(kind(&recipe), PageType::Recipe);
    let event = format!(
        "<h1>An evening of mill songs</h1><p>Saturday 20 June 2026, 7.45pm</p><p>Doors 7.00pm</p>{text}<h3>Venue</h3><p>The Old Barn</p>\
         <h3>Performers</h3><p>The Low Tides</p><p>Admission £8</p>{text}"
    );
    assert_eq!(kind(&event), PageType::Event);
    // Of the same words a report has some.
    let report = format!(
        "<h1>Bakers wanted</h1>{text}{text}<p>What you bring is patience, says the master.</p>{text}{text}{text}"
    );
    assert!(!matches!(
        kind(&report),
        PageType::Job | PageType::Recipe | PageType::Event
    ));
}

#[test]
fn posts_in_the_order_of_their_times_are_a_thread() {
    let post = |(name, time, text): (&str, &str, &str)| {
        format!(
            "<div class=row><div class=author>{name}</div><time datetime=2026-05-02T{time}>2 May 2026, {time}</time><div class=c><p>{text}</p></div></div>"
        )
    };
    let posts = [
        (
            "Moss",
            "19:12",
            "Two of my oak chairs have come apart in the dry air of this winter, and I would like to glue them so that they can be opened again.",
        ),
        (
            "Reed",
            "20:47",
            "Hide glue holds well in a dry room, and it can be opened with a little steam and some patience. I have done three that way.",
        ),
        (
            "Fern",
            "21:30",
            "Fish glue is easier for a beginner, since it stays open for a good while longer. Clamp the legs with a loop of rope.",
        ),
        (
            "Moss",
            "22:05",
            "Thank you both. I have ordered a small tin of the first and shall tell you in a month what has become of the chairs.",
        ),
    ];
    let posts = posts.map(post).concat();
    let page = Page::new(
        format!(
            "<title>Which glue for oak?</title><main><h1>Which glue for oak?</h1><div>{posts}</div></main>"
        ),
        None,
    );
    let got = read(&page, &ExtractionRequest::default()).unwrap();
    assert_eq!(
        (got.page_type, got.text("author")),
        (PageType::Forum, Some("Moss"))
    );
}

#[test]
fn a_recipe_keeps_its_lists() {
    let html = r#"<title>Soup</title><script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeIngredient":["1 leek","salt"],
        "recipeInstructions":[{"@type":"HowToStep","text":"Cut."},{"@type":"HowToStep","text":"Boil."}],"totalTime":"PT30M","recipeYield":"4"}</script>
        <h1>Soup</h1>"#;
    let got = item(html, "https://food.example/soup");
    assert_eq!(got.page_type, PageType::Recipe);
    assert_eq!(got.get("ingredients"), Some(&json!(["1 leek", "salt"])));
    assert_eq!(got.get("steps"), Some(&json!(["Cut.", "Boil."])));
    assert_eq!(got.text("total_time"), Some("PT30M"));
}

#[test]
fn a_page_that_states_little_gives_a_partial_item_with_reasons() {
    let got = item(
        "<h1>Ocean Lamp</h1><span class=price>$49.90</span><button>Add to cart</button>",
        "https://s.example/p",
    );
    assert_eq!(
        (got.page_type, got.get("price"), got.text("currency")),
        (PageType::Product, Some(&json!(49.9)), Some("USD"))
    );
    assert_eq!((got.missing(), got.notes.len()), (vec!["description"], 1));
    assert!(got.coverage() > 0.0 && got.coverage() < 1.0);
}

#[test]
fn only_an_empty_page_is_an_error() {
    let page = Page::new("<html><body><script>render()</script></body></html>", None);
    assert_eq!(read(&page, &ExtractionRequest::default()), Err(Error::Nothing));
}

#[test]
fn the_user_decides_type_and_fields() {
    let page = Page::new("<h1>Ocean Lamp</h1><p>$49.90</p>", None);
    let request = ExtractionRequest {
        page_type: Some(PageType::Product),
        fields: vec!["cost".into(), "headline".into()],
        ..ExtractionRequest::default()
    };
    let got = read(&page, &request).unwrap();
    let names: Vec<&String> = got.fields().keys().collect();
    assert_eq!(names, ["title", "price"]);
}

#[test]
fn ingredients_of_markup_that_are_names_of_groups_give_way_to_those_that_the_page_shows() {
    let html = r#"<title>Cake</title><script type="application/ld+json">{"@type":"Recipe","name":"Cake","recipeIngredient":["Cream","Sponge"],
        "recipeInstructions":"Bake."}</script><h1>Cake</h1><h2>Ingredients</h2><h3>Cream</h3><ul><li>200 g butter</li><li>1 egg</li></ul>
        <h3>Sponge</h3><ul><li>3 eggs</li><li>90 g flour</li></ul><h2>Method</h2><p>Bake for one hour in the oven.</p>"#;
    let got = item(html, "https://food.example/cake");
    assert_eq!(
        got.get("ingredients"),
        Some(&json!(["200 g butter", "1 egg", "3 eggs", "90 g flour"]))
    );
}

#[test]
fn a_shop_s_list_with_a_threshold_in_its_introduction_is_no_product() {
    let cards: String = ["Oak", "Pine", "Birch", "Larch", "Elm", "Ash"]
        .iter()
        .enumerate()
        .map(|(at, name)| {
            format!(
                "<div class=tile><a href='/p/{at}'>{name} screen</a><span class=price>£{at}49.00</span><p>or £2{at}.96 a month for 24 months</p><button>Add to basket</button></div>"
            )
        })
        .collect();
    let html = format!(
        "<title>Screens | Quern</title><h1>Screens</h1><p>From a first screen to a wall of them. Spread the cost on orders from £150, 9.9% APR.</p><div>{cards}</div>"
    );
    let got = item(&html, "https://shop.example/screens");
    assert_eq!((got.page_type, got.get("price")), (PageType::Listing, None));
}

proptest::proptest! {
    /// Whatever the page, reading it neither fails nor lies about where a value stands.
    #[test]
    fn any_page_can_be_read(html in "(<(h1|p|div|span|td|tr|table|dl|dt|dd|li|ul|b|a href=x|sup|del)[ a-z=]{0,12}>|</(p|div|dl|table)>|[$€a-zA-Z0-9 :.,%/-]{1,12}){0,40}") {
        let page = Page::new(html, None);
        if let Ok(item) = read(&page, &ExtractionRequest::default()) {
            for field in item.fields().keys() {
                proptest::prop_assert!(item.source(field).is_some(), "{} has a source", field);
            }
        }
    }
}

#[test]
fn the_whole_text_of_an_article_stands_before_the_teaser_in_its_markup() {
    let paragraph = "<p>The river rose again on Monday night, and by the morning the lower streets were under water, the mayor said.</p>";
    let html = format!(
        "<script type=application/ld+json>{{\"@type\": \"NewsArticle\", \"headline\": \"River rises\", \"articleBody\": \"The river rose.\",
        \"description\": \"<p>Water in <b>three</b> streets.</p><p>Schools stay closed.</p>\"}}</script>
        <article><h1>River rises</h1>{}</article>",
        paragraph.repeat(6)
    );
    let item = item(&html, "https://www.daily.example/2026/river-rises");
    assert!(
        item.text("text").unwrap().contains("lower streets"),
        "{:?}",
        item.text("text")
    );
    assert_eq!(
        item.text("description"),
        Some("Water in three streets. Schools stay closed.")
    );
}

#[test]
fn the_price_of_an_entry_is_not_that_of_the_list() {
    let cards: String = (1..20)
        .map(|at| {
            format!(
                "<li class=product><a href=/p/{at}><img src=/i/{at}.jpg alt='Mop Vita 10{at}'><h2>Mop Vita 10{at}</h2></a>\
                 <span class=price><del>3{at}9,00 €</del> <ins>2{at}8,99&nbsp;€</ins></span><span class=stock>In stock</span>\
                 <button>Add to cart</button></li>"
            )
        })
        .collect();
    let html = format!(
        "<title>All products</title><main><h1>All products</h1><p>200 products found</p><ul>{cards}</ul></main>"
    );
    for address in ["https://shop.example/list", ""] {
        let item = item(&html, address);
        assert_eq!(item.page_type, PageType::Listing, "{address}");
        for field in ["price", "old_price", "currency", "availability"] {
            assert!(!item.has(field), "{address}: {field} {:?}", item.text(field));
        }
        assert_eq!(item.items.len(), 19);
    }
}

#[test]
fn a_list_longer_than_what_is_read_is_counted_whole() {
    let entry = |n: usize| {
        format!("<li><h3><a href=/c/{n}>City number {n}</a></h3><p>About the city with number {n}</p></li>")
    };
    let entries: String = (0..5_020).map(entry).collect();
    let got = item(
        &format!("<h1>Cities</h1><main><ul>{entries}</ul></main>"),
        "https://maps.example/cities",
    );
    assert_eq!(got.items.len(), MOST_ITEMS);
    assert_eq!(got.all_entries, Some(5_020), "{:?}", got.notes);
}

#[test]
fn a_list_has_no_author() {
    let rows: String = (0..12)
        .map(|row| format!("<li class=entry><a href=/s/{row}><h3>Story number {row}</h3></a><span class=author>By Jane Doe</span></li>"))
        .collect();
    let html = format!("<h1>Latest stories</h1><div class=author>Ann Onym</div><ul>{rows}</ul>");
    let request = ExtractionRequest {
        page_type: Some(PageType::Listing),
        ..ExtractionRequest::default()
    };
    let page = Page::new(&html, "https://www.daily.example/stories".parse().ok());
    assert_eq!(read(&page, &request).unwrap().get("author"), None);
}

#[test]
fn a_product_is_called_what_its_page_is_headed_without_the_words_that_markup_adds() {
    let html = |heading: &str| {
        format!(
            r#"<title>Woodshop</title><script type="application/ld+json">{{"@type":"Product","name":"Oak Table - 120 cm | Natural | Woodshop",
            "offers":{{"price":"300","priceCurrency":"EUR"}}}}</script><h1>{heading}</h1><p>300 €</p>"#
        )
    };
    let title = |heading: &str| {
        let got = item(&html(heading), "https://woodshop.example/p/7");
        got.text("title").map(str::to_owned)
    };
    assert_eq!(title("Oak Table").as_deref(), Some("Oak Table"));
    let other = "Details of the offer";
    assert_ne!(title(other).as_deref(), Some(other));
}

#[test]
fn an_article_of_a_newspaper_that_is_sold_is_an_article() {
    let text = "It rained for a long week, and the rivers rose in the valley below the old town. ".repeat(12);
    let html = format!(
        r#"<title>Rain in May - The Gazette</title><script type="application/ld+json">{{"@type":"NewsArticle","headline":"Rain in May",
        "isAccessibleForFree":false,"isPartOf":{{"@type":["CreativeWork","Product"],"name":"The Gazette","productID":"gazette.example:basic"}}}}</script>
        <article><h1>Rain in May</h1><p>{text}</p><p>{text}</p></article>"#
    );
    let got = item(&html, "https://gazette.example/2024/rain");
    assert_eq!(got.page_type, PageType::Article);
    assert_eq!(got.text("title"), Some("Rain in May"));
    assert_eq!(got.get("sku"), None);
}

#[test]
fn a_page_without_anything_to_list_is_no_list() {
    let html = r#"<title>On kettles</title><meta name="author" content="Ann Smith"><article><p>The red kettle.</p></article>"#;
    let got = item(html, "https://office.example/kettles.odt");
    assert_ne!(got.page_type, PageType::Listing);
    assert_eq!(got.text("author"), Some("Ann Smith"));
}

#[test]
fn results_beside_much_of_a_site_are_a_list_and_paragraphs_are_none() {
    let menu: String = ["Services", "Loans", "Cards", "Branches", "Careers", "Contact"]
        .iter()
        .map(|name| format!("<li><a href=/{name}>{name} for you and your family</a></li>"))
        .collect();
    let promise = "<section><h2>A bank for life</h2><p>Open an account in minutes and pay nothing for the first year.</p></section>";
    let results: String = (1..=10)
        .map(|at| {
            format!(
                "<li class=result><h3><a href=/r/{at}>Terms of account number {at}</a></h3><p>What the account costs, who may open \
                 one, how it is closed, and what happens to its interest in year {at}.</p><cite>bank.example/r/{at}</cite></li>"
            )
        })
        .collect();
    let page = |middle: &str| {
        format!(
            "<title>Bank of Teatown</title><header><ul>{menu}</ul></header>{promise}<h1>Bank of Teatown</h1>{middle}{promise}\
             <footer><ul>{menu}</ul></footer>"
        )
    };
    let list = item(&page(&format!("<ol>{results}</ol>")), "https://bank.example/");
    assert_eq!((list.page_type, list.items.len()), (PageType::Listing, 10));
    let three: String = ["Save", "Borrow", "Pay"]
        .iter()
        .map(|name| format!("<div class=card><h3>{name}</h3><p>How to {name} with us.</p></div>"))
        .collect();
    let prose = "<p>We have kept the money of this valley since 1871, through floods and fairs, and know most of our guests by \
        their first names. Come in, sit down, and tell us what you are up to.</p>"
        .repeat(5);
    let service = item(&page(&format!("{prose}{three}")), "https://bank.example/");
    assert_ne!(service.page_type, PageType::Listing);
}

#[test]
fn a_page_of_several_products_is_not_about_the_first() {
    let card = |name: &str| {
        format!(
            "<li class=card><a href=/p/{name}><img src=/{name}.jpg><h3>{name} oil</h3></a><span class=price>$32.00</span><button>Add to cart</button></li>"
        )
    };
    let html = format!(
        r#"<title>Oils</title><meta property="og:type" content="product.group"><meta property="og:image" content="/img/default-social.png">
        <h1>Oils</h1><ul>{}</ul>"#,
        ["Cedar", "Lemon", "Mint", "Pine", "Rose"].map(card).concat()
    );
    let got = item(&html, "https://shop.example/collections/oils");
    assert_eq!(got.page_type, PageType::Listing);
    assert_eq!(
        (got.get("price"), got.items.len(), got.get("image")),
        (None, 5, None)
    );
}

#[test]
fn menus_are_no_list() {
    let column = |name: &str| {
        let links = ["One", "Two", "Three", "Four"]
            .map(|link| format!("<li><a href=/{name}/{link}>{name} {link}</a>"));
        format!(
            "<div class=column><h4>{name}</h4><ul>{}</ul></div>",
            links.concat()
        )
    };
    let html = format!(
        "<title>Keyboard</title><div id=root></div><div class=columns>{}</div>",
        ["Help", "Sites", "Browse", "Group"].map(column).concat()
    );
    assert!(item(&html, "https://shop.example/item/1").items.is_empty());
}

#[test]
fn a_name_is_whole_and_has_no_badge() {
    let title = |html: &str, url: &str| item(html, url).text("title").map(str::to_owned);
    let badge = r#"<title>Solved - The fan of my card is too loud | Forum</title><h1><span class=label>Solved</span> The fan of my card is too loud</h1><p>Help.</p>"#;
    assert_eq!(
        title(badge, "https://f.example/t/1").as_deref(),
        Some("The fan of my card is too loud")
    );
    let cut = r#"<title>Wedding checklist, wedding plan, wedding…</title><h1>The wedding checklist</h1><p>First of all, breathe.</p>"#;
    assert_eq!(
        title(cut, "https://f.example/a").as_deref(),
        Some("The wedding checklist")
    );
    let name = "Strix graphics card of the white edition with sixteen gigabytes of memory and three fans";
    let product = format!(
        r#"<script type="application/ld+json">{{"@type":"Product","name":"{}","brand":"Strix | Cards for all","offers":{{"price":"9.50","priceCurrency":"EUR"}}}}</script><h1>{name}</h1>"#,
        &name[..70]
    );
    let got = item(&product, "https://shop.example/p/1");
    assert_eq!(
        (got.text("title"), got.text("brand")),
        (Some(name), Some("Strix"))
    );
}

#[test]
fn what_an_article_names_is_not_its_own() {
    let prose = "<p>We tried five telescopes in the garden for a month, and each of them showed us the moons of the giant planets.</p>";
    let html = format!(
        r#"<title>Five telescopes</title><meta property="og:type" content="article"><article><h1>Five telescopes</h1>
        <p>This page contains affiliate links, for which we may earn a commission when you buy something from a shop.</p>
        {}<p>Weight: 3.9 lbs</p><p>Address: 19 Weinberger Road</p>{}</article>"#,
        prose.repeat(3),
        prose.repeat(3)
    );
    let got = item(&html, "https://sky.example/telescopes");
    assert_eq!((got.get("weight"), got.get("address")), (None, None));
    assert!(
        got.text("summary")
            .is_some_and(|summary| summary.starts_with("We tried")),
        "{:?}",
        got.text("summary")
    );
}

#[test]
fn the_sign_of_the_site_is_no_picture_of_its_page() {
    let image = |logo: &str, body: &str| {
        let html = format!(
            "<title>Indexes</title><meta property=og:image content='https://manual.example/media/heron.png?v=2'>{logo}\
             <h1>Indexes</h1>{body}<p>An index finds rows faster than a reader could find them.</p>"
        );
        item(&html, "https://manual.example/docs/indexes")
            .text("image")
            .map(str::to_owned)
    };
    let sign =
        "<nav><a class=brand href=/><img class=logo src=/media/heron.png alt='Manual heron'></a></nav>";
    assert_eq!(image(sign, ""), None);
    let sign = "<div><a href=/><img src=/media/heron.png alt='Heron logo'></a></div>";
    assert_eq!(image(sign, ""), None);
    let shown = "<img src=/media/heron.png alt='The new logo of the heron'>";
    assert!(image("", shown).is_some());
}

#[test]
fn a_card_for_all_pages_of_a_site_is_no_picture_of_one() {
    let image = |address: &str, head: &str| {
        let html = format!(
            "<title>Reeds</title><meta property=og:image content='{address}'>{head}<h1>Reeds</h1><p>Reeds grow where the water is slow.</p>"
        );
        item(&html, "https://www.quern.example/notes/reed-beds")
            .text("image")
            .map(str::to_owned)
    };
    let of_all = [
        "/images/social.jpg",
        "/i/facebook.png",
        "/img/quernshare.jpg",
        "/uploads/QNDefault.jpg",
        "/2025_10/OG.png.8f463e72d0.png",
        "/media/facebook-default-wide-s1400-c85.jpg",
        "/content/quern-thumbnail.png",
        "/assets/share/imagen.png",
    ];
    for address in of_all {
        assert_eq!(image(address, ""), None, "{address}");
    }
    for address in [
        "/img/social-reeds.jpg",
        "/img/cover.jpg",
        "/notes/reed-beds/og.png",
        "/img/reeds-share.jpg",
    ] {
        assert!(image(address, "").is_some(), "{address}");
    }
    let large = "/large/8031b66a3120ef28d78716.png";
    assert!(image(large, "").is_some());
    assert_eq!(
        image(
            large,
            "<link rel=apple-touch-icon href=/small/8031b66a3120ef28d78716_2_180x180.png>"
        ),
        None
    );
    let logo = r#"<script type="application/ld+json">{"@type":"Organization","name":"Quern","logo":{"@type":"ImageObject","url":"/a/sheaf.png"}}</script>"#;
    assert!(image("/a/sheaf.png", "").is_some());
    assert_eq!(image("/a/sheaf.png", logo), None);
}

#[test]
fn a_day_of_change_that_stands_for_that_of_publication_is_no_sure_one() {
    let sure = |label: &str| {
        let prose = "<p>Reeds grow where the water is slow, and a boat that lies among them cannot be seen from the other bank of the river.</p>";
        let html = format!(
            "<title>Reeds</title><article><h1>Reeds</h1><div><div>{label}</div><div>October 1, 2021</div></div>{}</article>",
            prose.repeat(6)
        );
        let got = item(&html, "https://www.quern.example/notes/reeds");
        assert_eq!(got.text("date_published"), Some("2021-10-01"), "{label}");
        got.confidence("date_published").unwrap()
    };
    let changed = sure("Last updated on:");
    assert!(changed <= 0.6 && changed < sure("Published on:"), "{changed}");
}

#[test]
fn what_a_reader_links_to_is_no_web_site_of_the_page() {
    let prose = "<p>We walked along the river for a week, and each evening the herons came back to the reeds near our tents.</p>";
    let link = "<p>Story: <a href=https://herons.example/a>https://herons.example/a</a></p><p>Website: <a href=https://reeds.example/>https://reeds.example/</a></p>";
    let html = |class: &str| {
        format!(
            "<title>Herons</title><article><h1>Herons</h1>{}</article><ol><li class='{class}' id=c1>{link}</li></ol>",
            prose.repeat(4)
        )
    };
    let website = |class: &str| {
        let got = item(&html(class), "https://river.example/herons");
        got.text("website").map(str::to_owned)
    };
    assert!(website("note").is_some());
    assert_eq!(website("comment depth-1"), None);
}

#[test]
fn a_thread_that_calls_itself_an_article_is_a_forum() {
    let post = |name: &str| {
        format!(
            "<div class='forum-post'><span class=forum-post-author>{name}</span><time datetime='2017-06-07 20:28:23'>Jun 7, 2017</time>\
             <div><p>Hide glue holds well in a dry room, and it can be opened again with a little steam and some patience.</p>\
             <p>I glued three chairs with it last winter.</p></div></div>"
        )
    };
    let replies = ["Bob", "Cid", "Dan"].map(post).concat();
    let html = format!(
        "<title>Which glue for oak chairs</title><meta property=og:type content=article><meta property=article:published_time content=2017-06-07>\
         <main><article><h1>Which glue for oak chairs</h1><div class=forum-thread>{}<h2>3 Replies</h2>{replies}</div></article></main>",
        post("Ann")
    );
    let got = item(&html, "https://wood.example/which-glue-for-oak-chairs");
    assert_eq!(got.page_type, PageType::Forum);
}

#[test]
fn who_answers_has_not_asked() {
    let answer = |name: &str, day: &str| {
        format!(
            "<div><div class='answer_header'><a href=/profile/{name}>{name} Roe</a> <a class=answer_timestamp href=/a/{name}>{day}</a></div>\
             <div class=answer_content><p>Yes, it was. The river rose for a week, and the lower streets were under water until May.</p></div></div>"
        )
    };
    let html = |asker: &str| {
        format!(
            "<title>Was the flood really that bad?</title><div class=question_main><h1>Was the flood really that bad?</h1>{asker}</div>{}{}",
            answer("Ann", "3y"),
            answer("Bob", "Dec 31, 2024")
        )
    };
    let request = ExtractionRequest {
        page_type: Some(PageType::Forum),
        ..ExtractionRequest::default()
    };
    let read = |html: &str| read(&Page::new(html, "https://asked.example/q".parse().ok()), &request).unwrap();
    let got = read(&html(""));
    assert_eq!((got.get("author"), got.get("date_published")), (None, None));
    let got = read(&html(
        "<a href=/profile/cid>Cid Roe</a> <time datetime=2021-03-04>March 4, 2021</time>",
    ));
    assert_eq!(
        (got.text("author"), got.text("date_published")),
        (Some("Cid Roe"), Some("2021-03-04"))
    );
}

#[test]
fn a_product_whose_markup_escapes_its_name_has_a_title_and_no_filler_for_a_description() {
    let html = r#"<title>Ocean Cream with S8&amp;reg; - Salt Oak | Shop</title><meta property="og:title" content="Ocean Cream with S8&amp;reg; - Salt Oak | Shop">
        <meta name=description content=wf><script type="application/ld+json">{"@type":"Product","name":"Ocean Cream with S8&reg;","description":"wf",
        "offers":{"price":"30","priceCurrency":"EUR"}}</script>
        <h1><style>.a{color:red}</style><a href=/b>Salt Oak</a><br><style>.b{color:blue}</style><span>Ocean Cream with S8®</span></h1>
        <p class=price>30 €</p><button>Add to cart</button>"#;
    let got = item(html, "https://shop.example/p/ocean-cream");
    assert_eq!(
        (got.text("title"), got.text("description")),
        (Some("Ocean Cream with S8®"), None)
    );
}

#[test]
fn a_product_has_the_exact_average_of_its_ratings() {
    let html = r#"<title>Ocean Lamp</title><script type="application/ld+json">{"@type":"Product","name":"Ocean Lamp",
        "aggregateRating":{"ratingValue":5,"reviewCount":18},"offers":{"price":"30","priceCurrency":"EUR"}}</script>
        <h1>Ocean Lamp</h1><p>30 €</p><button>Add to cart</button><h2>Reviews</h2><p>4.9</p><p>18 Reviews</p>"#;
    let got = item(html, "https://shop.example/p/ocean-lamp");
    assert_eq!(got.get("rating"), Some(&json!(4.9)));
}

#[test]
fn the_name_of_a_product_in_its_markup_is_its_title_for_want_of_a_surer_one() {
    let html = r#"<title>Bienvenue</title><meta property="og:title" content="La boutique de la maison"><h1>Livraison offerte</h1>
        <script type="application/ld+json">{"@type":"Product","name":"Diffuseur","aggregateRating":{"ratingValue":4.5,"reviewCount":3}}</script>
        <p>Un parfum doux pour la maison.</p>"#;
    let request = ExtractionRequest {
        page_type: Some(PageType::Product),
        ..ExtractionRequest::default()
    };
    let got = read(
        &Page::new(html, "https://maison.example/p/7".parse().ok()),
        &request,
    )
    .unwrap();
    assert!(
        got.confidence("title")
            .is_some_and(|sure| sure < confidence::TITLE_THRESHOLD),
        "{:?}",
        got.confidence("title")
    );
    assert!(
        got.text("title")
            .is_some_and(|title| title.starts_with("Diffuseur")),
        "{:?}",
        got.text("title")
    );
}

#[test]
fn the_text_is_that_of_the_page_with_its_paragraphs() {
    let line = |n: u32| {
        format!("The river rose again in week {n}, and by the morning the lower streets were under water.")
    };
    let (glued, paragraphs): (String, String) =
        (1..8).map(|n| (line(n), format!("<p>{}</p>", line(n)))).unzip();
    let html = format!(
        "<script type=application/ld+json>{{\"@type\": \"NewsArticle\", \"headline\": \"River rises\", \"articleBody\": \"{glued}\",
        \"keywords\": \"river, flood, 8ae9ab2d-fe1b-4230-acb8\"}}</script><article><h1>River rises</h1>{paragraphs}</article>"
    );
    let item = item(&html, "https://www.daily.example/2026/river-rises");
    assert_eq!(item.text("text").unwrap().lines().count(), 7);
    assert_eq!(item.get("keywords"), Some(&serde_json::json!(["river", "flood"])));
    let of_program = html.replace(
        "8ae9ab2d-fe1b-4230-acb8",
        "locale: US, displayType: standard article",
    );
    let item = self::item(&of_program, "https://www.daily.example/2026/river-rises");
    assert_eq!(item.get("keywords"), Some(&serde_json::json!(["river", "flood"])));
}

#[test]
fn what_a_page_has_from_its_site_is_not_of_the_page() {
    let prose = "<p>Fees are paid at the start of each term, and what is paid for a term that was left early is given back.</p>";
    let html = format!(
        r#"<title>Tuition and Fees | Quern College</title><meta property="og:image" content="https://www.quern-college.example/og/quern-og-general.jpg">
        <script type="application/ld+json">{{"@type": "CollegeOrUniversity", "name": "Quern College", "description": "Founded in 1971."}}</script>
        <main><h1>Tuition and Fees</h1>{}</main><div style="display:none"><a href="mailto:mailto:sales@quern.example">Sales</a></div>
        <div role=dialog><h2>Terms</h2><p>Last Updated: February 26, 2025</p></div>
        <a href="/how-mills-are-built"><div><span></span><div>How mills of the north are built today and were built before</div>
        <div class=card-date>Dec 23, 2024</div></div></a>"#,
        prose.repeat(6)
    );
    let item = item(&html, "https://www.quern-college.example/tuition/fees");
    assert_ne!(item.page_type, PageType::Profile);
    let missing = ["image", "email", "date_modified", "date_published"];
    assert_eq!(missing.map(|field| item.get(field)), [None; 4]);
    assert_ne!(item.text("description"), Some("Founded in 1971."));
}

#[test]
fn the_picture_of_a_page_is_neither_its_authors_nor_the_card_of_its_site() {
    let image = |html: &str| {
        item(html, "https://quern.example/notes/wind")
            .text("image")
            .map(str::to_owned)
    };
    let prose = "<p>Wind turns the sails of the mill. It comes from the west on most days of the year, and brings rain with it, which the \
        miller has learned to like in all the years that he has lived there.</p>"
        .repeat(4);
    let body = &format!(
        "<title>On wind</title><meta property=og:type content=article><article><h1>On wind</h1><div class=byline><img src=/a/anna.jpg></div>\
        <figure><img src=/w/wind.jpg width=900></figure>{prose}</article>"
    );
    assert_eq!(image(body).as_deref(), Some("https://quern.example/w/wind.jpg"));
    let shared = |file: &str| format!("<meta property=og:image content=/i/{file}>{body}");
    for file in [
        "quern-og.png",
        "facebook-og-homepage-image.png",
        "quern_wordmark.png",
    ] {
        assert_eq!(
            image(&shared(file)).as_deref(),
            Some("https://quern.example/w/wind.jpg"),
            "{file}"
        );
    }
    assert_eq!(
        image(&shared("wind-og.png")).as_deref(),
        Some("https://quern.example/i/wind-og.png")
    );
    // A word with a letter beyond ASCII is one of the picture, and no mark.
    assert_eq!(
        image(&shared("Quern.m%C3%BChle-e1597.jpg")).as_deref(),
        Some("https://quern.example/i/Quern.m%C3%BChle-e1597.jpg")
    );
    let slides = "<h2>x</h2><div class=gallery><img src=/p/1.jpg alt='Boot'><img src=/p/2.jpg alt='Boot'><img src=/p/3.jpg alt='Boot'></div>\
        <h1>Boot</h1><span itemprop=price>£40.00</span><button>Add to cart</button>";
    assert_eq!(image(slides).as_deref(), Some("https://quern.example/p/1.jpg"));
}

#[test]
fn a_description_that_is_the_name_of_the_site_or_cut_off_is_none() {
    let told = |head: &str| {
        let html = format!(
            "<title>On wind | Quern Notes</title><meta property=og:site_name content='Quern Notes'>{head}<article><h1>On wind</h1><p>Wind turns the \
            sails of the mill, and it comes from the west on most days of the year.</p></article>"
        );
        item(&html, "https://quern.example/notes/wind")
            .text("description")
            .map(str::to_owned)
    };
    let own = told("<meta property=og:description content='Quern Notes'>").unwrap_or_default();
    assert!(own.starts_with("Wind turns"), "{own}");
    let whole = "It is not rain, and it is not only air that moves over the fields of the whole valley.";
    let head = format!(
        "<meta property=og:description content='It is not rain, and it is not only air that m…'><meta name=description content='{whole}'>"
    );
    assert_eq!(told(&head).as_deref(), Some(whole));
}

#[test]
fn a_day_beside_a_thing_for_sale_is_that_of_its_auction() {
    let lot = "<h1>Pair of pillows</h1><div class=date>Sun, Dec 06, 2020 11:00 AM</div><span itemprop=price>£40.00</span><button>Add to cart</button>";
    let got = item(lot, "https://quern.example/lot/1");
    assert_eq!(
        (got.page_type, got.get("date_published")),
        (PageType::Product, None)
    );
    let staff = "<meta name=author content='Quern Weekly Staff'><article><h1>On wind</h1><p class=byline>By <a rel=author href=/a/anna>Anna Holt</a></p>\
        <p>Wind turns the sails of the mill, and it comes from the west.</p></article>";
    assert_eq!(
        item(staff, "https://quern.example/notes/wind").text("author"),
        Some("Anna Holt")
    );
}

#[test]
fn a_page_that_shows_ingredients_and_steps_is_a_recipe_and_news_offers_nothing() {
    let html = "<title>Fig bars</title><h1>Fig bars</h1><p>Bars of figs and oats for a long walk, which keep for a week in a tin.</p>\
        <h2>Ingredients</h2><ul><li>2 cups figs</li><li>1 cup oats</li><li>1/2 cup sugar</li></ul>\
        <h2>Method</h2><ol><li>Mix all of it in a bowl.</li><li>Bake for 30 minutes.</li></ol>";
    let got = item(html, "https://food.example/fig-bars");
    assert_eq!(got.page_type, PageType::Recipe);
    assert_eq!(
        got.get("ingredients"),
        Some(&json!(["2 cups figs", "1 cup oats", "1/2 cup sugar"]))
    );
    assert_eq!(
        got.get("steps"),
        Some(&json!(["Mix all of it in a bowl.", "Bake for 30 minutes."]))
    );
    let prose = "<p>The owner has to pay $250,000 for what the court called a breach of trust, his lawyers said on Monday.</p>";
    let news = format!(
        r#"<title>Court fines owner</title><script type="application/ld+json">{{"@type":"NewsArticle","headline":"Court fines owner","author":{{"@type":"Person","name":"Ann Onym"}}}}</script>
        <article><h1>Court fines owner</h1>{}</article>"#,
        prose.repeat(6)
    );
    let got = item(&news, "https://news.example/homenews/471031-court-fines-owner");
    assert_eq!(
        (got.page_type, got.get("price"), got.get("sku")),
        (PageType::Article, None, None)
    );
}

#[test]
fn a_table_of_vacancies_is_no_job_and_code_keeps_its_lines() {
    let rows: String = (1..=6)
        .map(|at| format!("\n<tr><td><a href=/v/{at}>Cook {at}</a></td>\n<td>Acme {at}</td>\n<td>Leeds</td>\n<td>£2{at},000</td>\n<td>Full-time</td></tr>"))
        .collect();
    let html = format!(
        "<title>6 vacancies | Jobs</title><h1>6 vacancies found</h1><table><thead>\n<tr><th>Job title</th><th>Company</th><th>Location</th><th>Salary</th><th>Hours</th></tr></thead>\n<tbody>{rows}</tbody></table>"
    );
    let got = item(&html, "https://jobs.example/jobs");
    assert_eq!((got.page_type, got.items.len()), (PageType::Listing, 6));
    let prose =
        "<p>A loop runs once for every item of what it is given, and its body is set in by four spaces.</p>";
    let html = format!(
        "<title>Loops</title><article><h1>Loops</h1>{}<pre>for x in xs:\n    print(x)\n</pre>{}</article>",
        prose.repeat(3),
        prose.replace("loop", "while").repeat(2)
    );
    let got = item(&html, "https://docs.example/loops");
    assert!(got.text("text").unwrap().contains("for x in xs:\n    print(x)"));
}

#[test]
fn a_brand_below_the_name_of_a_product_is_no_author() {
    let html = r#"<script type="application/ld+json">{"@type":"Product","name":"Quern 20","brand":"Quern",
        "offers":{"price":"20","priceCurrency":"EUR"}}</script><h1>Quern 20</h1><span>by <a href=/brand/quern>Quern</a></span>
        <p>20 €</p><button>Add to cart</button>"#;
    let got = item(html, "https://shop.example/p/20");
    assert_eq!(
        (got.page_type, got.text("brand"), got.text("author")),
        (PageType::Product, Some("Quern"), None)
    );
}

#[test]
fn a_variant_that_can_be_bought_gives_price_and_stock() {
    let html = r#"<title>T-shirt</title><script type="application/ld+json">{"@type":"ProductGroup","name":"T-shirt","hasVariant":[
        {"@type":"Product","name":"T-shirt S","sku":"T-S","offers":{"price":"19.00","priceCurrency":"USD","availability":"https://schema.org/OutOfStock"}},
        {"@type":"Product","name":"T-shirt XL","sku":"T-XL","offers":{"price":"24.00","priceCurrency":"USD","availability":"https://schema.org/InStock"}}]}</script>
        <h1>T-shirt</h1><p>$19.00 – $24.00</p><table><tr><td>S</td><td>$19.00</td><td>Sold out</td></tr><tr><td>XL</td><td>$24.00</td><td>In stock</td></tr></table>"#;
    let got = item(html, "https://shop.example/p/t");
    assert_eq!(
        (got.get("price"), got.text("availability"), got.text("sku")),
        (Some(&json!(24)), Some("InStock"), Some("T-XL"))
    );
}

#[test]
fn a_rating_out_of_another_number_than_five_has_its_scale() {
    let html = |best: &str| {
        format!(
            r#"<script type="application/ld+json">{{"@type":"Product","name":"Quern","offers":{{"price":"20","priceCurrency":"EUR"}},
            "aggregateRating":{{"ratingValue":"87","bestRating":"{best}","ratingCount":"12"}}}}</script><h1>Quern</h1><p>20 €</p>"#
        )
    };
    let got = item(&html("100"), "https://shop.example/p/q");
    assert_eq!(
        (got.get("rating"), got.get("best_rating")),
        (Some(&json!(87)), Some(&json!(100)))
    );
    assert!(!item(&html("5"), "https://shop.example/p/q").has("best_rating"));
}

#[test]
fn an_event_has_its_status_and_the_price_of_a_ticket_that_is_left() {
    let html = r#"<script type="application/ld+json">{"@type":"MusicEvent","name":"Gig","startDate":"2026-12-05","eventStatus":"https://schema.org/EventCancelled",
        "location":{"name":"Hall","address":"1 Road"},"offers":[{"price":"25","priceCurrency":"USD","availability":"https://schema.org/SoldOut"},
        {"price":"10","priceCurrency":"USD","availability":"https://schema.org/InStock"}]}</script><h1>Gig</h1><p>Live.</p>"#;
    let got = item(html, "https://hall.example/e/1");
    assert_eq!(
        (
            got.text("event_status"),
            got.get("price"),
            got.text("currency"),
            got.text("availability")
        ),
        (
            Some("EventCancelled"),
            Some(&json!(10)),
            Some("USD"),
            Some("InStock")
        )
    );
}

#[test]
fn a_local_business_gives_where_and_when_it_is_open() {
    let html = r#"<title>Salon</title><script type="application/ld+json">{"@type":"HairSalon","name":"Salon","telephone":"+44 1223 555012",
        "openingHoursSpecification":[{"dayOfWeek":["Monday","https://schema.org/Tuesday"],"opens":"09:00:00","closes":"17:00"},
        {"dayOfWeek":"Sunday","opens":"00:00","closes":"00:00"}],"address":{"streetAddress":"1 Rd","addressLocality":"Town"}}</script>
        <h1>Salon</h1><p>Cuts.</p>"#;
    let got = item(html, "https://salon.example/");
    assert_eq!(
        (
            got.page_type,
            got.text("phone"),
            got.text("address"),
            got.text("hours")
        ),
        (
            PageType::Profile,
            Some("+44 1223 555012"),
            Some("1 Rd, Town"),
            Some("Monday, Tuesday 09:00–17:00; Sunday closed")
        )
    );
}

#[test]
fn the_page_of_an_event_states_its_place_its_admission_and_no_day_of_publication() {
    let event = |html: &str| {
        let page = Page::new(html, "https://quern.example/e/1".parse().ok());
        let item = read(&page, &ExtractionRequest::default()).unwrap();
        assert_eq!(item.page_type, PageType::Event, "{html}");
        assert_eq!(item.get("date_published"), None, "{html}");
        let text = |field: &str| item.text(field).unwrap_or_default().to_owned();
        (
            text("start_date"),
            text("location"),
            item.get("price").and_then(Value::as_f64),
            text("currency"),
        )
    };
    let expected = |start: &str, place: &str, price: f64, currency: &str| {
        (
            start.to_owned(),
            place.to_owned(),
            Some(price),
            currency.to_owned(),
        )
    };
    assert_eq!(
        event(
            "<html lang=en><h1>Choir in the mill</h1><p><b>Date:</b> Friday 14 November 2025</p><p><b>Start:</b> 7.30 pm</p>\
             <p><b>Venue:</b> Old Mill, 3 Lock Lane, Tollen</p><p><b>Admission:</b> £11.50 (students £8)</p>"
        ),
        expected(
            "Friday 14 November 2025",
            "Old Mill, 3 Lock Lane, Tollen",
            11.5,
            "GBP"
        )
    );
    assert_eq!(
        event(
            "<html lang=nl><h1>Koor in de molen</h1><p><b>Datum:</b> vrijdag 14 november 2025</p><p><b>Aanvang:</b> 19.30 uur</p>\
             <p><b>Locatie:</b> De Molen, Sluisweg 3, Tollen</p><p><b>Entree:</b> € 11,50</p><a href=/t>Koop tickets</a>"
        ),
        expected(
            "vrijdag 14 november 2025",
            "De Molen, Sluisweg 3, Tollen",
            11.5,
            "EUR"
        )
    );
    assert_eq!(
        event(
            "<html lang=es><h1>Feria del molino</h1><ul><li>Del 9 al 18 de mayo de 2025</li><li>Lugar: Plaza Mayor, Tollen</li>\
             <li>Horario: de 11:00 a 14:00</li><li>Entrada: 4 €</li></ul><p>La feria reúne a los molineros de la comarca.</p>"
        ),
        expected("Del 9 al 18 de mayo de 2025", "Plaza Mayor, Tollen", 4.0, "EUR")
    );
}

#[test]
fn what_broken_markup_of_a_recipe_lacks_comes_from_its_lists() {
    let html = r#"<div itemscope itemtype="https://schema.org/Recipe"><meta itemprop="name" content="Flat bread">
        <meta itemprop="recipeIngredient" content=" "><meta itemprop="recipeInstructions" content="[{"@type":"HowToStep"}]">
        <h1>Flat bread</h1><p>Rating: 4.6/5 (31 votes)</p><div class="single-ingredients"><ul><li>220g flour</li><li>60g curd</li><li>salt</li></ul></div>
        <ul class="single-method"><li>Knead the dough.</li><li>Let it rest.</li><li>Bake it.</li></ul></div>"#;
    let page = Page::new(html, "https://quern.example/r/1".parse().ok());
    let item = read(&page, &ExtractionRequest::default()).unwrap();
    assert_eq!(
        item.get("ingredients"),
        Some(&json!(["220g flour", "60g curd", "salt"]))
    );
    assert_eq!(
        item.get("steps"),
        Some(&json!(["Knead the dough.", "Let it rest.", "Bake it."]))
    );
    assert_eq!(item.get("rating"), Some(&json!(4.6)));
    assert_eq!(item.get("review_count"), Some(&json!(31)));
}

#[test]
fn a_menu_names_no_author_and_a_publisher_is_named_once() {
    let html = r#"<nav><ul><li class="menu-item"><a href="/about">Author: Nell Ashe</a></li></ul></nav><h1>T</h1><p>Text of the page.</p>
        <div itemscope itemtype="https://schema.org/NewsArticle"><b itemprop="publisher">Quern</b><b itemprop="publisher">Quern</b></div>"#;
    let page = Page::new(html, "https://quern.example/n/1".parse().ok());
    let request = ExtractionRequest {
        page_type: Some(PageType::Article),
        ..ExtractionRequest::default()
    };
    let item = read(&page, &request).unwrap();
    assert_eq!(
        (item.get("author"), item.text("publisher")),
        (None, Some("Quern"))
    );
}

#[test]
fn the_number_of_a_room_is_no_amount_in_a_currency() {
    let html = "<html lang=de><title>Dr. Jens Hollmann</title><main><h1>Dr. Jens Hollmann</h1><p>Akademischer Rat</p><dl><dt>Raum</dt>\
        <dd>B 3.07</dd><dt>Telefon</dt><dd>+49 851 509-2201</dd></dl><p>Er lehrt Geophysik und leitet das Praktikum.</p></main>";
    let page = Page::new(html, "https://uni.example/hollmann".parse().ok());
    let item = read(&page, &ExtractionRequest::default()).unwrap();
    assert_eq!((item.get("price"), item.get("currency")), (None, None));
}

#[test]
fn a_long_list_of_markup_begins_with_its_first_entry() {
    let spices: Vec<String> = (1..=60).map(|at| format!(r#""{at} g spice{at}""#)).collect();
    let html = format!(
        r#"<script type="application/ld+json">{{"@type":"Recipe","name":"Curry","recipeIngredient":[{}]}}</script><h1>Curry</h1>"#,
        spices.join(",")
    );
    let got = item(&html, "https://food.example/curry");
    let ingredients = got.get("ingredients").and_then(Value::as_array).unwrap();
    assert_eq!(
        (ingredients.len(), ingredients.first()),
        (60, Some(&json!("1 g spice1")))
    );
}

#[test]
fn a_rating_of_markup_may_stand_in_a_list_and_be_a_share() {
    let rating = |rating: &str, kind: &str| {
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"{kind}","name":"Curry","recipeIngredient":["1 g salt"],
            "offers":{{"price":"20","priceCurrency":"EUR"}},"aggregateRating":[{rating}]}}</script><h1>Curry</h1><p>20 €</p>"#
        );
        let got = item(&html, "https://food.example/curry");
        ["rating", "best_rating", "review_count"].map(|field| got.get(field).cloned())
    };
    for kind in ["Recipe", "Product"] {
        assert_eq!(
            rating(r#"{"ratingValue":4.5,"reviewCount":12.0}"#, kind),
            [Some(json!(4.5)), None, Some(json!(12))],
            "{kind}"
        );
        assert_eq!(
            rating(r#"{"ratingValue":"90%","reviewCount":"12"}"#, kind),
            [Some(json!(90)), Some(json!(100)), Some(json!(12))],
            "{kind}"
        );
        for scale in [
            r#"{"ratingValue":"90%","bestRating":"5","reviewCount":"12"}"#,
            r#"{"ratingValue":"90","bestRating":"100%","reviewCount":"12"}"#,
        ] {
            assert_eq!(
                rating(scale, kind),
                [Some(json!(90)), Some(json!(100)), Some(json!(12))],
                "{scale}"
            );
        }
    }
}

#[test]
fn the_price_of_an_event_is_read_as_markup_writes_it() {
    let event = |offers: &str| {
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"MusicEvent","name":"Quern live","startDate":"2026-05-03",
            "location":{{"name":"Hall"}},"offers":{offers}}}</script><h1>Quern live</h1>"#
        );
        let got = item(&html, "https://hall.example/quern");
        ["price", "currency", "availability"].map(|field| got.get(field).cloned())
    };
    let costs = |price: Value, currency: &str| [Some(price), Some(json!(currency)), None];
    assert_eq!(
        event(r#"{"price":"25.000","priceCurrency":"KWD"}"#),
        costs(json!(25), "KWD")
    );
    assert_eq!(
        event(r#"{"price":"0","priceCurrency":"EUR"}"#),
        costs(json!(0), "EUR")
    );
    assert_eq!(
        event(r#"{"priceSpecification":{"price":"12.50","priceCurrency":"EUR"}}"#),
        costs(json!(12.5), "EUR")
    );
    assert_eq!(
        event(
            r#"{"@type":"AggregateOffer","offers":[{"price":"9","priceCurrency":"EUR","availability":"Discontinued"},
            {"price":"15","priceCurrency":"EUR","availability":"https://schema.org/InStock"}]}"#
        ),
        [Some(json!(15)), Some(json!("EUR")), Some(json!("InStock"))]
    );
}

#[test]
fn a_job_says_its_highest_salary_and_that_it_is_remote() {
    let html = r#"<script type="application/ld+json">{"@type":"JobPosting","title":"Cook","jobLocationType":"TELECOMMUTE",
        "jobLocation":{"address":{"addressLocality":"Bonn"}},
        "baseSalary":{"currency":"EUR","value":{"maxValue":40000,"unitText":"YEAR"}}}</script><h1>Cook</h1>"#;
    let got = item(html, "https://acme.example/jobs/7");
    assert_eq!(
        [got.text("location"), got.text("salary")],
        [Some("Bonn; Remote"), Some("up to EUR 40000 per YEAR")]
    );
}

#[test]
fn the_number_of_a_book_has_the_field_of_its_length() {
    let isbn = |isbn: &str| {
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"Book","name":"Ocean Lamp","isbn":{isbn}}}</script><h1>Ocean Lamp</h1><p>5 €</p>"#
        );
        let got = item(&html, "https://books.example/p/1");
        ["isbn_10", "isbn_13"].map(|field| got.text(field).map(str::to_owned))
    };
    let owned = |text: &str| Some(text.to_owned());
    assert_eq!(isbn(r#""0306406152""#), [owned("0306406152"), None]);
    assert_eq!(isbn(r#""080442957X""#), [owned("080442957X"), None]);
    assert_eq!(
        isbn(r#"["9780306406157","0306406152"]"#),
        [owned("0306406152"), owned("9780306406157")]
    );
}

#[test]
fn a_posting_without_markup_is_a_job_and_its_salary_no_price() {
    let posting = |markup: &str| {
        format!(
            "<title>Kitchen porter</title>{markup}<main><h1>Kitchen porter</h1><dl><dt>Location</dt><dd>Leeds</dd><dt>Salary</dt>\
             <dd>£24,000</dd><dt>Contract</dt><dd>Permanent, full-time</dd><dt>Closing date</dt><dd>3 May 2026</dd></dl>\
             <h2>What you'll do</h2><ul><li>Wash pots.</li><li>Keep the kitchen clean.</li></ul><h2>What we're looking for</h2>\
             <ul><li>Care.</li></ul><h2>What we offer</h2><ul><li>Meals.</li></ul><p><button>Apply now</button></p></main>"
        )
    };
    let got = item(&posting(""), "https://inn.example/kitchen-porter");
    assert_eq!(got.page_type, PageType::Job);
    assert_eq!(got.text("salary"), Some("£24,000"));
    for field in ["price", "currency", "brand", "sku", "availability"] {
        assert_eq!(got.get(field), None, "{field}");
    }
    let goods = r#"<script type="application/ld+json">{"@type":"Product","name":"Kitchen porter","sku":"K7",
        "offers":{"price":"20","priceCurrency":"GBP","availability":"InStock"}}</script>"#;
    let got = item(&posting(goods), "https://inn.example/kitchen-porter");
    assert_eq!(got.page_type, PageType::Product);
}

#[test]
fn goods_with_the_words_of_a_posting_have_their_price() {
    let trousers = "<title>Trekkinghose Fels (m/w)</title><main><h1>Trekkinghose Fels (m/w)</h1><p class=price>89,90 €</p>\
        <button>In den Warenkorb</button><p>Artikelnummer: 1234-5</p><h2>Ihre Vorteile</h2><ul><li>Wasserfest.</li></ul></main>\
        <footer><a href=/w>Wettbewerb</a> <a href=/b>Bewerbung</a></footer>";
    let course = "<title>Web design course</title><main><h1>Web design course</h1><dl><dt>Location</dt><dd>Leeds</dd>\
        <dt>Duration</dt><dd>Part-time</dd></dl><p class=price>£450</p><h2>Requirements</h2><ul><li>A laptop.</li></ul>\
        <h2>What you will do</h2><ul><li>Design pages.</li></ul><h2>What we offer</h2><ul><li>Coffee.</li></ul>\
        <p><button>Apply now</button> <button>Add to cart</button></p></main>";
    for (html, price) in [(trousers, json!(89.9)), (course, json!(450))] {
        let got = item(html, "https://acme.example/7");
        assert_eq!(got.page_type, PageType::Product);
        assert_eq!(got.get("price"), Some(&price));
    }
}

#[test]
fn the_item_of_a_feed_is_its_list_without_the_days_of_its_entries() {
    let html = "<title>Notices</title><meta name=description content='What the council decides.'>\
        <meta property='article:modified_time' content='2026-11-29T12:00:00Z'><body class=h-feed><h1>Notices</h1>\
        <article class=h-entry><h2><a class='p-name u-url' href='/n/9'>Road works in Storgata</a></h2>\
        <time class=dt-published datetime='Tue, 24 Nov 2026 06:00:00 GMT'>Tue, 24 Nov 2026 06:00:00 GMT</time>\
        <div class=p-summary>From Monday on.</div></article>";
    let got = item(html, "https://council.example/feed");
    assert_eq!(got.page_type, PageType::Listing);
    let titles: Vec<_> = got
        .items
        .iter()
        .map(|entry| entry.get("title").cloned())
        .collect();
    assert_eq!(titles, [Some(json!("Road works in Storgata"))]);
    let fields = ["description", "date_published", "date_modified"].map(|field| got.text(field));
    assert_eq!(
        fields,
        [
            Some("What the council decides."),
            None,
            Some("2026-11-29T12:00:00Z")
        ]
    );
}
