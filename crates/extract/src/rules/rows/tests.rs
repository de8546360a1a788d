//! Rows of lists of invented shops and boards.

use serde_json::json;

use super::*;

fn rows(html: &str) -> Vec<Row> {
    read(&VisiblePage::of(&Page::new(
        html,
        "https://shop.example/list".parse().ok(),
    )))
}

/// A list of three cards whose inner HTML is made from a name and a number.
fn list(card: impl Fn(&str, u32) -> String) -> String {
    let cards: String = [
        ("Oak lamp", 1),
        ("Pine shelf", 2),
        ("Birch stool", 3),
        ("Larch desk", 4),
    ]
    .iter()
    .map(|(name, at)| format!("<li class=product>{}</li>", card(name, *at)))
    .collect();
    format!(
        "<nav><a href=/a>Home</a><a href=/b>Contact</a></nav><h1>Furniture</h1><ul class=products>{cards}</ul>"
    )
}

fn prices(row: &Row) -> [Option<f64>; 4] {
    [&row.price, &row.old_price, &row.instalment, &row.unit_price]
        .map(|it| it.as_ref().and_then(Value::as_f64))
}

#[test]
fn a_label_that_all_entries_share_is_no_title() {
    for label in ["View Details", "Add to cart", "Zum Produkt", "Zobacz"] {
        let read = rows(&list(|name, at| {
            format!(
                "<a href='/p/{at}'>{label}</a><div class=caption>{name}</div><img src='/i/{at}.jpg' alt='{name}'><b>$1{at}.50</b>"
            )
        }));
        assert_eq!(read.len(), 4, "{label}: {read:?}");
        for row in &read {
            assert_ne!(row.title.as_deref(), Some(label), "{row:?}");
        }
    }
}

#[test]
fn a_number_at_the_end_of_a_name_is_no_part_of_the_price() {
    let cards = [
        "<a href='/p/{at}'><h2>{name} 10{at}</h2></a><span class=price><ins>2{at}8,99&nbsp;€</ins></span><span>In stock</span>",
        "<a href='/p/{at}'>{name} 10{at}</a><br><span>2{at}8,99 €</span>",
        "<a href='/p/{at}'>{name} 10{at}</a> <b>2{at}8,99 €</b>",
        "<a href='/p/{at}'>{name} 10{at}</a><b>2{at}8,99 €</b>",
        "<a href='/p/{at}'>{name} 10{at}</a><div><span>2{at}8,99</span> <span>€</span></div>",
        "<h3>10{at}</h3><p><a href='/p/{at}'>{name}</a></p><h4>10{at}</h4><p>2{at}8,99 €</p>",
    ];
    for card in cards {
        let read = rows(&list(|name, at| {
            card.replace("{at}", &at.to_string()).replace("{name}", name)
        }));
        let first: Vec<[Option<f64>; 4]> = read.iter().map(prices).collect();
        let expected = [1, 2, 3, 4].map(|at| [Some(208.99 + 10.0 * f64::from(at)), None, None, None]);
        assert_eq!(first, expected, "{card}");
    }
}

#[test]
fn the_price_is_what_one_pays_now() {
    let cases = [
        (
            "<b>{}8,00 zł</b> <span>lub 10 rat x 2,80 zł</span>",
            [Some(18.0), None, Some(2.8), None],
        ),
        (
            "<span class=installments>lub 10 rat x 2 zł</span> <b>{}8 zł</b>",
            [Some(18.0), None, Some(2.0), None],
        ),
        (
            "<del>{}9 €</del> <b>{}5 €</b>",
            [Some(15.0), Some(19.0), None, None],
        ),
        (
            "<p><span>{}9 €</span> <span>{}5 €</span></p>",
            [Some(15.0), Some(19.0), None, None],
        ),
        (
            "<p><span>{}5 €</span> <span>{}9 €</span></p>",
            [Some(15.0), Some(19.0), None, None],
        ),
        (
            "<b>{}5 €</b> <small>3,20 €/kg</small>",
            [Some(15.0), None, None, Some(3.2)],
        ),
        (
            "<b>{}5 €</b> <small>3,20 € per month</small>",
            [Some(15.0), None, None, Some(3.2)],
        ),
        (
            "<span class=price-old>{}9 €</span> <span class=price>{}5 €</span>",
            [Some(15.0), Some(19.0), None, None],
        ),
    ];
    for (money, expected) in cases {
        let read = rows(&list(|name, at| {
            format!(
                "<a href='/p/{at}'><h3>{name}</h3></a><div>{}</div>",
                money.replace("{}", &at.to_string())
            )
        }));
        assert_eq!(read.len(), 4, "{money}: {read:?}");
        assert_eq!(prices(&read[0]), expected, "{money}: {:?}", read[0]);
        assert!(
            read.iter()
                .all(|row| row.title.is_some() && row.url.is_some() && row.currency.is_some()),
            "{read:?}"
        );
    }
}

#[test]
fn a_count_with_a_letter_is_no_price() {
    let read = rows(&list(|name, at| {
        format!(
            "<a href='/p/{at}'><h3>{name}</h3></a><span>8.{at}</span> <span>({at}.6M)</span> <span>{at}5K</span>"
        )
    }));
    assert_eq!(read.len(), 4);
    assert!(read.iter().all(|row| row.price.is_none()), "{read:?}");
}

#[test]
fn markup_of_the_same_products_completes_the_rows() {
    let described: Vec<String> = [("Oak lamp", 1), ("Pine shelf", 2), ("Birch stool", 3), ("Larch desk", 4)]
        .iter()
        .map(|(name, at)| {
            format!(
                "{{\"@type\":\"Product\",\"name\":\"{name}\",\"url\":\"/p/{at}\",\"offers\":{{\"@type\":\"Offer\",\"price\":\"1{at}.5\",\
                 \"priceCurrency\":\"CAD\",\"availability\":\"https://schema.org/OutOfStock\"}}}}"
            )
        })
        .collect();
    let html = format!(
        "<script type='application/ld+json'>{{\"@context\":\"https://schema.org\",\"@graph\":[{}]}}</script>{}",
        described.join(","),
        list(|name, at| format!("<a href='/p/{at}'><h3>{name}</h3></a><b>$1{at}.50</b>"))
    );
    let read = rows(&html);
    assert_eq!(read.len(), 4);
    for row in &read {
        assert_eq!(row.currency.as_deref(), Some("CAD"), "{row:?}");
        assert_eq!(row.availability.as_deref(), Some("OutOfStock"), "{row:?}");
    }
}

