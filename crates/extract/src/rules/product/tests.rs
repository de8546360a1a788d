use page::Page;

use super::*;
use crate::rules::entities;

fn product(html: &str, url: &str) -> ProductFacts {
    let page = Page::new(html, url::Url::parse(url).ok());
    let view = VisiblePage::of(&page);
    read(&view, &entities::StructuredData::read(&page).entities())
}

fn value(found: &Option<Sourced<String>>) -> Option<&str> {
    found.as_ref().map(|found| found.value.as_str())
}

const SHOP: &str = "https://shop.example/p/ocean-lamp";

fn jsonld(price: &str) -> String {
    format!(
        r#"<script type="application/ld+json">{{"@type":"Product","name":"Ocean Lamp","sku":"OL-7",
        "brand":{{"@type":"Brand","name":"Acme"}},"aggregateRating":{{"ratingValue":4.5,"reviewCount":"12"}},
        "offers":{{"@type":"Offer","price":"{price}","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}}}</script>"#
    )
}

#[test]
fn the_price_after_instead_of_is_the_old_one() {
    for (line, now, old) in [
        ("Für 9,99 statt 29,99 Euro", "9.99", "29.99"),
        ("19 € statt 25 €", "19", "25"),
        ("Only $20 instead of $30", "20", "30"),
        ("Tylko 20 zł zamiast 30 zł", "20", "30"),
    ] {
        let html = format!("<h1>Ticket</h1><p class=price>{line}</p><button>In den Warenkorb</button>");
        let page = page::Page::new(html, "https://shop.example/p/1".parse().ok());
        let facts = super::read(&VisiblePage::of(&page), &[]);
        let value = |found: Option<Sourced<String>>| found.map(|found| found.value);
        assert_eq!(
            (value(facts.price).as_deref(), value(facts.old_price).as_deref()),
            (Some(now), Some(old)),
            "{line}"
        );
    }
}

#[test]
fn class_names_of_many_languages_tell_the_old_price_from_the_new() {
    for (old, new) in [
        ("was", "now"),
        ("ancien", "actuel"),
        ("ancien-prix", "nouveau-prix"),
        ("antes", "ahora"),
        ("oude-prijs", "nieuwe-prijs"),
        ("alt", "neu"),
        ("alter-preis", "neuer-preis"),
        ("stara-cena", "nowa-cena"),
        ("prezzo-vecchio", "prezzo-nuovo"),
        ("prima", "ora"),
        ("tidigare-pris", "nytt-pris"),
        ("före", "nu"),
    ] {
        let prices = |old: &str, new: &str| {
            let html = format!(
                "<h1>Quern kettle</h1><p class=prix><span class='{old}'>41,50 €</span> <span class='{new}'>32,10 €</span></p>\
                 <button>Buy now</button>"
            );
            let facts = product(&html, SHOP);
            [facts.price, facts.old_price].map(|found| found.map(|found| found.value))
        };
        let both = [Some("32.10".to_owned()), Some("41.50".to_owned())];
        assert_eq!(prices(old, new), both, "{old} {new}");
    }
    let alone = product(
        "<h1>Quern kettle</h1><p><span class=alt>41,50 €</span></p><button>Buy now</button>",
        SHOP,
    );
    assert_eq!(value(&alone.price), Some("41.50"));
}

#[test]
fn a_number_of_a_name_is_no_price_that_one_pays_instead() {
    let prices = |line: &str| {
        let html = format!("<h1>Phone</h1><p class=price>{line}</p><button>In den Warenkorb</button>");
        let page = page::Page::new(html, "https://shop.example/p/1".parse().ok());
        let facts = super::read(&VisiblePage::of(&page), &[]);
        [facts.price, facts.old_price].map(|found| found.map(|found| found.value))
    };
    for line in ["iPhone 15 statt 899 €", "Galaxy S24 128 GB statt 899 €"] {
        let [price, _] = prices(line);
        assert!(price.is_none_or(|price| price == "899"), "{line}");
    }
    for line in [
        "Jetzt nur 15 statt 20 €",
        "15 EUR statt 20 EUR",
        "Ticket 15,00 statt 20,00 €",
    ] {
        let [price, old] = prices(line);
        let of = |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok());
        assert_eq!((of(price), of(old)), (Some(15.0), Some(20.0)), "{line}");
    }
}

#[test]
fn markup_fills_the_product() {
    let got = product(
        &format!("{}<h1>Ocean Lamp</h1><p class=price>49,90 €</p>", jsonld("49.90")),
        SHOP,
    );
    let fields = [
        &got.name,
        &got.price,
        &got.currency,
        &got.availability,
        &got.sku,
        &got.brand,
        &got.rating,
        &got.review_count,
    ];
    let want = [
        "Ocean Lamp",
        "49.90",
        "EUR",
        "InStock",
        "OL-7",
        "Acme",
        "4.5",
        "12",
    ];
    assert_eq!(fields.map(value), want.map(Some));
}

#[test]
fn a_discount_that_markup_does_not_know_is_the_price() {
    let html = format!(
        "{}<h1>Ocean Lamp</h1><div class=price><del>49,90 €</del> <span class=price-now>39,90 €</span></div><button>Add to cart</button>",
        jsonld("49.90")
    );
    let got = product(&html, SHOP);
    assert_eq!(
        (value(&got.price), value(&got.old_price)),
        (Some("39.90"), Some("49.90"))
    );
}

#[test]
fn the_price_is_not_that_of_a_related_product() {
    let related: String = (1..6)
        .map(|n| format!("<li class=tile><a href=/p/{n}>Lamp {n}</a><span class=price>$ {n}.99</span></li>"))
        .collect();
    let html = format!(
        "<ul class=bestsellers>{related}</ul><h1>Ocean Lamp</h1><p>A fine lamp.</p><span class=price>$49.90</span>
         <p>Shipping: $4.99</p><button>Add to cart</button><h2>You may also like</h2><ul>{related}</ul>"
    );
    let got = product(&html, SHOP);
    assert_eq!(
        (value(&got.price), value(&got.currency)),
        (Some("49.90"), Some("USD"))
    );
}

#[test]
fn cents_that_are_only_set_smaller_are_cents() {
    let html = "<h1>Ocean Lamp</h1><div class=price><span>$229<sup>99</sup></span></div>";
    assert_eq!(value(&product(html, SHOP).price), Some("229.99"));
}

#[test]
fn a_dollar_is_that_of_the_country() {
    let html = "<h1>Ocean Lamp</h1><div class=price>$229.99</div>";
    assert_eq!(
        value(&product(html, "https://shop.ca/lamp").currency),
        Some("CAD")
    );
    assert_eq!(
        value(&product(html, "https://shop.com/lamp").currency),
        Some("USD")
    );
}

#[test]
fn sold_out_is_read_in_many_words() {
    for words in [
        "Sold out",
        "Currently unavailable",
        "Ausverkauft",
        "Rupture de stock",
        "Agotado",
        "Нет в наличии",
        "在庫切れ",
    ] {
        let html = format!("<h1>Ocean Lamp</h1><p class=price>5 €</p><p>{words}</p>");
        assert_eq!(
            value(&product(&html, SHOP).availability),
            Some("OutOfStock"),
            "{words}"
        );
    }
    let html = "<h1>Ocean Lamp</h1><p class=price>5 €</p><button disabled>Add to cart</button>";
    assert_eq!(value(&product(html, SHOP).availability), Some("OutOfStock"));
    let html = "<h1>Ocean Lamp</h1><p class=price>5 €</p><button>Add to cart</button><h2>Related products</h2><p>Sold out</p>";
    assert_eq!(
        value(&product(html, SHOP).availability),
        Some("InStock"),
        "the other one is sold out"
    );
}

#[test]
fn a_sku_is_read_behind_its_label_or_in_the_address() {
    for html in [
        "<p>SKU: AB-1234</p>",
        "<p>Item No. AB-1234</p>",
        "<dl><dt>Art.-Nr.</dt><dd>AB-1234</dd></dl>",
        "<p>Артикул: AB-1234</p>",
    ] {
        let html = format!("<h1>Ocean Lamp</h1>{html}");
        assert_eq!(value(&product(&html, SHOP).sku), Some("AB-1234"), "{html}");
    }
    for url in [
        "https://s.example/lamp-48213377.html",
        "https://s.example/lamp?sku=48213377",
        "https://s.example/itm/48213377",
    ] {
        assert_eq!(
            value(&product("<h1>Ocean Lamp</h1>", url).sku),
            Some("48213377"),
            "{url}"
        );
    }
}

#[test]
fn ratings_and_brands_are_read_from_the_visible_page() {
    let html = "<h1>Acme Ocean Lamp</h1><p>4.5 out of 5 stars</p><p>1,234 reviews</p><p>Brand: Acme</p>";
    let got = product(html, SHOP);
    assert_eq!(
        [&got.rating, &got.review_count, &got.brand].map(value),
        ["4.5", "1234", "Acme"].map(Some)
    );
    let page = "<h1>Acme Ocean Lamp</h1><button class='btn btn--variant-brand'>Buy now</button><p>Screen test by a lab: 5 stars</p>";
    let got = product(page, SHOP);
    assert_eq!([&got.rating, &got.brand].map(value), [None, None]);
}

#[test]
fn a_count_of_reviews_may_stand_behind_its_word_or_behind_five_icons() {
    let count = |html: &str| {
        let got = product(&format!("<h1>Acme Ocean Lamp</h1>{html}"), SHOP);
        value(&got.review_count).map(str::to_owned)
    };
    assert_eq!(
        count("<p>4.5/5</p><h3>Reviews (1,204)</h3>").as_deref(),
        Some("1204")
    );
    assert_eq!(count("<p>Bewertungen [12]</p>").as_deref(), Some("12"));
    let icons = |many: usize| {
        let row = "<div><svg></svg></div>".repeat(many);
        format!("<button><div>{row}</div><div><span>25</span></div></button>")
    };
    assert_eq!(count(&icons(5)).as_deref(), Some("25"));
    assert_eq!(count(&icons(4)), None);
    assert_eq!(count("<p>Pack of</p><p>25</p>"), None);
}

#[test]
fn a_page_that_sells_nothing_has_no_product() {
    let got = product(
        "<h1>About us</h1><p>We met in 1999 and have 12 cats.</p>",
        "https://s.example/about",
    );
    assert_eq!((value(&got.price), value(&got.availability)), (None, None));
    assert!(got.evidence < 1.0);
}

#[test]
fn a_doubtful_separator_is_read_as_the_page_writes_its_other_prices() {
    let html = |price: &str| {
        format!(
            "<h1>Regular 87</h1><p class=price>{price}</p><h2>Related products</h2><p>$3.49</p><p>$12.99</p>"
        )
    };
    assert_eq!(value(&product(&html("$3.350"), SHOP).price), Some("3.350"));
    let html = "<h1>Lampe</h1><p class=price>3.350 €</p><h2>Related products</h2><p>12,50 €</p><p>7,99 €</p>";
    assert_eq!(value(&product(html, SHOP).price), Some("3350"));
}

#[test]
fn the_net_price_is_not_the_one_to_pay() {
    let html = "<h1>Lamp</h1><ul><li class=price><span class=price-old>40.00 €</span></li><li class=price-tax>excl. VAT: <span>33.61 €</span></li></ul>";
    assert_eq!(value(&product(html, SHOP).price), Some("40.00"));
}

#[test]
fn a_price_without_its_cents_does_not_contradict_the_markup() {
    let html = format!(
        "{}<h1>Ocean Lamp</h1><div class=price>49 €</div><button>Add to cart</button>",
        jsonld("49.90")
    );
    assert_eq!(value(&product(&html, SHOP).price), Some("49.90"));
}

#[test]
fn embedded_state_is_asked_last() {
    let state = r#"<script id="__NEXT_DATA__" type="application/json">{"props":{"other":{"name":"Red Chair","price":5},
        "product":{"name":"Ocean Lamp","price":49.9,"currency":"EUR","sku":"OL-7","brand":{"name":"Acme"},"stockStatus":"out_of_stock"}}}</script>"#;
    let got = product(
        &format!("<h1>Ocean Lamp</h1>{state}<button>Add to cart</button>"),
        SHOP,
    );
    let fields = [&got.price, &got.currency, &got.sku, &got.brand];
    assert_eq!(fields.map(value), ["49.9", "EUR", "OL-7", "Acme"].map(Some));
    let got = product(
        &format!("<h1>Ocean Lamp</h1><p class=price>39 €</p>{state}<button>Add to cart</button>"),
        SHOP,
    );
    assert_eq!(value(&got.price), Some("39"), "what is shown comes first");
    let html = r#"<h1>Ocean Lamp</h1><script>var a = {Price: "$19.99", name: 'x'}; product_price = "$19.99"</script><button>Add to cart</button>"#;
    assert_eq!(value(&product(html, SHOP).price), Some("19.99"));
}

