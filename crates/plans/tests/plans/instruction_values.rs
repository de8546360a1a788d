//! How the values of rows are read and compared: thousands, numbers of reviews, names, days, units of measure.

use page::Page;

use super::instruction_lists::{Case, assert_chosen, list};

/// A table whose thousands are set apart by points.
fn old_cars() -> Page {
    let rows = [
        ("VW Golf", "84.500", "12.990"),
        ("BMW 320d", "189.000", "8.900"),
        ("Opel Astra", "9.800", "31.500"),
        ("Fiat 500", "61.200", "6.450"),
    ];
    let row = |(at, (name, distance, price)): (usize, &(&str, &str, &str))| {
        format!("<tr><td><a href='/e/{at}'>{name}</a></td><td>{distance}</td><td>{price}</td></tr>")
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    let html = format!(
        "<!doctype html><html lang=de><title>Gebrauchtwagen</title><body><h1>Gebrauchtwagen</h1>\
         <table><tr><th>Modell</th><th>km</th><th>Preis (€)</th></tr>{rows}</table></body></html>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

#[rustfmt::skip]
fn lamps() -> Page {
    list("en", "Lamps", &[
        ("Arc lamp", "<b>£129.00</b> <span aria-label='4.5 out of 5 stars'>★★★★½</span> (12) <p>In stock</p>"),
        ("Night light 2-pack", "<b>£12.00</b> <span aria-label='3 out of 5 stars'>★★★</span> (1,204) <p>Only 2 left</p>"),
        ("Clip light", "<b>£9.50</b> <span aria-label='5 out of 5 stars'>★★★★★</span> (2) <p>Back in stock 3 May</p>"),
        ("Bulb", "<b>£9.50</b> <span aria-label='4 out of 5 stars'>★★★★</span> (40) <p>In stock</p>"),
    ])
}

#[rustfmt::skip]
fn heaters() -> Page {
    list("en", "Heaters", &[
        ("Oil heater", "<p>1500 W</p><b>€60.00</b>"),
        ("Fan heater", "<p>2500 W</p><b>€40.00</b>"),
        ("Panel heater", "<p>1 kW</p><b>€2100.00</b>"),
    ])
}

#[rustfmt::skip]
fn news() -> Page {
    list("en", "News", &[
        ("Road closed", "<p>By Sam Hill | 03/03/2026</p><p>Council closes Mill Road.</p>"),
        ("New school roof", "<p>By Ana Ruiz | 5 hours ago</p><p>The county pays.</p>"),
        ("Library reopens", "<p>By Li Wei | 31/03/2026</p><p>New hours from May.</p>"),
    ])
}

#[rustfmt::skip]
fn plugins() -> Page {
    list("en", "Plugins", &[
        ("Label printer", "<p>Shipping</p><span class=price>$14/month</span> <span>14-day free trial</span>"),
        ("Cookie notice", "<p>Privacy</p><span class=price>Free</span>"),
        ("Rate finder", "<p>Shipping</p><span class=price>Free</span>"),
        ("Gift wrap", "<p>Checkout</p><span class=price>$4/month</span>"),
    ])
}

#[rustfmt::skip]
fn courses() -> Page {
    list("en", "Courses", &[
        ("Logic", "<span>22 places left</span><dl><dt>Campus</dt><dd>City</dd></dl>"),
        ("Tudor Court", "<span>Full</span><dl><dt>Campus</dt><dd>Old Quad</dd></dl>"),
        ("Databases", "<span>47 places left</span><dl><dt>Campus</dt><dd>Science Park</dd></dl>"),
        ("Money", "<span>9 places left</span><dl><dt>Campus</dt><dd>City</dd></dl>"),
    ])
}

#[rustfmt::skip]
fn flats() -> Page {
    list("pl", "Mieszkania", &[
        ("Kawalerka", "<p><b>400 000 zł</b></p><p>16 000 zł/m²</p>"),
        ("Trzy pokoje", "<p><b>650 000 zł</b></p><p>10 849 zł/m²</p>"),
        ("Cztery pokoje", "<p><b>880 000 zł</b></p><p>11 200 zł/m²</p>"),
        ("Poddasze", "<p><b>520 000 zł</b></p><p>12 000 zł/m²</p>"),
    ])
}

#[rustfmt::skip]
fn servers() -> Page {
    list("en", "Servers", &[
        ("Kestrel", "<dl><dt>Storage</dt><dd>160 GB</dd></dl>"),
        ("Osprey", "<dl><dt>Storage</dt><dd>1 TB</dd></dl>"),
        ("Falcon", "<dl><dt>Storage</dt><dd>80 GB</dd></dl>"),
        ("Merlin", "<dl><dt>Storage</dt><dd>2 TB</dd></dl>"),
    ])
}

#[rustfmt::skip]
fn vans() -> Page {
    list("de", "Wohnmobile", &[
        ("Carado", "<b>39.900 €</b><dl><dt>Erstzulassung</dt><dd>04/2016</dd></dl>"),
        ("Malibu", "<b>59.400 €</b><dl><dt>Erstzulassung</dt><dd>03/2023</dd></dl>"),
        ("Hymer", "<b>44.500 €</b><dl><dt>Erstzulassung</dt><dd>05/2018</dd></dl>"),
        ("Weinsberg", "<b>52.000 €</b><dl><dt>Erstzulassung</dt><dd>06/2021</dd></dl>"),
    ])
}

#[rustfmt::skip]
fn jobs() -> Page {
    list("en", "Jobs", &[
        ("Front-end developer", "<p>Pixelmoor</p><span>Tech</span><p><span>Posted 8 March 2026</span> <span>Apply by 31 March 2026</span></p>"),
        ("DevOps engineer", "<p>Fernbridge</p><span>Tech</span><p><span>Posted 2 March 2026</span> <span>Apply by 16 March 2026</span></p>"),
        ("Bartender", "<p>The Blue Door</p><span>Hospitality</span><p><span>Posted 9 March 2026</span> <span>Apply by 2 April 2026</span></p>"),
        ("Data analyst", "<p>Northlight</p><span>Tech</span><p><span>Posted 5 March 2026</span> <span>Apply by 20 March 2026</span></p>"),
    ])
}

#[rustfmt::skip]
fn gigs() -> Page {
    list("en", "Events", &[
        ("Jazz night", "<p>Town Hall</p><p>Few tickets left</p>"),
        ("Poetry slam", "<p>Old Mill</p><p>Sold out</p>"),
        ("Rock at the lake", "<p>Lake stage</p><p>Cancelled</p>"),
        ("Folk evening", "<p>Town Hall</p><p>Tickets available</p>"),
    ])
}

#[rustfmt::skip]
fn rents() -> Page {
    list("de", "Wohnungen", &[
        ("Am Markt", "<dl><dt>Angebot</dt><dd>Miete</dd><dt>Miete</dt><dd>700 €</dd></dl>"),
        ("Südweg", "<dl><dt>Angebot</dt><dd>Miete</dd><dt>Miete</dt><dd>640 €</dd></dl>"),
        ("Hofgut", "<dl><dt>Angebot</dt><dd>Kauf</dd><dt>Miete</dt><dd>900 €</dd></dl>"),
        ("Nordring", "<dl><dt>Angebot</dt><dd>Miete</dd><dt>Miete</dt><dd>820 €</dd></dl>"),
    ])
}

#[rustfmt::skip]
fn toys() -> Page {
    list("de", "Spielzeug", &[
        ("Bausatz", "<b>54,90 €</b> <span>ab 10 Jahren</span>"),
        ("Puzzle", "<b>9,90 €</b> <span>ab 3 Jahren</span>"),
        ("Brettspiel", "<b>27,90 €</b> <span>ab 8 Jahren</span>"),
        ("Knete", "<b>11,90 €</b> <span>ab 2 Jahren</span>"),
    ])
}

#[rustfmt::skip]
fn firms() -> Page {
    list("de", "Betriebe", &[
        ("Elektro Kern", "<div class=rate><strong>54,90 €</strong> <small>/ Std.</small></div>"),
        ("Dach Fedder", "<div class=rate><span>Preis auf Anfrage</span></div>"),
        ("Maler Petersen", "<div class=rate><strong>44,50 €</strong> <small>/ Std.</small></div>"),
        ("Umzug Moll", "<div class=rate><strong>38,00 €</strong> <small>/ Std.</small></div>"),
        ("Garten Grün", "<div class=rate><strong>41,00 €</strong> <small>/ Std.</small></div>"),
    ])
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    (plugins, "free plugins", &[2, 3], false),
    (plugins, "shipping plugins that are not free", &[1], false),
    (courses, "courses that are not full", &[1, 3, 4], false),
    (courses, "the two courses with the most places left, most first", &[3, 1], true),
    (courses, "zajęcia na kampusie City", &[1, 4], false),
    (flats, "2 oferty z najniższą ceną za m2, od najtańszej", &[2, 3], true),
    (flats, "cheapest per square metre first", &[2, 3, 4, 1], true),
    (flats, "flats from the cheapest per square metre on", &[2, 3, 4, 1], true),
    (servers, "servers with storage above 100 GB", &[1, 2, 4], false),
    (servers, "servers with storage of at least 1 TB", &[2, 4], false),
    (rents, "Wohnungen, Miete unter 680 €", &[2], false),
    (rents, "die günstigsten nach Miete zuerst", &[2, 1, 4, 3], true),
    (servers, "sort by storage, largest first", &[4, 2, 1, 3], true),
    (vans, "die zwei jüngsten nach Erstzulassung, das neueste zuerst", &[2, 4], true),
    (vans, "Erstzulassung ab 2020", &[2, 4], false),
    (vans, "first registered before 2018", &[1], false),
    (vans, "alle nach Preis sortiert, der höchste zuerst", &[2, 4, 3, 1], true),
    (jobs, "all jobs you have to apply for before 25 March 2026", &[2, 4], false),
    (jobs, "tech jobs", &[1, 2, 4], false),
    (gigs, "which events are sold out?", &[2], false),
    (toys, "items with a recommended age of 8 or older", &[1, 3], false),
    (firms, "firmy, które nie podają stawki godzinowej", &[2], false),
    (old_cars, "Autos unter 10000 €", &[2, 4], false),
    (old_cars, "weniger als 70000 km", &[3, 4], false),
    (old_cars, "die teuersten zuerst", &[3, 1, 2, 4], true),
    (lamps, "products with more than 10 reviews", &[1, 2, 4], false),
    (lamps, "most reviewed first", &[2, 4, 1, 3], true),
    (lamps, "the most reviewed product", &[2], false),
    (lamps, "name contains light", &[2, 3], false),
    (lamps, "products whose name starts with B", &[4], false),
    (lamps, "products whose name does not contain light", &[1, 4], false),
    (lamps, "sort by name", &[1, 4, 3, 2], true),
    (lamps, "sort by price, then by name", &[4, 3, 2, 1], true),
    (lamps, "products in stock", &[1, 2, 4], false),
    (heaters, "heaters under 2000 W", &[1, 3], false),
    (heaters, "heaters of at most 2000 W and under 80 euros", &[1], false),
    (heaters, "heaters under 2000 watts", &[1, 3], false),
    (news, "articles from today", &[2], false),
    (news, "since yesterday", &[2, 3], false),
    (news, "articles since Monday", &[2, 3], false),
    (news, "articles published since Wednesday", &[2], false),
    (news, "articles posted yesterday or today that aren't by Li Wei", &[2], false),
    (news, "Artikel ab 31.03.2026", &[2, 3], false),
    (news, "Artikel vom 28.02. bis 05.03.", &[1], false),
];

#[tokio::test]
async fn values_are_compared_as_a_reader_of_the_page_would() {
    assert_chosen(CASES).await;
}