#[test]
fn products_that_are_described_beside_a_list_do_not_take_its_place() {
    let described: Vec<String> = ["Oak chair", "Elm chair", "Ash chair"]
        .iter()
        .enumerate()
        .map(|(at, name)| {
            format!(
                "{{\"@type\":\"Product\",\"name\":\"{name}\",\"url\":\"/p/{at}\",\"offers\":{{\"@type\":\"Offer\",\"price\":\"4{at}\",\
                 \"priceCurrency\":\"EUR\"}}}}"
            )
        })
        .collect();
    let posts: String = (1..=8)
        .map(|at| {
            format!(
                "<article><h2><a href='/b/{at}'>How to care for wood, part {at}</a></h2><p>Some words about the care of wood in a long \
                 series of posts, of which this is number {at}.</p><time datetime='2026-01-0{at}'>{at} January</time></article>"
            )
        })
        .collect();
    let read = |beside: &str| {
        rows(&format!(
            "<script type='application/ld+json'>{{\"@context\":\"https://schema.org\",\"@graph\":[{}]}}</script>\
             <main><h1>Blog</h1>{posts}</main>{beside}",
            described.join(",")
        ))
    };
    let aside = "<aside><h3>Bestsellers</h3><ul><li><a href='/p/0'>Oak chair</a></li><li><a href='/p/1'>Elm chair</a></li>\
        <li><a href='/p/2'>Ash chair</a></li></ul></aside>";
    for beside in [
        aside,
        "<p>Our bestsellers are Oak chair, Elm chair and Ash chair.</p>",
    ] {
        let read = read(beside);
        assert_eq!(read.len(), 8, "{beside}");
        assert!(read.iter().all(|row| row.date.is_some()), "{read:?}");
    }
}

#[test]
fn stars_reviews_and_stock_are_read_from_their_words() {
    let read = rows(&list(|name, at| {
        format!(
            "<a href='/p/{at}'><h3>{name}</h3></a><div class=rating>4.{at} out of 5</div><div>1{at} reviews</div><b>$1{at}.50</b>\
             <div>{}</div>",
            if at == 2 { "Out of stock" } else { "In stock" }
        )
    }));
    assert_eq!(
        read[1].rating.as_ref().and_then(Value::as_f64),
        Some(4.2),
        "{:?}",
        read[1]
    );
    assert_eq!(read[1].review_count.as_ref().and_then(Value::as_u64), Some(12));
    assert_eq!(read[1].availability.as_deref(), Some("OutOfStock"));
    assert_eq!(read[2].availability.as_deref(), Some("InStock"));
}

#[test]
fn a_number_in_brackets_behind_stars_counts_the_reviews() {
    let read = rows(&list(|name, at| {
        format!(
            "<a href=/{at}><h2>{name}</h2></a> <b>£{at}9.00</b> <span aria-label='4.5 out of 5 stars'>★★★★½</span> (1,20{at})"
        )
    }));
    let counts: Vec<_> = read
        .iter()
        .filter_map(|row| row.review_count.as_ref()?.as_u64())
        .collect();
    assert_eq!(counts.len(), read.len());
    assert!(
        counts.iter().all(|count| (1200..1210).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn a_title_that_is_cut_off_is_read_whole_from_its_attribute() {
    let read = rows(&list(|name, at| {
        let start: String = name.chars().take(5).collect();
        format!("<a href='/p/{at}' title='{name} with a long name'><h3>{start}...</h3></a><b>$1{at}.50</b>")
    }));
    assert_eq!(
        read[0].title.as_deref(),
        Some("Oak lamp with a long name"),
        "{read:?}"
    );
}

#[test]
fn every_reader_of_a_list_gives_the_same_rows() {
    let html = list(|name, at| format!("<a href='/p/{at}'><h3>{name}</h3></a><b>$1{at}.50</b>"));
    let page = Page::new(html, "https://shop.example/list".parse().ok());
    let read = of_groups(&page, &records::find(&page));
    let request = crate::mode::ExtractionRequest {
        page_type: Some(crate::fields::PageType::Listing),
        ..crate::mode::ExtractionRequest::default()
    };
    let item = crate::modes::rule_based::read(&page, &request).unwrap();
    let maps: Vec<_> = read.iter().cloned().map(Row::into_map).collect();
    assert_eq!(item.items, maps);
    assert_eq!(products(&VisiblePage::of(&page)), read);
}

#[test]
fn an_entry_that_is_shown_twice_is_one_record() {
    let card = |at: u32, class: &str| {
        format!(
            "<li class=product><div class={class}><a href='/p/{at}'><h3>Lamp {at}</h3></a><b>$1{at}.50</b></div></li>"
        )
    };
    let cards: String = (1..6).map(|at| card(at, "wide") + &card(at, "narrow")).collect();
    let page = Page::new(
        format!("<ul>{cards}</ul>"),
        "https://shop.example/list".parse().ok(),
    );
    let groups = records::find(&page);
    let titles: Vec<_> = of_group(&page, &groups[0])
        .into_iter()
        .map(|(record, row)| (record.fields["title"].clone(), row.title))
        .collect();
    let wanted: Vec<_> = (1..6)
        .map(|at| (json!(format!("Lamp {at}")), Some(format!("Lamp {at}"))))
        .collect();
    assert_eq!(titles, wanted);
}

#[test]
fn a_list_of_thousands_is_read_whole_and_none_gives_none() {
    let cards: String = (0..3_000)
        .map(|at| {
            format!(
                "<li class=product><a href='/p/{at}'><img src=/i/{at}.jpg alt=''><h3>Lamp {at}</h3></a><b>${at}.50</b>\
                 <p class=about>A lamp of oak and glass that its maker has numbered {at}</p><time>{} March 2024</time></li>",
                at % 28 + 1
            )
        })
        .collect();
    let read = rows(&format!("<ul>{cards}</ul>"));
    assert_eq!(read.len(), 3_000);
    for (at, row) in read.iter().enumerate() {
        let day = format!("2024-03-{:02}", at % 28 + 1);
        let about = format!("A lamp of oak and glass that its maker has numbered {at}");
        let image = format!("https://shop.example/i/{at}.jpg");
        assert_eq!(row.title, Some(format!("Lamp {at}")));
        assert!(row.price.is_some(), "{row:?}");
        assert_eq!(row.date, Some(day), "{row:?}");
        assert_eq!(row.description, Some(about), "{row:?}");
        assert_eq!(row.image, Some(image), "{row:?}");
    }
    assert!(rows("<p>Nothing is listed here.</p>").is_empty());
    assert!(rows("").is_empty());
}

#[test]
fn one_class_on_two_days_is_two_entries() {
    let day = |day: &str| {
        let classes: String = ["Yoga", "Pilates", "Judo", "Rowing"]
            .iter()
            .map(|name| {
                format!("<li class=c><a href='/c/{name}'>{name}</a> <span>10:00</span> <em>Hall 2</em></li>")
            })
            .collect();
        format!("<h3>{day}</h3><ul>{classes}</ul>")
    };
    let read = rows(&format!("<h1>Classes</h1>{}{}", day("Monday"), day("Tuesday")));
    let days: Vec<_> = read.iter().filter_map(|row| row.section.as_deref()).collect();
    assert_eq!(
        days,
        [
            "Monday", "Monday", "Monday", "Monday", "Tuesday", "Tuesday", "Tuesday", "Tuesday"
        ],
        "{read:?}"
    );
}

#[test]
fn the_scale_of_a_rating_is_no_part_of_the_count_of_reviews() {
    let read = rows(&list(|name, at| {
        format!(
            "<a href='/p/{at}'><h3>{name}</h3></a><p class=review><b>4,{at}/5</b> <a href='/p/{at}#r'>{at}70 opinii</a></p>\
             <b>1{at},50 zł</b>"
        )
    }));
    let counts: Vec<Option<u64>> = read
        .iter()
        .map(|row| row.review_count.as_ref().and_then(Value::as_u64))
        .collect();
    assert_eq!(counts, [Some(170), Some(270), Some(370), Some(470)], "{read:?}");
    assert_eq!(read[2].rating.as_ref().and_then(Value::as_f64), Some(4.3));
}

#[test]
fn an_instalment_is_not_taken_from_the_price_of_an_entry_that_has_an_old_one() {
    let read = rows(&list(|name, at| {
        let old = if at == 2 { "<del>399,00 zł</del> " } else { "" };
        format!(
            "<a href='/p/{at}'><h3>{name}</h3></a><div class=price>{old}2{at}0,00 zł <span>lub 10 rat x 2{at} zł</span></div>"
        )
    }));
    assert_eq!(
        prices(&read[0]),
        [Some(210.0), None, Some(21.0), None],
        "{read:?}"
    );
    assert_eq!(
        prices(&read[1]),
        [Some(220.0), Some(399.0), Some(22.0), None],
        "{read:?}"
    );
}

#[test]
fn a_count_beside_names_is_no_title() {
    let read = rows(&list(|name, at| {
        // Two templates in one list: no place has the names of all entries.
        let heading = match at % 2 {
            0 => format!("<h2><a class=link href='/p/{at}'><span>{name}</span></a></h2>"),
            _ => format!("<a class=link href='/p/{at}'><h2><span>{name}</span></h2></a>"),
        };
        format!(
            "{heading}<div><a class=count href='/p/{at}#reviews'><span>{at}37</span></a></div><b>$1{at}.50</b>"
        )
    }));
    let titles: Vec<&str> = read.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(
        titles,
        ["Oak lamp", "Pine shelf", "Birch stool", "Larch desk"],
        "{read:?}"
    );
}

#[test]
fn amounts_without_class_names_are_told_apart_by_their_words() {
    let read = |card: &dyn Fn(&str, u32) -> String| prices(&rows(&list(card))[0]);
    let link = |name: &str, at: u32| format!("<a href='/p/{at}'>{name}</a>");
    let saving = read(&|name, at| {
        format!(
            "<span>-20%</span>{}<span>Save $20.00</span><span>$8{at}.00</span>",
            link(name, at)
        )
    });
    assert_eq!(saving, [Some(81.0), None, None, None]);
    let members = read(&|name, at| {
        format!(
            "{}<span>$4{at}.00</span><span>Members: $3{at}.00</span>",
            link(name, at)
        )
    });
    assert_eq!(members, [Some(41.0), None, None, None]);
    let taxed = read(&|name, at| {
        format!(
            "{}<div>£1{at}.00 ex VAT</div><div>£2{at}.00 inc VAT</div>",
            link(name, at)
        )
    });
    assert_eq!(taxed, [Some(21.0), None, None, None]);
    let plan = read(&|name, at| {
        format!(
            "{}<span>R$ 15{at},00</span><span>R$ 10{at},00</span><span>10x de R$ 10,{at}0</span>",
            link(name, at)
        )
    });
    assert_eq!(plan, [Some(101.0), Some(151.0), Some(10.1), None]);
    let unit = read(&|name, at| {
        format!(
            "{}<strong>3,{at}9 €</strong><small>1 kg = 19,{at}5 €</small>",
            link(name, at)
        )
    });
    assert_eq!(unit, [Some(3.19), None, None, Some(19.15)]);
}

#[test]
fn a_currency_of_one_letter_of_another_script_is_one() {
    let read = rows(&list(|name, at| {
        format!("<a href='/p/{at}'>{name}</a><p>{at},000円</p>")
    }));
    assert_eq!(prices(&read[1])[0], Some(2000.0));
}

#[test]
fn a_bare_number_behind_labelled_stars_counts_the_reviews() {
    let read = rows(&list(|name, at| {
        format!(
            "<a href='/p/{at}'>{name}</a><div aria-label='4.{at} out of 5 stars'></div><span>({at}3)</span><p>$9.99</p>"
        )
    }));
    assert_eq!(read[2].review_count.as_ref().and_then(Value::as_u64), Some(33));
}

#[test]
fn a_reduction_in_per_cent_an_edition_and_a_total_beside_a_price_leave_the_price_to_itself() {
    let reduced = rows(&list(|name, at| {
        let before = if at.is_multiple_of(2) {
            format!("<span>UVP <s>6{at}9,00 €</s></span> <span>-21 %</span>")
        } else {
            String::new()
        };
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><div>{before}<span>4{at}9,00 €</span><span>oder 24 × 16,{at}1 €</span></div>"
        )
    }));
    let now: Vec<_> = reduced.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(now, [Some(419.0), Some(429.0), Some(439.0), Some(449.0)]);
    let books = rows(&list(|name, at| {
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><div><b>2{at},00 €</b> <span>auch als E-Book: 1{at},99 €</span></div>"
        )
    }));
    assert_eq!(prices(&books[0])[..2], [Some(21.0), None]);
    let nights = rows(&list(|name, at| {
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><p><span>8{at} €</span> <span>pro Nacht</span></p><p>2 Nächte: 16{at} € inkl. Steuern</p>"
        )
    }));
    assert_eq!(prices(&nights[0])[0], Some(81.0));
}