#[test]
fn cents_in_an_element_of_their_own_belong_to_the_price() {
    for price in [
        "$148<span>02</span>",
        "<span>$148</span><small>02</small>",
        "<span>148</span><span>.02</span> <span>USD</span>",
    ] {
        let html = format!("<h1>Ocean Lamp</h1><div class=price>{price}</div><button>Add to cart</button>");
        let got = product(&html, SHOP);
        assert_eq!(value(&got.price), Some("148.02"), "{price}");
    }
}

#[test]
fn what_is_free_does_not_cost_what_others_cost() {
    let others =
        "<h2>You may also like</h2><ul><li><a href=/b>Font B</a> <span class=price>$19.50</span></li></ul>";
    for price in ["Free", "$0.00", "Gratis"] {
        let html =
            format!("<h1>Ocean Font</h1><p class=price>{price}</p><button>Add to cart</button>{others}");
        let got = product(&html, SHOP);
        let amount = value(&got.price).map(|amount| amount.trim_end_matches(['0', '.']).len());
        assert_eq!(amount, Some(0), "{price}: {:?}", got.price);
    }
}

#[test]
fn an_instalment_is_not_the_price() {
    for html in [
        "<p>Cena: 280,00 zł</p><p>10 rat x 28 zł</p>",
        "<p>10 rat x 28 zł</p><p>Cena: 280,00 zł</p>",
    ] {
        let got = product(
            &format!("<h1>Lampa Ocean</h1>{html}<button>Dodaj do koszyka</button>"),
            SHOP,
        );
        assert_eq!(value(&got.price), Some("280.00"), "{html}");
    }
}

