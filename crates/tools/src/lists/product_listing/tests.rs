//! Products of pages with structured data, blocks and both.

use super::*;

fn read(html: &str) -> Vec<(String, Option<f64>, Option<String>)> {
    let page = Page::new(html, "https://shop.example/list".parse().ok());
    let products = products(&page, None).unwrap();
    products
        .into_iter()
        .map(|it| (it.name.clone(), it.amount(), it.currency))
        .collect()
}

fn card(name: &str, price: &str) -> String {
    format!("<li class=product><a href='/p/{name}'><h3>{name}</h3></a>{price}<button>Buy</button></li>")
}

#[test]
fn the_price_that_holds_now_is_the_price() {
    for price in [
        "<del>$20.00</del> <b>$12.50</b>",
        "<span class=price-old>$20.00</span><span class=price>$12.50</span>",
        "<span class='was price'>$20.00</span><span class='now price'>$12.50</span>",
        "<p>from <span class=price><s>$20.00</s>$12.50</span></p>",
        "<span class=price>$12.50</span><span>($0.42/Ounce)</span><span class=price-old>$13</span>",
    ] {
        let html: String = ["Lamp one", "Lamp two", "Lamp three"]
            .iter()
            .map(|it| card(it, price))
            .collect();
        let found = read(&format!("<ul>{html}</ul>"));
        assert_eq!(found.len(), 3, "{price}: {found:?}");
        assert!(
            found
                .iter()
                .all(|it| it.1 == Some(12.5) && it.2.as_deref() == Some("USD")),
            "{price}: {found:?}"
        );
    }
}

#[test]
fn a_list_of_one_is_a_list() {
    let found = read(&format!(
        "<ul class=products>{}</ul>",
        card("Only lamp", "<b>19,99 €</b>")
    ));
    assert_eq!(
        found,
        [("Only lamp".to_owned(), Some(19.99), Some("EUR".to_owned()))]
    );
}

#[test]
fn data_of_a_list_that_was_filtered_since_is_not_believed() {
    let data = |name: &str| {
        format!(
            "{{\"@type\":\"Product\",\"name\":\"{name}\",\"offers\":{{\"price\":5,\"priceCurrency\":\"EUR\"}}}}"
        )
    };
    let html = format!(
        "<script type='application/ld+json'>{{\"@context\":\"https://schema.org\",\"@graph\":[{},{}]}}</script><ul>{}</ul>",
        data("Red lamp"),
        data("Blue lamp"),
        card("Blue lamp", "<b>5 €</b>")
    );
    assert_eq!(
        read(&html).iter().map(|it| it.0.as_str()).collect::<Vec<_>>(),
        ["Blue lamp"]
    );
}

#[test]
fn a_page_without_products_has_none() {
    assert!(read("<h1>About us</h1><p>We sold lamps for $5 in 1990.</p><ul><li><a href=/a>Home</a><li><a href=/b>Contact</a></ul>").is_empty());
}

#[test]
fn a_product_page_is_about_its_product_and_not_about_those_beside_it() {
    let html = format!(
        "<meta property=og:type content=product><title>Tower lamp</title><main><h1>Tower lamp</h1><p>SKU: TL-9001</p>\
         <p class=price>$49.50</p><button>Add to cart</button></main><h2>Others bought</h2><ul>{}</ul>",
        ["Red lamp", "Blue lamp", "Green lamp"]
            .map(|it| format!("<li><a href='/p/{it}'><h3>{it}</h3></a><b>$5</b></li>"))
            .concat()
    );
    let found = read(&html);
    assert_eq!(
        found,
        [("Tower lamp".to_owned(), Some(49.5), Some("USD".to_owned()))]
    );
}

#[test]
fn entries_that_lead_to_one_page_of_tickets_are_entries_all_the_same() {
    let entry = |at: u32| {
        format!(
            "<article><h3>Evening {at}</h3><p>Great hall, {at} June</p><b>{at}2 €</b> <a href=/tickets>Tickets</a></article>"
        )
    };
    let entries: String = (1..=5).map(entry).collect();
    let page = Page::new(
        format!("<h1>Programme</h1><div>{entries}</div>"),
        "https://stage.example/".parse().ok(),
    );
    let names: Vec<String> = products(&page, None)
        .unwrap()
        .into_iter()
        .map(|product| product.name)
        .collect();
    assert_eq!(
        names,
        ["Evening 1", "Evening 2", "Evening 3", "Evening 4", "Evening 5"]
    );
}