#[test]
fn entries_without_a_price_stay_in_a_list_with_prices_and_what_is_free_costs_nothing() {
    let html = list(|name, at| {
        let price = match at {
            1 => "<p>Free</p>",
            2 => "<p>Sold out</p>",
            _ => "<p>$25.00</p>",
        };
        format!("<h3><a href='/p/{at}'>{name}</a></h3><p>A piece of furniture made by hand</p>{price}")
    });
    let page = Page::new(html, "https://shop.example/list".parse().ok());
    let listed = products(&VisiblePage::of(&page));
    let amounts: Vec<_> = listed.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(amounts, [Some(0.0), None, Some(25.0), Some(25.0)]);
}

#[test]
fn the_first_text_that_tells_entries_apart_is_their_title_where_none_is_marked_as_one() {
    let read = rows(&list(|name, at| {
        format!(
            "<div><span>{name}</span></div><div><span>Maker</span> <span>Corvex</span></div>\
             <div><span>Price</span> <span>${at}40.00</span></div><div><span>Weight</span> <span>{at}.5 kg</span></div>"
        )
    }));
    let titles: Vec<_> = read.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(titles, ["Oak lamp", "Pine shelf", "Birch stool", "Larch desk"]);
}

#[test]
fn what_is_described_by_a_definition_list_stands_in_its_terms() {
    let entry = |at: u32| {
        format!(
            "<dt><a href='/r/{at}'>Racer {at}</a></dt><dd><p>Site North</p><p><b>2{at},00 €</b> a day</p>\
             <p>Deposit: {at}50 €</p><p>4,{at} of 5 stars ({at}4 reviews)</p></dd>"
        )
    };
    let entries: String = (1..=6).map(entry).collect();
    let read = rows(&format!("<h1>Rental</h1><dl>{entries}</dl>"));
    let titles: Vec<_> = read.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(
        titles,
        ["Racer 1", "Racer 2", "Racer 3", "Racer 4", "Racer 5", "Racer 6"]
    );
}

#[test]
fn an_amount_alone_in_an_element_beside_the_price_is_what_it_cost_before() {
    let read = rows(&list(|name, at| {
        let old = if at.is_multiple_of(2) {
            format!("<div class=x1><span>6{at}0,00 zł</span></div>")
        } else {
            String::new()
        };
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><div class=pp>{old}<span>4{at}0,00 zł</span><button>Do koszyka</button></div>"
        )
    }));
    assert_eq!(prices(&read[0])[..2], [Some(410.0), None]);
    assert_eq!(prices(&read[1])[..2], [Some(420.0), Some(620.0)]);
}