#[test]
fn of_several_variants_the_printed_one_is_meant() {
    let markup = r#"<script type="application/ld+json">{"@type":"Product","name":"Ocean Lamp","offers":[
        {"@type":"Offer","sku":"OL-7-S","price":"39","availability":"OutOfStock"},
        {"@type":"Offer","sku":"OL-7-L","price":"39","availability":"InStock"}]}</script>"#;
    let got = product(
        &format!("{markup}<h1>Ocean Lamp</h1><p>39 €</p><p>OL-7-L in blue</p>"),
        SHOP,
    );
    assert_eq!(value(&got.sku), Some("OL-7-L"));
    assert_eq!(
        value(&got.availability),
        Some("InStock"),
        "any variant that can be bought"
    );
}

#[test]
fn a_number_is_read_from_an_attribute_when_nothing_else_states_one() {
    let html = "<h1>Ocean Lamp</h1><p class=price>39 €</p><form data-product-sku=OL-7781><button>Buy now</button></form>";
    assert_eq!(value(&product(html, SHOP).sku), Some("OL-7781"));
    let two = format!("{html}<ul><li data-sku=XX-1>B</li><li data-sku=XX-2>C</li></ul>");
    assert_eq!(value(&product(&two, SHOP).sku), None);
}

#[test]
fn the_first_token_with_a_digit_is_the_number() {
    let html = "<h1>Ocean Lamp</h1><dl><dt>SKU</dt><dd>Ocean OL-7781 (new)</dd></dl>";
    assert_eq!(value(&product(html, SHOP).sku), Some("OL-7781"));
}