#[test]
fn sections_of_a_list_are_no_products_of_their_own() {
    let spot = |name: &str, at: u32| {
        format!(
            "<li class=spot><h3>{name}</h3><p>Tidal pool</p><ul><li>1{at}.4 °C</li><li>Parking: {}</li><li>{at} min walk</li></ul>\
             <p>4.{at} out of 5 (4{at} reviews)</p></li>",
            if at.is_multiple_of(4) { "Free" } else { "£3.50" }
        )
    };
    let section = |name: &str, from: u32| {
        let spots = ["Skerry Pool", "Black Dub", "Hag Leap", "Slate Hole"];
        let spots: String = spots
            .iter()
            .zip(from..)
            .map(|(spot_name, at)| spot(&format!("{name} {spot_name}"), at))
            .collect();
        format!("<section><h2>{name}</h2><ul class=spots>{spots}</ul></section>")
    };
    let html = format!(
        "<h1>Swimming spots</h1><main>{}{}{}</main>",
        section("North", 1),
        section("South", 3),
        section("Lakes", 5)
    );
    let page = Page::new(html, "https://swim.example/spots".parse().ok());
    let names: Vec<String> = products(&page, None)
        .unwrap_or_default()
        .into_iter()
        .map(|product| product.name)
        .collect();
    // Few entries name a price, so that these are no products; neither are their sections, or those of one section.
    assert_eq!(names, [""; 0]);
}

#[test]
fn numbers_of_two_elements_are_not_one() {
    let html = "<main><h1>Soups</h1><ul><li><h3><a href=/a>Pea soup</a></h3><span>Serves <b>4</b></span> <span>386 kcal</span> <b>£4.20</b></li>\
                <li><h3><a href=/b>Leek soup</a></h3><span>Serves <b>2</b></span> <span>412 kcal</span> <b>£5.10</b></li>\
                <li><h3><a href=/c>Kale soup</a></h3><span>Serves <b>6</b></span> <span>298 kcal</span> <b>£3.90</b></li></ul></main>";
    let page = Page::new(html.to_owned(), "https://soup.example/".parse().ok());
    let products = products(&page, None).unwrap();
    assert!(products[0].text.contains("4 · 386 kcal"), "{}", products[0].text);
}

#[test]
fn the_one_hit_of_a_search_is_a_list() {
    let html = "<html lang=en><title>Brass shop</title><header><nav><a href=/>Home</a> <a href=/about>About us</a></nav></header><main>\
                <h1>Brass shop</h1><form action=/search><input type=search name=q value=kettle><button>Search</button></form><p>1 products</p>\
                <div class=list><div class=card><a href=/item/1><h3>Kettle Oslo</h3></a><span class=price>12.50 EUR</span>\
                <span class=st>In stock</span></div></div></main><footer>2025 Brass</footer>";
    assert_eq!(
        read(html),
        [("Kettle Oslo".to_owned(), Some(12.5), Some("EUR".to_owned()))]
    );
}

#[test]
fn a_table_of_two_rows_is_a_list() {
    let html = "<title>Bread</title><h1>Bread</h1><table><tr><th>Name<th>Price</tr><tr><td>Rye<td>3.50 EUR</tr><tr><td>Wheat<td>2.80 EUR</tr></table>";
    let names: Vec<(String, Option<f64>)> = read(html)
        .into_iter()
        .map(|(name, price, _)| (name, price))
        .collect();
    assert_eq!(
        names,
        [("Rye".to_owned(), Some(3.5)), ("Wheat".to_owned(), Some(2.8))]
    );
}

#[test]
fn fields_of_a_table_are_kept_as_they_are_written() {
    let facts = |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(label, value)| ((*label).to_owned(), Value::from(*value)));
        card_details::own_fields(&pairs.collect()).collect::<Vec<_>>()
    };
    assert_eq!(
        facts(&[
            ("Currency", "USD"),
            ("Name", "Bo"),
            ("Stock", "12"),
            ("Weight", "1 kg")
        ]),
        [
            ("currency".to_owned(), Value::from("USD")),
            ("stock".to_owned(), Value::from("12"))
        ]
    );
}