#[test]
fn what_stands_beside_the_price_and_is_no_price_of_the_same_thing_is_no_old_price() {
    for beside in [
        "<p>Estimate <b>$5{at}0–$9{at}0</b></p>",
        "<p><b>$24{at}.00</b> / week</p>",
    ] {
        let read = rows(&list(|name, at| {
            let beside = beside.replace("{at}", &at.to_string());
            format!("<h3><a href='/p/{at}'>{name}</a></h3>{beside}<p>Bid <b>$4{at}.00</b></p>")
        }));
        let old: Vec<_> = read.iter().filter_map(|row| row.old_price.as_ref()).collect();
        assert!(old.is_empty(), "{beside}: {read:?}");
    }
    // What costs less for some stands within the price.
    let courses = rows(&list(|name, at| {
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><p>Gebühr 9{at},00 € <small>(ermäßigt 7{at},50 €)</small></p>"
        )
    }));
    assert_eq!(prices(&courses[0])[..2], [Some(91.0), None]);
    let tickets = rows(&list(|name, at| {
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><p>dorośli <b>14{at} zł</b>, ulgowy <b>11{at} zł</b></p>"
        )
    }));
    assert_eq!(prices(&tickets[0])[..2], [Some(141.0), None]);
    let row = |name: &str, at: usize| {
        format!("<tr><td><a href='/p/{at}'>{name}</a><td>2{at} km<td>£1{at}.00<td>£0{at}.00")
    };
    let body = |first: usize| {
        let rows: String = (first..first + 4)
            .map(|at| row(&format!("Walk {at}"), at))
            .collect();
        format!("<tbody><tr><th colspan=4>Group {first}{rows}</tbody>")
    };
    let table = rows(&format!(
        "<h1>Walks</h1><table><thead><tr><th>Walk<th>Way<th>Adult<th>Child</thead>{}{}{}</table>",
        body(1),
        body(5),
        body(9)
    ));
    assert_eq!(table.len(), 12, "{table:?}");
    assert_eq!(prices(&table[1])[..2], [Some(12.0), None]);
    let rental = rows(&list(|name, at| {
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><p><b>$2{at}.00</b> / day &nbsp; <b>$9{at}.00</b> / week</p>"
        )
    }));
    assert_eq!(prices(&rental[0])[..2], [Some(21.0), None]);
}

#[test]
fn a_rating_and_its_count_are_told_apart_and_a_floor_is_no_rating() {
    let opinions = [
        "<div class=score><b class=score-value>4,{at}</b><span>3{at}2 reviews</span></div>",
        "<span class=oc>4,{at}</span> <span class=il>(3{at}2 reviews)</span>",
        "<p>4,{at} (3{at}2 reviews)</p>",
        "<p>★ 4.{at} (3{at}2 ratings)</p>",
    ];
    for opinion in opinions {
        let read = rows(&list(|name, at| {
            format!(
                "<h3><a href='/p/{at}'>{name}</a></h3>{}<p>Floor {at}/5</p><b>${at}9.00</b>",
                opinion.replace("{at}", &at.to_string())
            )
        }));
        let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
        let second = (number(&read[1].rating), number(&read[1].review_count));
        assert_eq!(second, (Some(4.2), Some(322.0)), "{opinion}");
    }
    let flats = rows(&list(|name, at| {
        format!("<h3><a href='/p/{at}'>{name}</a></h3><p>Floor</p><p>{at}/5</p><b>${at}9.00</b>")
    }));
    assert!(flats.iter().all(|row| row.rating.is_none()), "{flats:?}");
}

/// A list of posts, each of another person and day.
fn posts(post: impl Fn(&str, &str, u32) -> String) -> String {
    let posts: String = [
        ("How the harbour froze", "Ida Bergmann", 3),
        ("Letters from the mill", "Tomas Reuter", 14),
        ("A year without a car", "Wanda Sikora", 21),
        ("The last tram home", "Ida Bergmann", 28),
    ]
    .iter()
    .map(|(title, name, day)| format!("<article>{}</article>", post(title, name, *day)))
    .collect();
    format!("<h1>Notes</h1><main>{posts}</main>")
}

#[test]
fn a_post_has_its_author_and_its_day_as_data() {
    let shapes = [
        "<h2><a href=/{day}>{title}</a></h2><p>By {name}</p><p>Posted on May {day}, 2024</p>",
        "<h2><a href=/{day}>{title}</a></h2><span>Recipe by {name}</span> <time>{day} May 2024</time>",
        "<h2><a href=/{day}>{title}</a></h2><a rel=author href=/a/{day}>{name}</a><div>{day}.5.2024</div>",
        "<img alt='{name}' src=/a.png><h2><a href=/{day}>{title}</a></h2><a href=/u/{day}>{name}</a><p>May {day}, 2024 | 4 min read</p>",
        "<h2 class=postTitle><a href=/{day}>{title}</a></h2><p class=authorName>{name}</p><p>Essay - {day} May 2024</p>",
        "<h2><a href=/{day}>{title}</a></h2><p><b>By:</b> {name}</p><p class=date>5/{day}/2024</p>",
    ];
    for shape in shapes {
        let rows = rows(&posts(|title, name, day| {
            let shape = shape.replace("{title}", title).replace("{name}", name);
            shape.replace("{day}", &day.to_string())
        }));
        let read: Vec<(Option<&str>, Option<&str>)> = rows
            .iter()
            .map(|row| (row.author.as_deref(), row.date.as_deref()))
            .collect();
        let wanted = [
            (Some("Ida Bergmann"), Some("2024-05-03")),
            (Some("Tomas Reuter"), Some("2024-05-14")),
            (Some("Wanda Sikora"), Some("2024-05-21")),
            (Some("Ida Bergmann"), Some("2024-05-28")),
        ];
        assert_eq!(read, wanted, "{shape}");
    }
}

#[test]
fn a_list_of_two_templates_has_the_days_of_both() {
    let rows = rows(&posts(|title, _, day| match day < 20 {
        true => {
            format!("<h2><a href=/{day}>{title}</a></h2><div class=top><time>{day} May 2024</time></div>")
        }
        false => format!("<h2><a href=/{day}>{title}</a></h2><p><i class=date>May {day}, 2024</i></p>"),
    }));
    let days: Vec<_> = rows.iter().filter_map(|row| row.date.as_deref()).collect();
    assert_eq!(days, ["2024-05-03", "2024-05-14", "2024-05-21", "2024-05-28"]);
}

#[test]
fn what_is_shown_twice_for_two_widths_of_screens_is_one_entry() {
    let card =
        |title: &str, day: u32| format!("<li><h3><a href=/{day}>{title}</a></h3><p>{day} May 2024</p></li>");
    let titles = ["The harbour", "The mill", "The car", "The tram"];
    let cards: String = titles
        .iter()
        .zip(1..)
        .map(|(title, day)| card(title, day))
        .collect();
    let page = format!("<h1>Notes</h1><ul class=wide>{cards}</ul><ul class=narrow>{cards}</ul>");
    assert_eq!(rows(&format!("<ul>{cards}{cards}</ul>")).len(), 4);
    assert_eq!(rows(&page).len(), 4);
    // Two departures of one train are two.
    let departures: String = (1..=4)
        .map(|hour| {
            format!("<li><a href=/train>Teatown express</a> <span>1{hour}:05</span> platform {hour}</li>")
        })
        .collect();
    assert_eq!(rows(&format!("<ul>{departures}</ul>")).len(), 4);
}