#[test]
fn a_price_near_the_heading_and_a_button_make_a_detail_page() {
    let others: String = (0..12)
        .map(|at| format!("<li><a href=/{at}>Lamp {at}</a><span class=cost>{at}9 €</span><button>Add to cart</button></li>"))
        .collect();
    let detail = format!(
        "<h1>Ocean Lamp</h1><img src=o.jpg alt='Ocean Lamp'><p class=price>39,90 €</p><input name=qty><button>Add to cart</button>\
         <p>SKU: OL-7781</p><ul>{others}</ul>"
    );
    let list = format!("<h1>Lamps</h1><ul>{others}</ul>");
    let (detail, list) = (
        product(&detail, SHOP).evidence,
        product(&list, "https://shop.example/lamps").evidence,
    );
    assert!(detail > 0.0 && list < -0.5, "{detail} {list}");
}

#[test]
fn a_number_in_the_address_is_given_as_the_page_prints_it() {
    let html = "<h1>Ocean Hook</h1><p class=price>3 €</p><p>Article 603.471.02</p>";
    let got = product(html, "https://shop.example/p/ocean-hook-60347102/");
    assert_eq!(value(&got.sku), Some("603.471.02"));
}

/// A page whose product has `own` beside its price, and two other products with numbers below it.
fn with_others(own: &str) -> String {
    let others: String = (1..3)
        .map(|at| format!("<div data-sku=Z-{at}><a href=/z{at}>Zed {at}</a> $3.0{at} SKU: Z-{at}</div>"))
        .collect();
    format!(
        "<h1>Ocean Lamp</h1>{own}<p>$25.00</p><button>Add to cart</button><section><h2>You may also like</h2>{others}</section>"
    )
}

#[test]
fn the_number_of_another_product_is_not_that_of_this_one() {
    let sku = |own: &str| value(&product(&with_others(own), SHOP).sku).map(str::to_owned);
    assert_eq!(sku(""), None);
    assert_eq!(sku("<p>Style: KESTREL</p>"), None);
    assert_eq!(sku("<p>Item number: OL-9</p>").as_deref(), Some("OL-9"));
    assert_eq!(
        sku("<form><input type=hidden name=sku value=OL-9></form>").as_deref(),
        Some("OL-9")
    );
    assert_eq!(
        sku(r#"<script>gtag("event","view_item",{"items":[{"item_id":"OL-9"}]})</script>"#).as_deref(),
        Some("OL-9")
    );
}

#[test]
fn an_element_named_after_the_number_holds_it() {
    let html = "<h1>Ocean Lamp</h1><p>$25.00</p><div><span>Article no: <span class=sku>OL-9</span></span><span>Category: <a href=/c>Lamps</a></span></div><button>Add to cart</button>";
    assert_eq!(value(&product(html, SHOP).sku), Some("OL-9"));
    let html =
        "<h1>Ocean Lamp</h1><p>$25.00</p><div class=product-sku>OL-9</div><button>Add to cart</button>";
    assert_eq!(value(&product(html, SHOP).sku), Some("OL-9"));
}

#[test]
fn the_address_names_the_variant_whose_number_scripts_know() {
    let html = r#"<h1>Ocean Lamp</h1><p>$25.00</p><button>Add to cart</button><script>var meta={"product":{"id":1,"variants":[
        {"id":40011,"sku":"OL-RED"},{"id":40012,"sku":"OL-BLUE"}]}}</script>"#;
    let got = product(html, "https://shop.example/products/ocean-lamp?variant=40012");
    assert_eq!(value(&got.sku), Some("OL-BLUE"));
}

#[test]
fn a_button_to_order_ahead_means_that_the_product_is_not_there_yet() {
    let html = "<h1>Ocean Lamp</h1><p>$25.00</p><button>Pre-order now</button>";
    assert_eq!(value(&product(html, SHOP).availability), Some("PreOrder"));
}

#[test]
fn a_price_within_a_price_of_embedded_state_is_read() {
    let html = r#"<h1>Ocean Lamp</h1><button>Add to cart</button><script id="__NEXT_DATA__" type="application/json">{"product":
        {"name":"Ocean Lamp","sku":"OL-9","price":{"current":{"value":24.5,"currency":"USD"}},"inStock":true}}</script>"#;
    let got = product(html, SHOP);
    let fields = [&got.price, &got.currency, &got.sku, &got.availability];
    assert_eq!(fields.map(value), ["24.5", "USD", "OL-9", "InStock"].map(Some));
}

#[test]
fn the_scale_of_a_rating_is_no_rating() {
    let rating = |label: &str| {
        let html = format!(
            "<h1>Ocean Lamp</h1><div class=rating aria-label='{label}'></div><p class=price>49,90 €</p>"
        );
        product(&html, SHOP).rating.map(|found| found.value)
    };
    assert_eq!(rating("Average rating undefined of 5"), None);
    assert_eq!(rating("Average rating 4.5 of 5").as_deref(), Some("4.5"));
}

#[test]
fn names_of_characters_in_markup_are_read_once() {
    let html = r#"<script type="application/ld+json">{"@type":"Product","name":"Caf&eacute; Lamp&reg; &amp;lt;3","description":"Bright &ndash; and warm.",
        "brand":"Salt &amp; Oak","offers":{"price":"30","priceCurrency":"EUR"}}</script><h1>Café Lamp</h1>"#;
    let got = product(html, SHOP);
    assert_eq!(
        [&got.name, &got.description, &got.brand].map(value),
        ["Café Lamp® &lt;3", "Bright – and warm.", "Salt & Oak"].map(Some)
    );
}

#[test]
fn of_several_variants_the_only_one_at_the_price_is_meant_and_no_part_of_a_word_of_the_address() {
    let variants = |prices: [u32; 3]| {
        let variant = |(at, price): (usize, u32)| {
            format!(
                r#"{{"@type":"Product","name":"Ocean Cream","sku":"77410{at}","offers":{{"@type":"Offer","price":"{price}.0","priceCurrency":"EUR"}}}}"#
            )
        };
        let all: Vec<String> = (1..).zip(prices).map(variant).collect();
        let markup = format!(
            r#"{{"@type":"ProductGroup","name":"Ocean Cream","hasVariant":[{}]}}"#,
            all.join(",")
        );
        format!(
            "<script type=application/ld+json>{markup}</script><h1>Ocean Cream</h1><p class=price>{} €</p><button>Add to cart</button>",
            prices[0]
        )
    };
    let sku = |prices, address: &str| {
        let got = product(&variants(prices), &format!("https://shop.example/p/{address}"));
        value(&got.sku).map(str::to_owned)
    };
    assert_eq!(
        sku([40, 60, 20], "ocean-cream-P470507").as_deref(),
        Some("774101")
    );
    assert_eq!(sku([40, 60, 20], "ocean-cream-470507").as_deref(), Some("470507"));
    assert_eq!(
        sku([40, 40, 20], "ocean-cream-P470507").as_deref(),
        Some("470507")
    );
    assert_eq!(sku([40, 60, 20], "ocean-cream").as_deref(), Some("774101"));
}

#[test]
fn the_place_in_a_gallery_is_no_rating() {
    for place in [
        "Image 1 of 5",
        "Page 1 of 5",
        "Bild 1 von 5",
        "zdjęcie 1 z 5",
        "1 of 5 images",
        "Slide: 2/5",
    ] {
        let html = format!(
            "<h1>Ocean Lamp</h1><div class=stars><button aria-label='{place}'></button></div><p>{place}</p><p class=price>49,90 €</p>"
        );
        assert_eq!(value(&product(&html, SHOP).rating), None, "{place}");
        let html = format!("<h1>Ocean Lamp</h1><p>{place}. Rated 4.5 out of 5</p>");
        assert_eq!(value(&product(&html, SHOP).rating), Some("4.5"), "{place}");
    }
}

#[test]
fn an_average_that_is_shown_exactly_stands_before_its_rounding() {
    let rating = |stated: &str, shown: &str| {
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"Product","name":"Ocean Lamp","aggregateRating":{{"ratingValue":{stated},
            "reviewCount":18}},"offers":{{"price":"30","priceCurrency":"EUR"}}}}</script><h1>Ocean Lamp</h1><p>30 €</p>
            <button>Add to cart</button><h2>Related products</h2><p>Sea Lamp</p><h2>Reviews</h2>{shown}"#
        );
        value(&product(&html, SHOP).rating).map(str::to_owned)
    };
    let shown = "<h3>4.9</h3><p>18 Reviews</p>";
    assert_eq!(rating("5", shown).as_deref(), Some("4.9"));
    let label = "<h3 aria-label='Rated 4.9 out of 5 stars based on 18 reviews'></h3>";
    assert_eq!(rating("5", label).as_deref(), Some("4.9"));
    for (stated, shown) in [
        ("4", shown),
        ("4.8", shown),
        ("5", "<h3>4.9</h3><p>31 Reviews</p>"),
        ("5", "<p>4.9 out of 5 stars</p>"),
    ] {
        assert_eq!(rating(stated, shown).as_deref(), Some(stated), "{shown}");
    }
}