#[test]
fn feet_files_and_sums_in_sentences_are_no_prices() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/p/{at}'>{at}ft (1.{at}m) {name}</a></h3><div class=price>List Price: $1{at}.99</div>"
        )
    }));
    let now: Vec<_> = read.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(now, [Some(11.99), Some(12.99), Some(13.99), Some(14.99)]);
    let read = rows(&list(|name, at| {
        let sum = if at == 2 {
            "He sold it for $600 million to a friend."
        } else {
            "He never sold it to anyone at all."
        };
        format!(
            "<h3><a href='/p/careers{at}.php'>The story of {name}</a></h3><p>www.shop.example/careers{at}.php</p><p>{sum}</p>"
        )
    }));
    assert_eq!(read.len(), 4);
    assert!(read.iter().all(|row| row.price.is_none()), "{read:?}");
}

#[test]
fn ratings_are_read_from_titles_data_and_drawn_stars() {
    let shapes = [
        "<a title='4.5 out of 5 stars' href='#r'><i></i></a><span>({at}2)</span>",
        "<div class=rating-stars data-ratingstars=4.5><img src=/s.svg></div><span class=card__reviews>{at}2</span>",
        "<span class='box rating-4-5'></span><span class=count>({at}2)</span>",
    ];
    for shape in shapes {
        let read = rows(&list(|name, at| {
            let rating = shape.replace("{at}", &at.to_string());
            format!("<h3><a href='/p/{at}'>{name}</a></h3><b>$1{at}.00</b><div>{rating}</div>")
        }));
        let first = read.first().expect(shape);
        let read = [&first.rating, &first.review_count].map(|it| it.as_ref().and_then(Value::as_f64));
        assert_eq!(read, [Some(4.5), Some(12.0)], "{shape}");
    }
}

#[test]
fn a_title_has_no_words_for_screen_readers() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/p/{at}'>{name}<span class=sr-only> already viewed</span></a></h3><b>$1{at}.00</b>"
        )
    }));
    let titles: Vec<_> = read.iter().filter_map(|row| row.title.as_deref()).collect();
    assert_eq!(titles, ["Oak lamp", "Pine shelf", "Birch stool", "Larch desk"]);
}

#[test]
fn an_entry_may_be_a_form_and_what_it_says_of_its_price_describes_nothing() {
    let read = rows(&list(|name, at| {
        format!(
            "<form action=/cart method=post><h2><a href='/p/{at}'>{name}</a></h2><ul><li><span>Wood:</span> W{at}</li>\
             <li><span>Weight:</span> {at} kg</li></ul><div class=price>{at}99 €</div><p>or 24 × {at},50 € a month</p>\
             <button>Buy</button></form>"
        )
    }));
    assert_eq!(read.len(), 4, "{read:?}");
    assert_eq!(read[1].facts.get("Wood").and_then(Value::as_str), Some("W2"));
    assert_eq!(read[1].facts.get("Weight").and_then(Value::as_str), Some("2 kg"));
    assert!(read.iter().all(|row| row.description.is_none()), "{read:?}");
}

#[test]
fn a_fee_for_some_is_no_price_and_what_is_almost_sold_out_can_be_had() {
    let read = rows(&list(|name, at| {
        let state = if at == 2 { "fast ausgebucht" } else { "ausgebucht" };
        format!(
            "<h3><a href='/k/{at}'>{name}</a></h3><p>Mo, 1{at}.09.2026</p><p><span>{at}98,00 €</span><br><small>erm. {at}74,00 €</small></p><p>{state}</p>"
        )
    }));
    assert_eq!(prices(&read[1]), [Some(298.0), None, None, None]);
    assert_ne!(read[1].availability.as_deref(), Some("OutOfStock"));
    assert_eq!(read[2].availability.as_deref(), Some("OutOfStock"));
}

#[test]
fn the_scale_of_ten_is_no_part_of_the_count_of_reviews() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/h/{at}'>{name}</a></h3><dl><dt>Guests</dt><dd><b>8,{at}</b> / 10 <span>{at}18 opinii</span></dd></dl><b>{at}20 zł</b>"
        )
    }));
    let counts: Vec<Option<u64>> = read
        .iter()
        .map(|row| row.review_count.as_ref().and_then(Value::as_u64))
        .collect();
    assert_eq!(counts, [Some(118), Some(218), Some(318), Some(418)], "{read:?}");
}

#[test]
fn a_price_for_a_person_is_the_price_and_free_cancellation_is_none() {
    let read = rows(&list(|name, at| {
        let old = if at.is_multiple_of(2) {
            format!("<del>£3{at}0</del> ")
        } else {
            String::new()
        };
        format!(
            "<h2><a href='/b/{at}'>{name}</a></h2><span class=stars aria-label='4 stars'>★★★★</span><p class=ok>Free cancellation</p>
            <div><div><b>8.{at}</b>/10 <small>(1,20{at} reviews)</small></div><p class=price>{old}<b>from £2{at}5</b><small> per person</small></p></div>"
        )
    }));
    let old = [None, Some(320.0), None, Some(340.0)];
    for ((row, old), at) in read.iter().zip(old).zip(1..) {
        let now = 205.0 + 10.0 * f64::from(at);
        assert_eq!(prices(row), [Some(now), old, None, None], "{row:?}");
        assert_eq!(row.rating, Some(json!(8.0 + f64::from(at) / 10.0)), "{row:?}");
    }
    let without = rows(&list(|name, at| {
        let price = if at == 1 {
            String::new()
        } else {
            format!("<p class=price>£{at}5</p>")
        };
        format!("<h2><a href='/b/{at}'>{name}</a></h2><p>Free cancellation</p>{price}")
    }));
    assert_eq!(prices(&without[0]), [None; 4], "{without:?}");
}

#[test]
fn stars_of_hotels_are_no_ratings_where_others_spell_theirs_out() {
    let read = rows(&list(|name, at| {
        let stars = "<span class=gwiazdki title='4 gwiazdki'>****</span>";
        let rating = match at {
            2 => "<span class=rating>5/5</span>".to_owned(),
            3 => stars.to_owned(),
            _ => format!("{stars}<span>4,{at}/5</span> <span>(51{at} opinii)</span>"),
        };
        format!("<h3><a href='/w/{at}'>{name}</a></h3>{rating}<p><b>od {at} 590 zł</b> / os.</p>")
    }));
    let ratings: Vec<Option<f64>> = read
        .iter()
        .map(|row| row.rating.as_ref().and_then(Value::as_f64))
        .collect();
    assert_eq!(ratings, [Some(4.1), Some(5.0), None, Some(4.4)]);
    assert_eq!(prices(&read[2]), [Some(3590.0), None, None, None]);
}

#[test]
fn the_score_before_the_number_of_reviews_stands_before_the_stars_of_the_hotel() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/h/{at}'>{name}</a></h3><span role=img aria-label='4 stars'></span>
            <p>Very good <b>8.{at}</b> <small>1,28{at} reviews</small></p><p class=price>£{at}48</p>"
        )
    }));
    let ratings: Vec<Option<f64>> = read
        .iter()
        .map(|row| row.rating.as_ref().and_then(Value::as_f64))
        .collect();
    assert_eq!(ratings, [Some(8.1), Some(8.2), Some(8.3), Some(8.4)]);
}