#[test]
fn what_is_free_has_the_currency_of_its_markup() {
    let html = r#"<div itemscope itemtype="http://schema.org/Product"><h1 itemprop=name>Ocean Game</h1>
        <div itemprop=offers itemscope itemtype="http://schema.org/Offer"><meta itemprop=priceCurrency content=EUR><meta itemprop=price content="0,00"></div>
        <p class=price>Free to Play</p><button>Play Game</button></div>"#;
    let got = product(html, SHOP);
    assert_eq!([&got.price, &got.currency].map(value), ["0", "EUR"].map(Some));
}

#[test]
fn a_brand_may_stand_elsewhere_in_the_markup() {
    let brand = |properties: &str| {
        let html = format!(
            r##"<script type="application/ld+json">{{"@type":"Organization","@id":"#maker","name":"Acme"}}</script>
            <script type="application/ld+json">{{"@type":"Product","name":"Ocean Lamp",{properties},"offers":{{"price":"30"}}}}</script><h1>Ocean Lamp</h1>"##
        );
        value(&product(&html, SHOP).brand).map(str::to_owned)
    };
    assert_eq!(brand(r##""brand":{"@id":"#maker"}"##).as_deref(), Some("Acme"));
    assert_eq!(
        brand(r##""brand":{"@id":"#unknown"},"manufacturer":{"@id":"#maker"}"##).as_deref(),
        Some("Acme")
    );
    assert_eq!(brand(r##""brand":{"@id":"#unknown"}"##), None);
}

#[test]
fn ratings_are_read_in_many_languages() {
    for (line, rating, count) in [
        ("Valutazione media: 3,8 su 5 – 42 recensioni", "3.8", "42"),
        ("Beoordeling 8,9/10 (56 reviews)", "8.9", "56"),
        ("評価：★4.5（レビュー38件）", "4.5", "38"),
        ("التقييم: 4.6 من 5 (89 تقييم)", "4.6", "89"),
        ("Betyg 4,6 av 5 (71 omdömen)", "4.6", "71"),
        ("Note : 4,8/5 (215 votes)", "4.8", "215"),
    ] {
        let facts = product(
            &format!("<h1>Quern kettle</h1><p>{line}</p><p class=price>12,00 €</p><button>Buy now</button>"),
            SHOP,
        );
        assert_eq!(
            (value(&facts.rating), value(&facts.review_count)),
            (Some(rating), Some(count)),
            "{line}"
        );
        let best = (rating == "8.9").then_some("10");
        assert_eq!(value(&facts.best_rating), best, "{line}");
    }
}

#[test]
fn the_stars_of_single_opinions_are_no_average() {
    let rating = |opinions: &str| {
        let html =
            format!("<h1>Ocean Lamp</h1><p class=price>49,90 €</p><button>Add to cart</button>{opinions}");
        value(&product(&html, SHOP).rating).map(str::to_owned)
    };
    let several = "<h2>Reviews</h2><div><b>P. Nolan</b> 3 September 2026 <span class=rating>5/5</span><p>Solid.</p></div>\
                   <div><b>S. Iqbal</b> 19 October 2026 <span class=rating>3/5</span><p>Nice.</p></div>";
    assert_eq!(rating(several), None);
    let one = "<h2>Customer reviews</h2><p>P. Nolan, 3 September 2026: 5/5</p><p>Solid.</p>";
    assert_eq!(rating(one), None);
    let average = "<h2>Reviews</h2><p>Average rating: 5 out of 5</p><p>Solid.</p>";
    assert_eq!(rating(average).as_deref(), Some("5"));
    let counted = format!(
        "<h2>Reviews</h2><p>4 out of 5 stars</p><p>2 reviews</p><p>Write one</p><p>Sort by date</p>{several}"
    );
    assert_eq!(rating(&counted).as_deref(), Some("4"));
}

#[test]
fn a_struck_price_is_no_part_of_the_one_beside_it() {
    for (line, now, old) in [
        ("<s>70</s> 55 €", "55", Some("70")),
        ("<s>70</s>55 €", "55", Some("70")),
        ("<s>70</s> 955 €", "955", None),
        ("<s>1 270</s> 955 kr", "955", Some("1270")),
        ("<del>70</del> <ins>€55</ins>", "55", Some("70")),
        ("<del>£70</del> 55", "55", Some("70")),
        ("<span class=old>70</span><span class=new>55 €</span>", "55", None),
        ("<s>70 €</s> 55 €", "55", Some("70")),
    ] {
        let html = format!("<h1>Ticket</h1><p class=price>{line}</p><button>Add to cart</button>");
        let facts = product(&html, SHOP);
        assert_eq!(value(&facts.price), Some(now), "{line}");
        if old.is_some() {
            assert_eq!(value(&facts.old_price), old, "{line}");
        }
    }
}

#[test]
fn the_digits_of_a_count_of_stars_are_no_rating_and_one_out_of_ten_has_its_scale() {
    let shown = |html: &str| {
        let got = product(
            &format!("<h1>Acme Ocean Lamp</h1>{html}<p>A fine lamp of brass.</p>"),
            SHOP,
        );
        let text = |found: &Option<Sourced<String>>| value(found).map(str::to_owned);
        (text(&got.rating), text(&got.best_rating), text(&got.review_count))
    };
    let owned = |text: &str| Some(text.to_owned());
    for html in [
        "<p>1,204 stars</p>",
        "<p>15 stars</p>",
        "<p>120 stars on a site</p>",
        "<p>24.5 stars</p>",
    ] {
        assert_eq!(shown(html).0, None, "{html}");
    }
    for (html, rating, best) in [
        ("<p>4 stars</p>", "4", None),
        ("<p>(4.5 stars)</p>", "4.5", None),
        ("<p>Rated 4 out of 10 by 12 reviews</p>", "4", Some("10")),
        ("<p>4/10</p>", "4", Some("10")),
        ("<p>4/5</p>", "4", None),
        ("<p>Rated 9,1/10 in 20 reviews</p>", "9.1", Some("10")),
        ("<p>Rated 4,1/10 in 20 reviews</p>", "4.1", Some("10")),
        (
            "<div class=rating aria-label='Customer rating' title='4.6 out of 5 stars'></div>",
            "4.6",
            None,
        ),
        (
            "<span class=rating title='4.6 (120 reviews)'></span>",
            "4.6",
            None,
        ),
        (
            "<span class=rating title='Rated 4 out of 10'></span>",
            "4",
            Some("10"),
        ),
    ] {
        assert_eq!(
            (shown(html).0.as_deref(), shown(html).1.as_deref()),
            (Some(rating), best),
            "{html}"
        );
    }
    assert_eq!(shown("<span class=rating title='4 reviews'></span>").0, None);
    for (html, count) in [
        ("<p>★★★★★ 5 128 reviews</p>", "128"),
        ("<p>★★★★☆ 4 128 reviews</p>", "128"),
        ("<p>★★★★☆ 1 204 avis</p>", "1204"),
        ("<p>★★★★★ 5\u{a0}128 avis</p>", "5128"),
        ("<p>★★★★☆ 4\u{202f}210 opinii</p>", "4210"),
        ("<p>5 128 reviews</p>", "5128"),
    ] {
        assert_eq!(shown(html).2, owned(count), "{html}");
    }
}

#[test]
fn a_floor_of_a_house_is_no_rating() {
    for html in [
        "<table><tr><th>Floor</th><td>3/5</td></tr><tr><th>Rooms</th><td>4</td></tr></table>",
        "<dl><dt>Piętro</dt><dd>3/5</dd></dl>",
        "<p>Etage 3/5</p>",
        "<p>Piętro: 3/5</p>",
        "<p>3/5 floors</p>",
    ] {
        let got = product(&format!("<h1>Flat in Leeds</h1>{html}"), SHOP);
        assert_eq!(value(&got.rating), None, "{html}");
    }
    for (html, rating) in [
        ("<p>Piano 4/5 (12 reviews)</p>", "4"),
        ("<p>Great story 5/5 – 12 reviews</p>", "5"),
        ("<p>In stock 4/5</p>", "4"),
    ] {
        let got = product(&format!("<h1>Acme Ocean Lamp</h1>{html}"), SHOP);
        assert_eq!(value(&got.rating), Some(rating), "{html}");
    }
}

#[test]
fn a_brand_keeps_the_words_of_its_name() {
    for (html, brand) in [
        ("<a href=/brand/x>The Body Shop</a>", "The Body Shop"),
        ("<a href=/brand/x>Von Dutch</a>", "Von Dutch"),
        ("<a href=/brand/x>By Malene Birger</a>", "By Malene Birger"),
        ("<a href=/brand/x>Brand Loyal</a>", "Brand Loyal"),
        ("<a href=/brand/x>by Quern</a>", "Quern"),
        ("<a href=/brand/x>Visit the Quern Store</a>", "Quern"),
        ("<a href=/brand/x>Besuche den Quern-Store</a>", "Quern"),
        ("<a href=/brand/x>Brand: Quern</a>", "Quern"),
        ("<div class=brand>By Quern</div>", "Quern"),
        ("<a href=/brand/x>Acme Store</a>", "Acme"),
        ("<a class=brand href=/brands/acme>By Acme</a>", "Acme"),
        ("<a href=/brands/acme>Von Acme</a>", "Acme"),
        ("<a href=/brands/acme>Brand Acme</a>", "Acme"),
    ] {
        let got = product(
            &format!("<title>Acme Ocean Lamp</title><p>{html}</p><h1>Acme Ocean Lamp</h1><p>5 €</p>"),
            SHOP,
        );
        assert_eq!(value(&got.brand), Some(brand), "{html}");
    }
}

#[test]
fn a_number_of_markup_loses_only_the_name_of_its_scheme() {
    let sku = |property: &str, number: &str| {
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"Product","name":"Ocean Lamp","{property}":"{number}"}}</script><h1>Ocean Lamp</h1>"#
        );
        let got = product(&html, "https://shop.example/p/lamp");
        value(&got.sku).map(str::to_owned)
    };
    assert_eq!(sku("sku", "AB:1234").as_deref(), Some("AB:1234"));
    assert_eq!(sku("productID", "mpn:AB-1234").as_deref(), Some("AB-1234"));
    assert_eq!(sku("productID", "AB:1234").as_deref(), Some("AB:1234"));
}

#[test]
fn a_discontinued_variant_does_not_speak_for_those_that_can_be_had() {
    let stock = |all: &[&str]| {
        let offers: Vec<String> = all
            .iter()
            .map(|stock| {
                format!(
                    r#"{{"price":"5","priceCurrency":"EUR","availability":"https://schema.org/{stock}"}}"#
                )
            })
            .collect();
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"Product","name":"Ocean Lamp","offers":[{}]}}</script><h1>Ocean Lamp</h1>"#,
            offers.join(",")
        );
        value(&product(&html, SHOP).availability).map(str::to_owned)
    };
    for (all, want) in [
        (["Discontinued", "InStock"], "InStock"),
        (["PreOrder", "InStock"], "InStock"),
        (["Discontinued", "BackOrder"], "BackOrder"),
        (["OutOfStock", "InStock"], "InStock"),
        (["OutOfStock", "Discontinued"], "OutOfStock"),
        (["Discontinued", "OutOfStock"], "Discontinued"),
    ] {
        assert_eq!(stock(&all).as_deref(), Some(want), "{all:?}");
    }
}