#[test]
fn a_rent_without_a_service_charge_is_a_rent_among_others() {
    let read = rows(&list(|name, at| {
        let charge = if at == 3 {
            "service charge included".to_owned()
        } else {
            format!("+ £{at}0 service charge")
        };
        format!(
            "<h3><a href='/f/{at}'>{name}</a></h3><p><strong>£9{at}0</strong> /month<br><small>{charge}</small></p>"
        )
    }));
    let found: Vec<_> = read.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(found, [910.0, 920.0, 930.0, 940.0].map(Some));
}

#[test]
fn the_end_of_a_title_and_a_number_before_it_say_nothing_of_the_price() {
    let names = [
        "Case for iPhone 11",
        "Case for iPhone X",
        "Travel SIM DE",
        "Case for iPhone SE",
    ];
    let read = rows(&list(|_, at| {
        let name = names[usize::try_from(at - 1).unwrap()];
        format!("<h3><a href='/c/{at}'>{name}</a></h3><p>Sleeps {at}</p><p class=price>€1{at}.00</p>")
    }));
    let found: Vec<_> = read.iter().map(prices).collect();
    assert_eq!(
        found,
        [11.0, 12.0, 13.0, 14.0].map(|price| [Some(price), None, None, None])
    );
    let beds = rows(&list(|name, at| {
        format!("<h3><a href='/r/{at}'>{name}</a></h3><p>Sleeps {at}</p><p>€9{at}</p>")
    }));
    let found: Vec<_> = beds.iter().map(prices).collect();
    assert_eq!(
        found,
        [91.0, 92.0, 93.0, 94.0].map(|price| [Some(price), None, None, None])
    );
}

#[test]
fn the_class_of_a_hotel_is_no_rating() {
    let read = rows(&list(|name, at| {
        let score = if at == 2 {
            String::new()
        } else {
            format!("<div>Superb</div><div>1,54{at} reviews</div><div>9.{at}</div>")
        };
        format!(
            "<h3><a href='/h/{at}'>{name}</a></h3><span title='5-star hotel'>★★★★★</span>{score}<p class=price>€{at}48</p>"
        )
    }));
    let ratings: Vec<Option<f64>> = read
        .iter()
        .map(|row| row.rating.as_ref().and_then(Value::as_f64))
        .collect();
    assert_eq!(ratings, [Some(9.1), None, Some(9.3), Some(9.4)]);
}

#[test]
fn words_that_join_and_words_of_actions_are_no_labels() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/w/{at}'>{name}</a></h3><a href='tel:030 1{at}'>030 1{at}</a><p>Frame: oak {at}</p><p class=price>£{at}49</p>
            <p>or <b>£{at}4.96</b> a month for 10 months</p><div><span>9.{at}</span><span>Compare</span></div>"
        )
    }));
    for (row, at) in read.iter().zip(1..) {
        let labels: Vec<&String> = row.facts.keys().collect();
        assert_eq!(labels, ["Frame"], "{row:?}");
        assert_eq!(
            row.url.as_deref(),
            Some(format!("https://shop.example/w/{at}").as_str())
        );
    }
}

#[test]
fn a_number_behind_a_fraction_counts_reviews_only_where_the_fraction_is_the_rating() {
    let count = |text: &str, rating: f64| drawn_stars::count_behind(text, Some(&Value::from(rating)));
    assert_eq!(count("Lamp 4.5/5 (1,204)", 4.5).as_deref(), Some("1204"));
    assert_eq!(count("Lamp 4,5 / 5 (12)", 4.5).as_deref(), Some("12"));
    assert_eq!(count("Alien 9/10 (1979)", 9.0), None);
    assert_eq!(count("Lesson 3/10 (45)", 4.0), None);
}

#[test]
fn who_began_a_thread_is_its_author_and_not_who_wrote_last() {
    let thread = |at: usize, first: &str, last: &str| {
        format!(
            "<tr><td class=DiscussionName><a href='/d/{at}'>Thread number {at} about growing things</a></td>\
             <td class='User FirstUser'><a class=UserLink href='/profile/{first}'>{first}</a> <time datetime='2015-02-0{at}'>Feb {at}</time></td>\
             <td class='User LastUser'><a href='/profile/{last}'><img src='/p/{last}.jpg' alt='{last}'></a>\
             <a class=UserLink href='/profile/{last}'>{last}</a> <time datetime='2016-03-0{at}'>Mar {at}</time></td></tr>"
        )
    };
    let threads = [
        thread(1, "Tom", "Winter"),
        thread(2, "Anna", "Tom"),
        thread(3, "Bert", "Cleo"),
        thread(4, "Dora", "Winter"),
        thread(5, "Emil", "Anna"),
    ];
    let rows = rows(&format!("<h1>Threads</h1><table>{}</table>", threads.concat()));
    // Nothing says of who began one that it is a person, and who wrote last is not the author.
    let authors: Vec<_> = rows.iter().map(|row| row.author.as_deref()).collect();
    assert_eq!(authors, [None; 5]);
}

#[test]
fn the_only_card_of_a_list_is_its_entry_and_not_the_parts_that_it_has() {
    let card = "<div class=card><a href='/item/1'><h3>Kettle Oslo</h3></a><span class=price>12.50 EUR</span><span class=st>In stock</span></div>";
    let html = format!("<main><h1>Brass shop</h1><p>1 products</p><div class=list>{card}</div></main>");
    let page = Page::new(html, "https://shop.example/search?q=kettle".parse().ok());
    let view = VisiblePage::of(&page);
    for rows in [read(&view), products(&view)] {
        let named: Vec<_> = rows
            .iter()
            .map(|row| (row.title.as_deref(), row.price.clone()))
            .collect();
        assert_eq!(
            named,
            [(Some("Kettle Oslo"), Some(Value::from(12.5)))],
            "{rows:?}"
        );
        assert_eq!(rows[0].availability.as_deref(), Some("InStock"));
    }
}

#[test]
fn entries_of_a_calendar_stand_below_their_days() {
    let entry = |at: u32| {
        format!(
            "<li class=event><div>{at}pm – 9pm</div><div><h3><a href='/e/{at}'>Event number {at}</a></h3><p>In the hall</p></div></li>"
        )
    };
    let days = [
        ("Thursday 20 November 2025", 1..3),
        ("Friday 21 November 2025", 3..6),
        ("Saturday 22 November 2025", 6..9),
    ];
    let html: String = days
        .into_iter()
        .map(|(day, events)| {
            format!(
                "<h2 class=day>{day}</h2><ul class=list>{}</ul>",
                events.map(entry).collect::<String>()
            )
        })
        .collect();
    let read = rows(&format!("<h1>What is on</h1>{html}"));
    let days: Vec<_> = read
        .iter()
        .map(|row| (row.title.as_deref(), row.date.as_deref()))
        .collect();
    assert_eq!(days.len(), 8, "{read:?}");
    assert_eq!(days[0], (Some("Event number 1"), Some("2025-11-20")));
    assert_eq!(days[4], (Some("Event number 5"), Some("2025-11-21")));
    assert_eq!(days[7], (Some("Event number 8"), Some("2025-11-22")));
}

#[test]
fn the_fee_and_the_deposit_of_a_flat_are_not_its_rent() {
    let read = rows(&list(|name, at| {
        format!(
            "<h2><a href='/o/{at}'>{name}</a></h2><p><b>{at} 600 zł</b> / mies.</p>\
             <dl><dt>Czynsz</dt><dd>{at}80 zł</dd><dt>Kaucja</dt><dd>{at} 000 zł</dd></dl>"
        )
    }));
    let rents: Vec<_> = read.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(rents, [1600.0, 2600.0, 3600.0, 4600.0].map(Some), "{read:?}");
    let fee = read[1].facts.get("Czynsz").and_then(Value::as_str);
    assert_eq!(fee, Some("280 zł"));
}

#[test]
fn an_icon_in_a_link_names_what_is_counted() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/r/{at}'>{name}</a></h3><p><a href='/r/{at}/stars'><svg aria-label=star><path d=M1/></svg> {at}.4k</a></p>"
        )
    }));
    let stars: Vec<_> = read
        .iter()
        .map(|row| row.facts.get("star").and_then(Value::as_str))
        .collect();
    assert_eq!(stars, [Some("1.4k"), Some("2.4k"), Some("3.4k"), Some("4.4k")]);
}

#[test]
fn a_short_heading_of_a_column_is_named_in_full() {
    let row = |at: u32| format!("<tr><td>{at}<th><a href='/c/{at}'>Club {at}</a><td>{at}2<td>+{at}<td>Good");
    let body: String = (1..6).map(row).collect();
    let head = "<tr><th><abbr title=Position>Pos</abbr><th>Club<th><abbr title='Goals for'>F</abbr><th title='Goal difference'>GD<th>State";
    let read = rows(&format!(
        "<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    ));
    let labels: Vec<_> = read[1].facts.keys().map(String::as_str).collect();
    assert_eq!(read.len(), 5);
    assert_eq!(
        read[1].facts.get("Goals for").and_then(Value::as_str),
        Some("22"),
        "{labels:?}"
    );
    assert_eq!(
        read[1].facts.get("Goal difference").and_then(Value::as_str),
        Some("+2"),
        "{labels:?}"
    );
}

#[test]
fn a_size_that_is_struck_through_is_not_offered() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/s/{at}'>{name}</a></h3><b>4{at} €</b><div><span>Sizes:</span><ul><li>3{at}</li><li class=off><s>4{at}</s></li>\
             <li aria-disabled=true>5{at}</li><li>6{at}</li></ul></div>"
        )
    }));
    let sizes: Vec<_> = read
        .iter()
        .map(|row| row.facts.get("Sizes").and_then(Value::as_str))
        .collect();
    assert_eq!(
        sizes,
        [Some("31 61"), Some("32 62"), Some("33 63"), Some("34 64")],
        "{read:?}"
    );
}

#[test]
fn filters_beside_a_list_head_no_part_of_it() {
    let cards = |range: std::ops::Range<u32>| -> String {
        range.map(|at| format!("<li class=card><h3><a href='/h/{at}'>Hotel {at}</a></h3><p>Room {at} with a view of the sea</p></li>")).collect()
    };
    let filters = "<div class=side><h2>Filter</h2><ul><li>Breakfast is included</li><li>Parking at the house</li><li>Pets are allowed</li>\
                   <li>Pool and sauna for all guests</li></ul></div>";
    let html = format!(
        "<div class=layout>{filters}<ul class=list>{}<li class=promo><h3>Members save more</h3></li>{}</ul></div>",
        cards(1..5),
        cards(5..9)
    );
    let sections: Vec<_> = rows(&html).into_iter().filter_map(|row| row.section).collect();
    assert_eq!(sections, Vec::<String>::new());
}

#[test]
fn the_fares_of_two_classes_are_no_old_and_new_price() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/b/{at}'>{name}</a></h3><div class=fares><div><span>2nd class</span><span>€7{at}.90</span></div>\
             <div><span>1st class</span><span>€11{at}.90</span></div></div>"
        )
    }));
    assert_eq!(prices(&read[1])[..2], [Some(72.9), None], "{read:?}");
}

#[test]
fn the_price_of_a_table_is_that_of_one_column() {
    let tariff = |at: u32| {
        let bonus = if at.is_multiple_of(2) {
            format!("{at}0 €")
        } else {
            "–".to_owned()
        };
        format!("<tr><td><a href='/t/{at}'>Tariff {at}</a><td>{bonus}<td>9{at}1,50 €")
    };
    let body: String = (1..7).map(tariff).collect();
    let read = rows(&format!(
        "<table><thead><tr><th>Name<th>Bonus<th>Total of a year</thead><tbody>{body}</tbody></table>"
    ));
    let prices: Vec<_> = read.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(
        prices,
        [911.5, 921.5, 931.5, 941.5, 951.5, 961.5].map(Some),
        "{read:?}"
    );
}

#[test]
fn the_revenue_of_a_headline_is_no_price() {
    let read = rows(&list(|name, at| {
        format!(
            "<h3><a href='/n/{at}'>{name}: revenue of the third quarter up {at} % to £3{at}.2 million</a></h3><p>Read what we said about it</p>"
        )
    }));
    assert_eq!(prices(&read[1]), [None; 4], "{read:?}");
}

#[test]
fn a_reduced_price_of_a_pack_is_what_one_pays() {
    let read = rows(&list(|name, at| {
        let price = match at {
            2 => "<del>£14.00</del> <ins>£11.90</ins>".to_owned(),
            _ => format!("£{at}9.50"),
        };
        format!("<h3><a href='/c/{at}'>{name}</a></h3><p class=pr>{price} / 250 g</p>")
    }));
    let paid: Vec<_> = read.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(paid, [19.5, 11.9, 39.5, 49.5].map(Some), "{read:?}");
    assert_eq!(prices(&read[1])[1], Some(14.0));
}