#[test]
fn what_everybody_pays_for_the_whole_is_the_price_and_it_has_its_place() {
    let offer = |specifications: &str| {
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"Product","name":"Ocean Lamp","offers":{{"@type":"Offer","priceSpecification":[{specifications}]}}}}</script>
            <h1>Ocean Lamp</h1>"#
        );
        value(&product(&html, SHOP).price).map(str::to_owned)
    };
    let whole = r#"{"price":45,"priceCurrency":"EUR"}"#;
    for other in [
        r#"{"price":9.9,"referenceQuantity":{"value":1,"unitCode":"KGM"}}"#,
        r#"{"price":40,"validForMemberTier":{"name":"Gold"}}"#,
        r#"{"price":4,"billingDuration":"P1M"}"#,
        r#"{"price":60,"priceType":"https://schema.org/ListPrice"}"#,
    ] {
        assert_eq!(
            offer(&format!("{other},{whole}")).as_deref(),
            Some("45"),
            "{other}"
        );
    }
    let nothing = format!(r#"{{"price":0}},{whole}"#);
    assert_eq!(offer(&nothing).as_deref(), Some("45"));
    assert_eq!(offer(r#"{"price":9.9,"unitCode":"KGM"}"#).as_deref(), Some("9.9"));

    let microdata = "<div itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>Ocean Lamp</h1><div itemprop=offers itemscope
        itemtype='https://schema.org/Offer'><meta itemprop=price content=45><meta itemprop=priceCurrency content=EUR></div></div>";
    let source =
        |found: Option<Sourced<String>>| found.map(|found| serde_json::to_value(found.source).unwrap());
    let got = product(microdata, SHOP);
    assert_eq!(
        source(got.price),
        Some(serde_json::json!({"from": "microdata", "path": "microdata[0].offers.price"}))
    );
    // An offer of nothing is none of goods, and keeps out no offer that stands apart.
    let apart = r#"<script type="application/ld+json">{"@type":"Product","name":"Ocean Lamp","offers":{"price":"0"}}</script>
        <h1>Ocean Lamp</h1><div itemscope itemtype="https://schema.org/Offer"><meta itemprop=price content=20>
        <meta itemprop=priceCurrency content=EUR></div>"#;
    assert_eq!(value(&product(apart, SHOP).price), Some("20"));
    let tags = "<meta property=product:price:amount content=45><meta property=product:price:currency content=EUR><h1>Ocean Lamp</h1>";
    let got = product(tags, SHOP);
    assert_eq!(
        [source(got.price), source(got.currency)],
        ["product:price:amount", "product:price:currency"]
            .map(|name| Some(serde_json::json!({"from": "meta", "name": name})))
    );
}

#[test]
fn a_number_of_a_book_of_ten_digits_is_no_trade_number() {
    let gtin = |isbn: &str| {
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"Book","name":"Ocean Lamp","isbn":"{isbn}"}}</script><h1>Ocean Lamp</h1>"#
        );
        value(&product(&html, SHOP).gtin).map(str::to_owned)
    };
    assert_eq!(gtin("0306406152"), None);
    assert_eq!(gtin("9780306406157").as_deref(), Some("9780306406157"));
}