#[test]
fn lines_of_a_list_of_prices_are_entries_and_lines_of_features_are_none() {
    let menu = |course: &str, dishes: [(&str, u32); 2]| {
        let rows: String = dishes
            .iter()
            .map(|(dish, price)| format!("<tr><td>{dish}</td><td>{price},50 €</td></tr>"))
            .collect();
        format!("<h3>{course}</h3><table>{rows}</table>")
    };
    let courses = [
        menu("Starters", [("Pea soup", 6), ("Beetroot salad", 7)]),
        menu("Mains", [("Roast lamb", 21), ("Mushroom risotto", 16)]),
        menu("Puddings", [("Apple tart", 8), ("Rice pudding", 5)]),
    ];
    let read = rows(&format!("<h1>Menu</h1><div>{}</div>", courses.concat()));
    let dishes: Vec<_> = read
        .iter()
        .map(|row| {
            (
                row.title.as_deref().unwrap_or_default(),
                prices(row)[0],
                row.section.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        dishes,
        [
            ("Pea soup", Some(6.5), Some("Starters")),
            ("Beetroot salad", Some(7.5), Some("Starters")),
            ("Roast lamb", Some(21.5), Some("Mains")),
            ("Mushroom risotto", Some(16.5), Some("Mains")),
            ("Apple tart", Some(8.5), Some("Puddings")),
            ("Rice pudding", Some(5.5), Some("Puddings")),
        ]
    );
    let card = |name: &str, at: u32| {
        format!(
            "<div class=card><h3>{name}</h3><dl><dt>Weight of the whole</dt><dd>{at} kg</dd><dt>Price</dt><dd>{at}9 €</dd></dl></div>"
        )
    };
    let cards = [
        card("Lamp", 1),
        card("Stool", 2),
        card("Desk", 3),
        card("Shelf", 4),
    ]
    .concat();
    let titles: Vec<_> = rows(&format!("<h1>Things</h1>{cards}"))
        .into_iter()
        .filter_map(|row| row.title)
        .collect();
    assert_eq!(titles, ["Lamp", "Stool", "Desk", "Shelf"]);
}

#[test]
fn terms_with_prices_under_headings_are_entries() {
    let part = |name: &str, lines: &[(&str, u32)]| {
        let lines: String = lines
            .iter()
            .map(|(what, price)| format!("<dt>{what}</dt><dd>od {price} zł</dd>"))
            .collect();
        format!("<section><h2>{name}</h2><dl>{lines}</dl></section>")
    };
    let parts = [
        part("Włosy", &[("Strzyżenie damskie", 90), ("Strzyżenie męskie", 50)]),
        part(
            "Paznokcie",
            &[("Manicure klasyczny", 60), ("Manicure hybrydowy", 95)],
        ),
        part("Masaże", &[("Masaż pleców", 80), ("Masaż całego ciała", 160)]),
    ];
    let read = rows(&format!("<h1>Cennik</h1>{}", parts.concat()));
    let paid: Vec<_> = read
        .iter()
        .map(|row| (row.title.as_deref().unwrap_or_default(), prices(row)[0]))
        .collect();
    assert_eq!(
        paid,
        [
            ("Strzyżenie damskie", Some(90.0)),
            ("Strzyżenie męskie", Some(50.0)),
            ("Manicure klasyczny", Some(60.0)),
            ("Manicure hybrydowy", Some(95.0)),
            ("Masaż pleców", Some(80.0)),
            ("Masaż całego ciała", Some(160.0)),
        ]
    );
}

#[test]
fn an_offer_for_several_is_no_old_price() {
    let read = rows(&list(|name, at| {
        format!(
            "<div><h3><a href='/g/{at}'>{name}</a></h3><a href='/g/{at}#r'>(1,12{at})</a><p>Any 2 for £4.{at}0</p></div>\
             <div><p>£2.{at}0</p><p>£3.3{at}/kg</p></div>"
        )
    }));
    assert_eq!(prices(&read[0]), [Some(2.1), None, None, Some(3.31)], "{read:?}");
}

#[test]
fn a_struck_price_is_no_part_of_the_one_beside_it() {
    for line in [
        "<s>70</s> 5{at} €",
        "<s>70</s>5{at} €",
        "<del>70</del> <ins>€5{at}</ins>",
        "<del>£70</del> 5{at}",
        "<span class=old>70</span><span class=new>5{at} €</span>",
    ] {
        let read = rows(&list(|name, at| {
            let price = line.replace("{at}", &at.to_string());
            format!("<a href='/p/{at}'><h2>{name}</h2></a><p class=price>{price}</p>")
        }));
        let found: Vec<_> = read.iter().map(|row| prices(row)[0]).collect();
        assert_eq!(found, [51.0, 52.0, 53.0, 54.0].map(Some), "{line}");
    }
}

#[test]
fn what_delivery_costs_is_no_price_of_what_is_sold() {
    let read = rows(&list(|name, at| {
        let price = if at == 2 {
            "verkauft".to_owned()
        } else {
            format!("1{at},50 €")
        };
        format!(
            "<h3><a href='/p/{at}'>{name}</a></h3><dl><dt>Preis</dt><dd>{price}</dd><dt>Versand</dt><dd>zzgl. 2,80 €</dd></dl>"
        )
    }));
    let prices: Vec<Option<f64>> = read.iter().map(|row| prices(row)[0]).collect();
    assert_eq!(prices, [Some(11.5), None, Some(13.5), Some(14.5)]);
}

#[test]
fn the_point_of_a_price_in_markup_is_the_decimal_one() {
    let product = |(at, price): (usize, &str)| {
        format!(
            "{{\"@type\":\"Product\",\"name\":\"Chair number {at}\",\"url\":\"https://list.example/p/{at}\",\
             \"offers\":{{\"@type\":\"Offer\",\"price\":\"{price}\",\"priceCurrency\":\"KWD\"}}}}"
        )
    };
    let graph: Vec<String> = ["1.500", "12.750", "3.999"]
        .into_iter()
        .enumerate()
        .map(product)
        .collect();
    let cards: String = (0..3)
        .map(|at| {
            format!("<li><h3><a href=/p/{at}>Chair number {at}</a></h3><p>Comes in four colours</p></li>")
        })
        .collect();
    let read = rows(&format!(
        "<script type='application/ld+json'>{{\"@context\":\"https://schema.org\",\"@graph\":[{}]}}</script>\
         <h1>Chairs</h1><main><ul>{cards}</ul></main>",
        graph.join(",")
    ));
    let prices: Vec<Option<f64>> = read.iter().map(|row| row.price.as_ref()?.as_f64()).collect();
    assert_eq!(prices, [Some(1.5), Some(12.75), Some(3.999)]);
}

#[test]
fn how_many_were_sold_says_nothing_of_stock() {
    let read = rows(&list(|_, at| match at {
        1 => "<p>£19.00</p><p>In stock</p>".to_owned(),
        2 => "<p>£29.00</p><p><b>1,204</b> <span>sold</span></p>".to_owned(),
        3 => "<p>£39.00</p><p>30+ <span>sold</span></p>".to_owned(),
        _ => "<p>£49.00</p><p><span>Sold</span></p>".to_owned(),
    }));
    let stock: Vec<Option<&str>> = read.iter().map(|row| row.availability.as_deref()).collect();
    assert_eq!(stock[..4], [Some("InStock"), None, None, Some("OutOfStock")]);
}

#[test]
fn a_company_keeps_the_number_in_its_name_and_loses_its_rating() {
    for (written, name) in [
        ("Forever 21", "Forever 21"),
        ("Studio 54", "Studio 54"),
        ("Acme 4.5", "Acme"),
        ("Acme 4,5 ★ (120)", "Acme"),
        ("Acme ★ 4", "Acme"),
        ("Acme (12)", "Acme"),
        ("Blink-182", "Blink-182"),
    ] {
        assert_eq!(super::without_rating(written), name);
    }
}

#[test]
fn long_days_of_some_entries_leave_the_others_theirs() {
    let days = [
        "Saturday, the 3rd of May 2026, from half past seven in the evening on, doors at six",
        "Sunday 4 May 2026",
        "5 May 2026, 19:30",
        "Tuesday 6 May 2026 from 19:30 to 22:00 in the great hall, with a break of half an hour and drinks, sold out since the 3rd of April",
    ];
    let entries: String = (1..)
        .zip(days)
        .map(|(at, day)| {
            format!(
                "<li><h3><a href=/e/{at}>Evening {at} at the hall</a></h3><span class=date>{day}</span></li>"
            )
        })
        .collect();
    let read = rows(&format!("<h1>Events</h1><ul>{entries}</ul>"));
    let dates: Vec<Option<&str>> = read.iter().map(|row| row.date.as_deref()).collect();
    assert_eq!(dates[1..3], [Some("2026-05-04"), Some("2026-05-05T19:30")]);
}
