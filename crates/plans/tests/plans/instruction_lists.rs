//! Instructions over lists that are no shops: flats, used cars, courses, jobs; asked for in the page's language and in others.

use std::sync::Arc;

use page::Page;
use plans::triggers::{self, InstructionFacts, PlanTarget};
use plans::{Conditions, PlanReport, SilentObserver, VerdictStatus};
use serde_json::Value;
use tools::{Grant, Registry, ToolContext, ToolServices};

pub(super) fn list(language: &str, title: &str, entries: &[(&str, &str)]) -> Page {
    let entry = |(at, (name, rest)): (usize, &(&str, &str))| {
        format!("<article class=card><h2><a href='/e/{at}'>{name}</a></h2>{rest}</article>")
    };
    let cards: String = entries.iter().enumerate().map(entry).collect();
    let html = format!(
        "<!doctype html><html lang={language}><title>{title}</title><body><nav><a href=/>Start</a> <a href=/about>About</a></nav>\
         <main><h1>{title}</h1><div class=list>{cards}</div></main></body></html>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

#[rustfmt::skip]
fn flats() -> Page {
    list("de", "Mietwohnungen in Grauhafen", &[
        ("Dachwohnung am Kanal", "<p>Grauhafen · Speicherstadt</p><p><b>640 €</b> <span>Kaltmiete</span></p><p>10,67 €/m²</p><p>60 m² Wohnfläche</p><p>2 Zimmer</p><p>Balkon</p>"),
        ("Familienwohnung Lindenhof", "<p>Grauhafen · Nordend</p><p><b>1.180 €</b> <span>Kaltmiete</span></p><p>11,24 €/m²</p><p>105 m² Wohnfläche</p><p>4 Zimmer</p><p>Garten</p>"),
        ("Studio mit Küchenzeile", "<p>Grauhafen · Nordend</p><p><b>420 €</b> <span>Kaltmiete</span></p><p>14,00 €/m²</p><p>30 m² Wohnfläche</p><p>1 Zimmer</p><p>Möbliert</p>"),
        ("Altbau mit Stuck", "<p>Grauhafen · Speicherstadt</p><p><b>980 €</b> <span>Kaltmiete</span></p><p>12,25 €/m²</p><p>80 m² Wohnfläche</p><p>3 Zimmer</p><p>Balkon</p>"),
        ("Erdgeschoss am Park", "<p>Grauhafen · Südwiesen</p><p><b>720 €</b> <span>Kaltmiete</span></p><p>10,00 €/m²</p><p>72 m² Wohnfläche</p><p>3 Zimmer</p><p>Garten</p>"),
    ])
}

#[rustfmt::skip]
fn guest_houses() -> Page {
    list("pl", "Noclegi nad Omulwią", &[
        ("Hotel Czapla", "<p>★★★★ 4-gwiazdkowy</p><p>Wolne pokoje</p><dl><dt>Ocena gości</dt><dd><b>8,9</b> / 10 <span>1 204 opinie</span></dd><dt>Rezygnacja</dt><dd>Bezpłatne odwołanie</dd></dl><p>od <b>420 zł</b></p>"),
        ("Pensjonat Bóbr", "<p>★★ 2-gwiazdkowy</p><p>Brak wolnych pokoi</p><dl><dt>Ocena gości</dt><dd><b>9,3</b> / 10 <span>318 opinii</span></dd><dt>Rezygnacja</dt><dd>Bezpłatne odwołanie</dd></dl><p>od <b>260 zł</b></p>"),
        ("Willa Sitowie", "<p>★★★★ 4-gwiazdkowy</p><p>Zostały 2 pokoje</p><dl><dt>Ocena gości</dt><dd><b>8,1</b> / 10 <span>57 opinii</span></dd><dt>Rezygnacja</dt><dd>Bez zwrotu kosztów</dd></dl><p>od <b>310 zł</b></p>"),
        ("Zajazd Klon", "<p>★★★ 3-gwiazdkowy</p><p>Wolne pokoje</p><dl><dt>Ocena gości</dt><dd><b>7,4</b> / 10 <span>96 opinii</span></dd><dt>Rezygnacja</dt><dd>Bez zwrotu kosztów</dd></dl><p>od <b>180 zł</b></p>"),
    ])
}

#[rustfmt::skip]
fn rooms_to_let() -> Page {
    list("en", "Rooms and studios to rent", &[
        ("Quiet studio", "<dl><dt>Type</dt><dd>Studio</dd><dt>Size</dt><dd>31 m²</dd></dl><p>£895</p>"),
        ("Loft by the lock", "<em>Let agreed</em><dl><dt>Type</dt><dd>Studio</dd><dt>Size</dt><dd>42 m²</dd></dl><p>£980</p>"),
        ("Room at the mill", "<dl><dt>Type</dt><dd>Room</dd><dt>Size</dt><dd>14 m²</dd></dl><p>£560</p>"),
        ("Corner studio", "<dl><dt>Type</dt><dd>Studio</dd><dt>Size</dt><dd>19 m²</dd></dl><p>£690</p>"),
        ("Garden room", "<em>Let agreed</em><dl><dt>Type</dt><dd>Room</dd><dt>Size</dt><dd>16 m²</dd></dl><p>£540</p>"),
    ])
}

#[rustfmt::skip]
fn shoes() -> Page {
    list("pl", "Buty", &[
        ("Baleriny Fleur", "<p>Kolor: beżowy | Materiał: skóra</p><p>Rozmiary: 36, 37, 38</p><p>159,90 zł</p>"),
        ("Botki Rina", "<p>Kolor: czarny | Materiał: tkanina</p><p>Rozmiary: 38, 39</p><p>289,00 zł</p>"),
        ("Kalosze Deszczyk", "<p>Kolor: żółty | Materiał: guma</p><p>Rozmiary: 26, 28</p><p>80,00 zł</p>"),
        ("Trapery Halny", "<p>Kolor: brązowy | Materiał: skóra</p><p>Rozmiary: 42, 44</p><p>399,00 zł</p>"),
    ])
}

#[rustfmt::skip]
fn vans_for_sale() -> Page {
    list("de", "Gebrauchte Transporter", &[
        ("Ostra T1 Kasten", "<div><span>Zulassung</span><b>12/2021</b></div><div><span>Standort</span><b>Ulm</b></div><p><b>14.700 €</b></p><p>Verkauft</p>"),
        ("Ostra T3 Bus", "<div><span>Zulassung</span><b>03/2021</b></div><div><span>Standort</span><b>Bonn</b></div><p><b>21.490 €</b></p><p>sofort frei</p>"),
        ("Merin 200 lang", "<div><span>Zulassung</span><b>05/2022</b></div><div><span>Standort</span><b>Ulm</b></div><p><b>24.490 €</b></p><p>frei ab 11.07.2026</p>"),
        ("Merin 100 kurz", "<div><span>Zulassung</span><b>08/2020</b></div><div><span>Standort</span><b>Köln</b></div><p><b>11.900 €</b></p><p>frei ab 01.09.2026</p>"),
        ("Kallo Pritsche", "<div><span>Zulassung</span><b>11/2022</b></div><div><span>Standort</span><b>Ulm</b></div><p><b>19.850 €</b></p><p>frei ab 15.07.2026</p>"),
    ])
}

#[rustfmt::skip]
fn cars() -> Page {
    list("en", "Used cars", &[
        ("Corvane Mira 1.2", "<p>2018</p><p>64,300 mi</p><p>Petrol</p><p>Manual</p><p class=price>$7,950</p>"),
        ("Corvane Mira Electric", "<p>2021</p><p>18,900 mi</p><p>Electric</p><p>Automatic</p><p class=price>$15,400</p>"),
        ("Talbrook Estate", "<p>2016</p><p>98,050 mi</p><p>Diesel</p><p>Automatic</p><p class=price>$6,200</p>"),
        ("Oxbridge Rover X", "<p>2022</p><p>11,020 mi</p><p>Petrol</p><p>Automatic</p><p class=price>$24,990</p>"),
        ("Oxbridge City", "<p>2019</p><p>41,700 mi</p><p>Electric</p><p>Automatic</p><p class=price>Sold</p>"),
    ])
}

#[rustfmt::skip]
fn courses() -> Page {
    list("pl", "Kursy zawodowe", &[
        ("Spawanie od podstaw", "<p>Początkujący</p><p>40 godz.</p><p>Stacjonarnie, start: 4 maja 2026</p><p>★★★★★ 4,9 (212 opinii)</p><p><s>1 500 zł</s> <b>1 200 zł</b></p>"),
        ("Księgowość zdalnie", "<p>Zaawansowany</p><p>24 godz.</p><p>Online, start: 20 kwietnia 2026</p><p>★★★★ 4,1 (87 opinii)</p><p><b>690 zł</b></p>"),
        ("Obsługa wózka", "<p>Początkujący</p><p>16 godz.</p><p>Stacjonarnie, start: 18 maja 2026</p><p>★★★★ 4,4 (1 045 opinii)</p><p><b>850 zł</b></p>"),
        ("Pierwsze kroki w sieci", "<p>Początkujący</p><p>6 godz.</p><p>Online, start: 2 czerwca 2026</p><p>Brak opinii</p><p><b>Bezpłatny</b></p>"),
    ])
}

#[rustfmt::skip]
fn outings() -> Page {
    list("en", "What's on", &[
        ("Seed Swap", "<p>Sat 5 April 2025</p><p>Elm Yard</p><p>Free</p><p>Drop in</p>"),
        ("Pruning Day", "<p>Sat 26 April 2025</p><p>Old Orchard</p><p>£12.00</p><p>Booking essential</p><p>Fully booked</p>"),
        ("Pond Walk", "<p>Sun 4 May 2025</p><p>Canal Plot</p><p>£3.00</p><p>Booking essential</p><p>6 places left</p>"),
        ("Bat Night", "<p>Wed 11 June 2025</p><p>Elm Yard</p><p>£5.00</p><p>Booking essential</p><p>2 places left</p>"),
    ])
}

#[rustfmt::skip]
fn plots() -> Page {
    list("en", "Garden plots", &[
        ("Plot 4", "<p><b>Vacant</b></p><p><span class=plot__site>Mill Lane</span> <span class=plot__size>120 m²</span></p><p>Followers: 12</p>"),
        ("Plot 7", "<p><b>Let</b></p><p><span class=plot__site>Canal Side</span> <span class=plot__size>180 m²</span></p><p>Followers: 90</p>"),
        ("Plot 9", "<p><b>Vacant</b></p><p><span class=plot__site>Canal Side</span> <span class=plot__size>210 m²</span></p><p>Followers: 31</p>"),
        ("Plot 12", "<p><b>Under offer</b></p><p><span class=plot__site>Mill Lane</span> <span class=plot__size>160 m²</span></p><p>Followers: 7</p>"),
    ])
}

#[rustfmt::skip]
fn scooters() -> Page {
    list("de", "Elektroroller", &[
        ("Voltario City", "<p>20 km/h</p><p>Reichweite 30 km</p><p>399,00 €</p>"),
        ("Wandler X", "<p>45 km/h</p><p>Reichweite 65 km</p><p>1.499,00 €</p>"),
        ("Mikro Go", "<p>15 km/h</p><p>Reichweite 12 km</p><p>199,00 €</p>"),
    ])
}

#[rustfmt::skip]
fn lessons() -> Page {
    list("de", "Sprachkurse", &[
        ("Englisch am Abend", "<p>Niveau B1</p><p>Bonn</p><p>210,00 €</p>"),
        ("Französisch im Beruf", "<p>Niveau B2</p><p>Köln</p><p>410,00 €</p>"),
        ("Englisch für Prüfungen", "<p>Niveau C1</p><p>Bonn</p><p>395,00 €</p>"),
        ("Spanisch für Einsteiger", "<p>Niveau A1</p><p>Köln</p><p>180,00 €</p>"),
    ])
}

#[rustfmt::skip]
fn gyms() -> Page {
    list("pl", "Siłownie w Grodzie", &[
        ("Kuźnia Formy", "<p>Stare Miasto</p><p>Karnet <b>129 zł</b></p><p>wpisowe 0 zł</p><p>Umowa bez zobowiązań</p><p>sauna</p>"),
        ("Basen i Sztanga", "<p>Podgórze</p><p>Karnet <b>229 zł</b></p><p>wpisowe 49 zł</p><p>Umowa bez zobowiązań</p><p>basen</p>"),
        ("Żelazny Ring", "<p>Nowa Huta</p><p>Karnet <b>99 zł</b></p><p>wpisowe 30 zł</p><p>Umowa na 12 miesięcy</p><p>boks</p>"),
        ("Studio Ruch", "<p>Stare Miasto</p><p>Karnet <b>140 zł</b></p><p>wpisowe 0 zł</p><p>Umowa bez zobowiązań</p><p>joga</p>"),
    ])
}

#[rustfmt::skip]
fn jobs() -> Page {
    list("en", "Jobs in logistics", &[
        ("Warehouse Lead", "<p>Promoted</p><p>Remote</p><p>Full-time</p><p>Posted 3 days ago</p><p>$62,000</p>"),
        ("Night Driver", "<p>On-site</p><p>Part-time</p><p>Posted 12 days ago</p><p>$38,500</p>"),
        ("Fleet Engineer", "<p>Hybrid</p><p>Full-time</p><p>Posted 2 days ago</p><p>$91,000</p>"),
        ("Route Planner", "<p>Remote</p><p>Contract</p><p>Posted 30 days ago</p><p>$70,000</p>"),
    ])
}

/// A table of numbers under headings, whose cells say nothing of what they count.
fn league() -> Page {
    let rows = [
        ("Ashby Rovers", 20, 2, 46),
        ("Kelby United", 19, 3, 36),
        ("Port Ellis", 20, 9, 25),
        ("Harrow Vale", 19, 11, 14),
    ];
    let row = |(at, (team, played, lost, points)): (usize, &(&str, u8, u8, u8))| {
        format!(
            "<tr><td><a href='/e/{at}'>{team}</a></td><td>{played}</td><td>{lost}</td><td>{points}</td></tr>"
        )
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    let html = format!(
        "<!doctype html><html lang=en><title>Northern League table</title><body><h1>Northern League table</h1>\
         <table><thead><tr><th>Team</th><th>Played</th><th>Lost</th><th>Points</th></tr></thead><tbody>{rows}</tbody></table></body></html>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

#[rustfmt::skip]
fn houses() -> Page {
    list("en", "Houses for sale in Barrowdale", &[
        ("3 Mill Row", "<p>Semi-detached house</p><p>Under offer</p><p>985 sq ft</p><p>3 bedrooms</p><p>$295,000</p><p>Added on 12/03/2026</p>"),
        ("Highfield", "<p>Detached house</p><p>1,480 sq ft</p><p>4 bedrooms</p><p>$475,000</p><p>Added on 01/02/2026</p>"),
        ("18 Chevin Lane", "<p>Detached house</p><p>Sold</p><p>1,620 sq ft</p><p>4 bedrooms</p><p>$555,000</p><p>Added on 20/01/2026</p>"),
        ("Old Forge", "<p>Detached house</p><p>1,180 sq ft</p><p>3 bedrooms</p><p>$389,950</p><p>Added on 28/02/2026</p>"),
    ])
}

#[rustfmt::skip]
fn concerts() -> Page {
    list("en", "What's on", &[
        ("Ossian Drift", "<p>Fri 17 April 2026, doors 19:00</p><p>Folk</p><p>All ages</p><p>Glasgow</p><p>from $22.50</p>"),
        ("Kingdom of Rust", "<p>Sat 9 May 2026, doors 18:30</p><p>Metal</p><p>16+</p><p>Glasgow</p><p>Sold out</p><p>from $35.00</p>"),
        ("Sunday Brass", "<p>Sun 17 May 2026, doors 13:00</p><p>Brass</p><p>All ages</p><p>Glasgow</p><p>from $10.00</p>"),
        ("Paper Lanterns", "<p>Sat 2 May 2026, doors 19:30</p><p>Indie</p><p>All ages</p><p>Leeds</p><p>from $28.00</p>"),
    ])
}

#[rustfmt::skip]
fn studios() -> Page {
    list("en", "Studios to work in", &[
        ("Lime Yard", "<p>Eastham</p><p>Day pass <b>£16</b> | Desk <b>£175</b> / month</p><p>44 desks</p><p>Pets welcome</p><p>Showers</p>"),
        ("Tin House", "<p>Westgate</p><p>Day pass <b>£12</b> | Desk <b>£230</b> / month</p><p>18 desks</p><p>Parking spaces</p><p>Step-free access</p>"),
        ("Mill Row", "<p>Westgate</p><p>Day pass <b>£20</b> | Desk <b>£150</b> / month</p><p>61 desks</p><p>Pets welcome</p><p>Parking spaces</p>"),
        ("Glass Loft", "<p>Eastham</p><p>Day pass <b>£24</b> | Desk <b>£290</b> / month</p><p>75 desks</p><p>Showers</p>"),
    ])
}

#[rustfmt::skip]
fn lettings() -> Page {
    list("en", "Flats to rent", &[
        ("2 bed flat, Quay Road", "<p>£1,650 pcm</p><p>£381 pw</p><p><i class=icon-pin></i> Harbourside</p><p>2 bedrooms</p><p>Available now</p><p>Marketed by Oak Lettings</p>"),
        ("1 bed flat, Vale Lane", "<p>£1,195 pcm</p><p>£276 pw</p><p><i class=icon-pin></i> Upper Town</p><p>1 bedroom</p><p>Available now</p><p>Marketed by Elm & Ash</p>"),
        ("2 bed flat, Mill Street", "<p>£1,425 pcm</p><p>£329 pw</p><p><i class=icon-pin></i> Upper Town</p><p>2 bedrooms</p><p>Available now</p><p>Marketed by Oak Lettings</p>"),
        ("2 bed flat, Park Row", "<p>Let agreed</p><p>£1,250 pcm</p><p>£288 pw</p><p><i class=icon-pin></i> Eastfield</p><p>2 bedrooms</p><p>Marketed by Elm & Ash</p>"),
        ("4 bed flat, Hill Brow", "<p>£3,100 pcm</p><p>£715 pw</p><p><i class=icon-pin></i> Cliff End</p><p>4 bedrooms</p><p>Available now</p><p>Marketed by Oak Lettings</p>"),
    ])
}

#[rustfmt::skip]
fn games() -> Page {
    list("en", "Games", &[
        ("Otter Dash", "<p>Age 4+</p><p>2–4 players</p><p><s>$30.00</s> <b>$18.00</b></p><p>Rated 4.2 (88 reviews)</p>"),
        ("Harbour Lights", "<p>Age 12+</p><p>1–5 players</p><p><s>$80.00</s> <b>$49.00</b></p><p>Rated 4.8 (310 reviews)</p>"),
        ("Moss Empire", "<p>Age 14+</p><p>2–5 players</p><p><b>$62.00</b></p><p>Rated 4.6 (61 reviews)</p>"),
        ("Tiny Trains", "<p>Age 5+</p><p>2–6 players</p><p><s>$25.00</s> <b>$20.00</b></p><p>Rated 4.7 (205 reviews)</p>"),
    ])
}

#[rustfmt::skip]
fn huts() -> Page {
    list("de", "Hüttenverzeichnis", &[
        ("Kreuzalm", "<dl><dt>Stadtteil</dt><dd>Oberau</dd><dt>Leistung</dt><dd>900 W</dd></dl><p>Mitglieder: <b>14 €</b>, Nichtmitglieder: <b>28 €</b></p><p>Hunde: ja</p>"),
        ("Steinhütte", "<dl><dt>Stadtteil</dt><dd>Unterau</dd><dt>Leistung</dt><dd>1500 W</dd></dl><p>Mitglieder: <b>18 €</b>, Nichtmitglieder: <b>36 €</b></p><p>Hunde: nein</p>"),
        ("Birkenhaus", "<dl><dt>Stadtteil</dt><dd>Unterau</dd><dt>Leistung</dt><dd>2200 W</dd></dl><p>Mitglieder: <b>21 €</b>, Nichtmitglieder: <b>30 €</b></p><p>Hunde: ja</p>"),
    ])
}

#[rustfmt::skip]
fn tenders() -> Page {
    list("de", "Aktuelle Bekanntmachungen der Vergabestelle", &[
        ("Neubau Sporthalle", "<p>Bauleistung</p><p>Privatanbieter</p><p>Auftragswert: 480.000 €</p><p>Angebotsfrist: 28.04.2026</p><p>Veröffentlicht am: 12.03.2026</p>"),
        ("Lieferung Streusalz", "<p>Lieferleistung</p><p>Gemeinde</p><p>Auftragswert: 62.000 €</p><p>Angebotsfrist: 30.03.2026</p><p>Veröffentlicht am: 04.03.2026</p>"),
        ("Reinigung Rathaus", "<p>Dienstleistung</p><p>Gemeinde</p><p>Auftragswert: 31.000 €</p><p>Angebotsfrist: 15.03.2026</p><p>Veröffentlicht am: 16.02.2026</p>"),
        ("Dachsanierung", "<p>Bauleistung</p><p>Gemeinde</p><p>Auftragswert: 610.000 €</p><p>Angebotsfrist: 15.04.2026</p><p>Veröffentlicht am: 09.03.2026</p>"),
    ])
}

#[rustfmt::skip]
fn plants() -> Page {
    list("pl", "Rośliny doniczkowe", &[
        ("Areka złocista", "<p>Wysokość: 110 cm</p><p>Stanowisko: półcień</p><p>119,00 zł</p>"),
        ("Paproć", "<p>Wysokość: 35 cm</p><p>Stanowisko: cień</p><p>34,90 zł</p>"),
        ("Figowiec", "<p>Wysokość: 1,5 m</p><p>Stanowisko: słoneczne</p><p>229,00 zł</p>"),
    ])
}

#[rustfmt::skip]
fn library() -> Page {
    list("pl", "Katalog biblioteki", &[
        ("Dom nad rzeką", "<p>Hanna Sowa</p><p>2021</p><p>312 s.</p><p>dostępna</p>"),
        ("Kod wiatru", "<p>Ewa Liss</p><p>2023</p><p>280 s.</p><p>wypożyczona do 27.03.2026</p>"),
        ("Czarny mlecz", "<p>Hanna Sowa</p><p>2009</p><p>198 s.</p><p>dostępna</p>"),
        ("Miasto z lodu", "<p>Hanna Sowa</p><p>2024</p><p>401 s.</p><p>wypożyczona do 02.04.2026</p>"),
    ])
}

#[rustfmt::skip]
fn recipes() -> Page {
    list("de", "Alle Rezepte", &[
        ("Kürbissuppe mit Ingwer", "<p>Suppe</p><p>35 Min.</p><p>einfach</p><p>280 kcal</p><p>vegan</p>"),
        ("Linsensalat", "<p>Salat</p><p>20 Min.</p><p>einfach</p><p>340 kcal</p><p>vegan</p>"),
        ("Rinderrouladen", "<p>Hauptgericht</p><p>2 Std. 30 Min.</p><p>schwer</p><p>540 kcal</p>"),
        ("Kürbis-Risotto", "<p>Hauptgericht</p><p>50 Min.</p><p>mittel</p><p>520 kcal</p>"),
    ])
}

#[rustfmt::skip]
fn vans() -> Page {
    list("en", "Used vans near Harrowby", &[
        ("Corvane Cargo L2", "<ul><li>2018</li><li>64,300 miles</li><li>Harrowby · 2 miles away</li></ul><p class=price>£7,950</p>"),
        ("Talbrook Porter", "<ul><li>2021</li><li>18,900 miles</li><li>Marsh End · 14 miles away</li></ul><p class=price>£15,400</p>"),
        ("Talbrook Porter XL", "<ul><li>2016</li><li>98,050 miles</li><li>Oldbury · 21 miles away</li></ul><p class=price>£6,200</p>"),
        ("Oxbridge Carrier", "<ul><li>2022</li><li>11,020 miles</li><li>Culmstead · 9 miles away</li></ul><p class=price>£24,990</p>"),
        ("Oxbridge Courier", "<ul><li>2019</li><li>41,700 miles</li><li>Marsh End · 14 miles away</li></ul><p class=price>£12,100</p>"),
    ])
}

/// Labels and values in elements of their own; some of the labels say what is lacking.
fn tariffs() -> Page {
    let entry = |name: &str, dog: &str, network: &str, fee: &str, month: &str| {
        format!(
            "<div class=cell><span class=l>Hund mitversichert</span><span class=v>{dog}</span></div>\
             <div class=cell><span class=l>Netz</span><span class=v>{network}</span></div>{fee}\
             <div class=cell><b class=eur>{month} €</b><span class=per>pro Monat</span></div><p>{name} im Vergleich</p>"
        )
    };
    let fee = "<div class=cell><span class=l>Einmalig</span><span class=v>9,99 €</span></div>";
    let entries = [
        ("Klar Basis", entry("Klar", "nein", "Nord", fee, "14,00")),
        ("Klar Plus", entry("Klar", "ja", "Nord", "", "22,00")),
        (
            "Rund Sorglos",
            entry("Rund", "ja, ohne Aufpreis", "Süd", fee, "31,00"),
        ),
        ("Frei Start", entry("Frei", "nicht versichert", "Süd", "", "8,00")),
        ("Frei Unlimited", entry("Frei", "nein", "Nord", "", "19,00")),
    ];
    let entries: Vec<(&str, &str)> = entries
        .iter()
        .map(|(name, inner)| (*name, inner.as_str()))
        .collect();
    list("de", "Tarife im Vergleich", &entries)
}

#[rustfmt::skip]
fn screenings() -> Page {
    list("en", "Films this spring", &[
        ("Harbour Lights", "<p>4 May</p><p>15:00, 20:30</p><p>PG</p>"),
        ("The Long Field", "<p>12 May</p><p>18:00–20:10</p><p>15</p>"),
        ("Paper Moons", "<p>2 June</p><p>11:00, 14:00, 17:00</p><p>U</p>"),
        ("Harbour Nights", "<p>20 June</p><p>21:15</p><p>18</p>"),
    ])
}

/// Days without a word for the day of the week; two entries of one name.
#[rustfmt::skip]
fn agenda() -> Page {
    list("de", "Spielplan im März", &[
        ("Die Brücke", "<p>14.03.2026</p><p>20:00 Uhr</p><p>Großer Saal</p><p>18 €</p><p>Plätze frei</p>"),
        ("Stilles Land", "<p>16.03.2026</p><p>19:30 Uhr</p><p>Studio</p><p>Eintritt frei</p>"),
        ("Die Brücke", "<p>17.03.2026</p><p>18:00 Uhr</p><p>Studio</p><p>12 €</p><p>Plätze frei</p>"),
        ("Nachtzug", "<p>22.03.2026</p><p>16:00 Uhr</p><p>Großer Saal</p><p>15 €</p><p>Plätze frei</p>"),
    ])
}

/// Opening hours, categories, stands, and years of two kinds.
#[rustfmt::skip]
fn museums() -> Page {
    list("en", "Museums of Wendale", &[
        ("Clock House", "<p>Gallery</p><p>Open Tue–Sun, 10:00–17:00</p><p>Founded 1931</p><p>Stand: A</p><p>Height: 12 m</p>"),
        ("Ferry Shed", "<p>Museum</p><p>Open Sat &amp; Sun, 11:00–15:00</p><p>Founded 1884</p><p>Stand: B</p><p>Height: 7 m</p>"),
        ("Old Mint", "<p>Museum</p><p>Open Mon–Fri, 09:00–16:00</p><p>Founded 1866, show until 30 Nov 2026</p><p>Stand: C</p><p>Height: 31 m</p>"),
        ("Print Yard", "<p>Gallery</p><p>Open daily, Monday closed</p><p>Founded 1975</p><p>Stand: A</p><p>Height: 9 m</p>"),
    ])
}

#[rustfmt::skip]
fn surgeries() -> Page {
    list("de", "Praxen in Steinbach und Umgebung", &[
        ("Dr. Ahlers", "<p>Steinbach · 2 km</p><dl><dt>Barrierefrei</dt><dd>nein</dd><dt>Videotermin</dt><dd>ja</dd></dl>"),
        ("Dr. Bode", "<p>Rotheim · 4 km</p><dl><dt>Barrierefrei</dt><dd>ja</dd><dt>Videotermin</dt><dd>ja</dd></dl>"),
        ("Dr. Cramer", "<p>Rotheim · 5 km</p><dl><dt>Barrierefrei</dt><dd>ja</dd><dt>Videotermin</dt><dd>nein</dd></dl>"),
        ("Dr. Dorn", "<p>Aldorf · 7 km</p><dl><dt>Barrierefrei</dt><dd>nein</dd><dt>Videotermin</dt><dd>nein</dd></dl>"),
        ("Dr. Ebert", "<p>Aldorf · 8 km</p><p>nicht barrierefrei</p>"),
    ])
}

#[rustfmt::skip]
fn lodges() -> Page {
    list("en", "Mountain lodges in Tarnland", &[
        ("Birch Lodge", "<p>Upper Tarn</p><p>Sleeps 4</p><p>Sauna</p><p class=price>$410</p>"),
        ("The Old Sheepfold", "<p>Upper Tarn</p><p>Sleeps 6</p><p>No dogs</p><p class=price>$560</p>"),
        ("Ridge House", "<p>Lower Tarn</p><p>Sleeps 10</p><p>Sauna</p><p class=price>$980</p>"),
        ("Heron Nook", "<p>Lower Tarn</p><p>Sleeps 2</p><p class=price>$295</p>"),
        ("Gull Corner", "<p>Upper Tarn</p><p>Sleeps 5</p><p>Sauna</p><p class=price>$520</p>"),
    ])
}

#[rustfmt::skip]
fn rides() -> Page {
    list("de", "Radtouren rund um Wendelstadt", &[
        ("Seerunde", "<p>Start: Wendelstadt</p><p>Fahrzeit 2:45 Std.</p><p>Schwierigkeit leicht</p>"),
        ("Burgenweg", "<p>Start: Ohrenbach</p><p>Fahrzeit 4:10 Std.</p><p>Schwierigkeit schwer</p>"),
        ("Moorpfad", "<p>Start: Wendelstadt</p><p>Fahrzeit 1:15 Std.</p><p>Schwierigkeit leicht</p>"),
        ("Talschleife", "<p>Start: Hagen</p><p>Fahrzeit 3:05 Std.</p><p>Schwierigkeit mittel</p>"),
    ])
}

#[rustfmt::skip]
fn bursaries() -> Page {
    list("pl", "Stypendia dla studentów", &[
        ("Fundusz Brzozy", "<p>Kraków</p><p>Minimalna średnia ocen: 4,3</p><p>Termin: 15 marca 2026</p>"),
        ("Nagroda Kasztana", "<p>Drezno</p><p>Minimalna średnia ocen: 3,8</p><p>Termin: 2 kwietnia 2026</p>"),
        ("Grant Jarzębiny", "<p>Kraków</p><p>Minimalna średnia ocen: 4,6</p><p>Termin: 31 marca 2026</p>"),
        ("Stypendium Wierzby", "<p>Poznań</p><p>Minimalna średnia ocen: 4,0</p><p>Termin: 30 maja 2026</p>"),
    ])
}

#[rustfmt::skip]
fn slides() -> Page {
    list("en", "Water slides", &[
        ("Amber Run", "<div class=r><div class=l>Length</div><div class=v>900 m</div></div><div class=r><div class=l>Closed on</div><div class=v>Wednesday</div></div><div class=r><div class=l>Quiet</div><div class=v>yes</div></div><div class=r><div class=l>Lamp on board</div><div class=v>no</div></div><div class=r><div class=l>Free places</div><div class=v>12</div></div><p>cancelled today</p>"),
        ("Birch Run", "<div class=r><div class=l>Length</div><div class=v>1.4 km</div></div><div class=r><div class=l>Closed on</div><div class=v>Monday</div></div><div class=r><div class=l>Quiet</div><div class=v>no</div></div><div class=r><div class=l>Lamp on board</div><div class=v>yes</div></div><div class=r><div class=l>Free places</div><div class=v>none</div></div><p></p>"),
        ("Copper Run", "<div class=r><div class=l>Length</div><div class=v>400 m</div></div><div class=r><div class=l>Closed on</div><div class=v>Wednesday</div></div><div class=r><div class=l>Quiet</div><div class=v>yes</div></div><div class=r><div class=l>Lamp on board</div><div class=v>yes</div></div><div class=r><div class=l>Free places</div><div class=v>closed list</div></div><p></p>"),
        ("Dale Run", "<div class=r><div class=l>Length</div><div class=v>2 km</div></div><div class=r><div class=l>Closed on</div><div class=v>Friday</div></div><div class=r><div class=l>Quiet</div><div class=v>yes</div></div><div class=r><div class=l>Lamp on board</div><div class=v>no</div></div><div class=r><div class=l>Free places</div><div class=v>3</div></div><p>sold out</p>"),
        ("Elm Run", "<div class=r><div class=l>Length</div><div class=v>750 m</div></div><div class=r><div class=l>Closed on</div><div class=v>Monday</div></div><div class=r><div class=l>Quiet</div><div class=v>no</div></div><div class=r><div class=l>Lamp on board</div><div class=v>yes</div></div><div class=r><div class=l>Free places</div><div class=v>8</div></div><p></p>"),
    ])
}

#[rustfmt::skip]
fn kilns() -> Page {
    list("de", "Brennöfen für zu Hause", &[
        ("Glutwerk 40", "<div class=r><div class=l>Leistung</div><div class=v>3,6 kW</div></div><div class=r><div class=l>Zeitschaltuhr</div><div class=v>ohne</div></div><div class=r><div class=l>Testnote</div><div class=v>gut (1,8)</div></div><div class=r><div class=l>Aufbaugebühr</div><div class=v>49 €</div></div><div class=r><div class=l>Phase</div><div class=v>Phase 1</div></div><div class=r><div class=l>Vorführung</div><div class=v>17.06.2026</div></div><div class=r><div class=l>Ofentür</div><div class=v>Gusseisen</div></div><p class=price>890 €</p>"),
        ("Tonmeister S", "<div class=r><div class=l>Leistung</div><div class=v>2,9 kW</div></div><div class=r><div class=l>Zeitschaltuhr</div><div class=v>digital</div></div><div class=r><div class=l>Testnote</div><div class=v>sehr gut (1,3)</div></div><div class=r><div class=l>Aufbaugebühr</div><div class=v>0 €</div></div><div class=r><div class=l>Phase</div><div class=v>Phase 1</div></div><div class=r><div class=l>Vorführung</div><div class=v>18.06.2026</div></div><div class=r><div class=l>Ofentür</div><div class=v>Glastür</div></div><p class=price>1.240 €</p>"),
        ("Kobold 12", "<div class=r><div class=l>Leistung</div><div class=v>1,8 kW</div></div><div class=r><div class=l>Zeitschaltuhr</div><div class=v>ohne</div></div><div class=r><div class=l>Testnote</div><div class=v>befriedigend (2,9)</div></div><div class=r><div class=l>Aufbaugebühr</div><div class=v>0 €</div></div><div class=r><div class=l>Phase</div><div class=v>Phase 3</div></div><div class=r><div class=l>Vorführung</div><div class=v>17.06.2026</div></div><div class=r><div class=l>Ofentür</div><div class=v>Glastür</div></div><p class=price>430 €</p>"),
        ("Glutwerk 90", "<div class=r><div class=l>Leistung</div><div class=v>9,0 kW</div></div><div class=r><div class=l>Zeitschaltuhr</div><div class=v>analog</div></div><div class=r><div class=l>Testnote</div><div class=v>gut (2,1)</div></div><div class=r><div class=l>Aufbaugebühr</div><div class=v>79 €</div></div><div class=r><div class=l>Phase</div><div class=v>Phase 3</div></div><div class=r><div class=l>Vorführung</div><div class=v>20.06.2026</div></div><div class=r><div class=l>Ofentür</div><div class=v>Gusseisen</div></div><p class=price>2.310 €</p>"),
        ("Brennfix", "<div class=r><div class=l>Leistung</div><div class=v>4,4 kW</div></div><div class=r><div class=l>Zeitschaltuhr</div><div class=v>digital</div></div><div class=r><div class=l>Testnote</div><div class=v>ausreichend (3,7)</div></div><div class=r><div class=l>Aufbaugebühr</div><div class=v>49 €</div></div><div class=r><div class=l>Phase</div><div class=v>Phase 3</div></div><div class=r><div class=l>Vorführung</div><div class=v>17.06.2026</div></div><div class=r><div class=l>Ofentür</div><div class=v>Stahl</div></div><p class=price>760 €</p>"),
    ])
}

/// Page, instruction, places of the right entries from 1; in this order where the flag says so.
#[rustfmt::skip]
const CASES: &[Case] = &[
    (flats, "Wohnungen ab 70 m², größte zuerst", &[2, 4, 5], true),
    (flats, "nicht unter 3 Zimmern", &[2, 4, 5], false),
    (flats, "nur Nordend und Südwiesen, nur Titel, Zimmer und Kaltmiete", &[2, 3, 5], false),
    (flats, "flats with balcony under 1,000 euros", &[1, 4], false),
    (flats, "flats with at least 3 rooms, cheapest first", &[5, 4, 2], true),
    (flats, "mieszkania umeblowane", &[3], false),
    (plots, "Which plots that are not let are bigger than 150 m²?", &[3, 4], false),
    (plots, "the plots that are not let", &[1, 3, 4], false),
    (plots, "top 2 by followers", &[2, 3], true),
    (plots, "vacant plots, with site and size", &[1, 3], false),
    (plots, "except on Canal Side, under offer", &[4], false),
    (cars, "electric cars by mileage, lowest first", &[2, 5], true),
    (cars, "2019 or newer, automatic, not electric", &[4], false),
    (cars, "cars from 2019 under $20,000", &[2], false),
    (cars, "Autos ab Baujahr 2019, wenigste Meilen zuerst", &[4, 2, 5], true),
    (cars, "less than 50,000 miles, with name, year and price", &[2, 4, 5], false),
    (cars, "samochody elektryczne", &[2, 5], false),
    (courses, "kursy dla początkujących do 1000 zł", &[3, 4], false),
    (courses, "kursy stacjonarne zaczynające się przed 10 maja 2026", &[1], false),
    (courses, "dłuższe niż 20 godzin, tytuł i cena", &[1, 2], false),
    (courses, "free courses", &[4], false),
    (courses, "Online-Kurse nach dem 1. Mai 2026", &[4], false),
    (courses, "more than 100 reviews, best rated first", &[1, 3], true),
    (jobs, "remote jobs, but skip the promoted ones", &[4], false),
    (jobs, "jobs paying at least $60,000 a year, highest salary first", &[3, 4, 1], true),
    (jobs, "posted in the last 7 days", &[1, 3], false),
    (jobs, "Stellen im Homeoffice", &[1, 4], false),
    (jobs, "full-time, title and salary", &[1, 3], false),
    (league, "teams with more than 30 points", &[1, 2], false),
    (league, "clubs with fewer than 5 lost", &[1, 2], false),
    (houses, "detached homes only, nothing sold or under offer, cheapest first", &[4, 2], true),
    (houses, "properties between 1,000 and 1,500 sq ft", &[2, 4], false),
    (houses, "four bedrooms or more for less than half a million", &[2], false),
    (houses, "houses added after 1 February 2026, cheapest to dearest", &[1, 4], true),
    (concerts, "gigs in Glasgow in May that aren't sold out", &[3], false),
    (rooms_to_let, "studios over 30 sqm that aren't let yet", &[1], false),
    (rooms_to_let, "everything not bigger than 20 sqm that isn't let", &[3, 4], false),
    (rooms_to_let, "rooms which are not yet let", &[3], false),
    (shoes, "buty w rozmiarze 38", &[1, 2], false),
    (shoes, "Schuhe Größe 44", &[4], false),
    (shoes, "leather shoes not in size 38", &[4], false),
    (concerts, "List the all-ages shows in date order", &[1, 4, 3], true),
    (tenders, "Aufträge mit Angebotsfrist vor dem 1. April 2026, die früheste zuerst", &[3, 2], true),
    (tenders, "was nach dem 8. März 2026 veröffentlicht wurde", &[1, 4], false),
    (tenders, "mehr als eine halbe Million Euro", &[4], false),
    (tenders, "Ausschreibungen von privat", &[1], false),
    (plants, "rośliny wyższe niż metr i tańsze niż 150 zł", &[1], false),
    (plants, "coś do cienia", &[2], false),
    (library, "wszystko, co napisała Hanna Sowa, od najnowszych", &[4, 1, 3], true),
    (library, "książki, które są teraz dostępne", &[1, 3], false),
    (library, "wypożyczone po 2020 roku", &[2, 4], false),
    (recipes, "vegane Gerichte, die in höchstens 30 Minuten fertig sind", &[2], false),
    (recipes, "Rezepte mit Kürbis im Titel, die schnellsten zuerst", &[1, 4], true),
    (surgeries, "barrierefrei und mit Videotermin", &[2], false),
    (tariffs, "Tarife, bei denen der Hund dabei ist", &[2, 3], false),
    (tariffs, "Tarife unter 20 Euro, der billigste zuerst", &[4, 1, 5], true),
    (screenings, "films before 20 May", &[1, 2], false),
    (screenings, "films in June", &[3, 4], false),
    (screenings, "films that begin at 8pm or later", &[1, 4], false),
    (screenings, "films whose title begins with Harbour", &[1, 4], false),
    (vans, "vans in Harrowby or Culmstead, dearest first", &[4, 1], true),
    (gyms, "kluby bez zobowiązań za mniej niż 150 zł", &[1, 4], false),
    (lodges, "lodges that sleep at least 5, cheapest first", &[5, 2, 3], true),
    (lodges, "Which lodge has the highest price?", &[3], true),
    (lodges, "lodges that dont have a sauna", &[2, 4], false),
    (lodges, "lodges in Upper Tarn or Lower Tarn with no sauna", &[2, 4], false),
    (rides, "Touren, die höchstens 3 Stunden dauern", &[1, 3], false),
    (rides, "Was ist die längste Tour?", &[2], true),
    (rides, "difficult tours", &[2], false),
    (bursaries, "stypendia z terminem do końca marca 2026", &[1, 3], false),
    (bursaries, "scholarships in Dresden", &[2], false),
    (recipes, "przepisy, których przygotowanie trwa ponad dwie godziny", &[3], false),
    (outings, "events without booking, at Elm Yard or at Old Orchard", &[1], false),
    (outings, "events before 15 April", &[1], false),
    (outings, "wydarzenia w kwietniu lub maju", &[1, 2, 3], false),
    (outings, "events on 4 May or later", &[3, 4], false),
    (outings, "events that cost nothing", &[1], false),
    (outings, "Which events have no places left?", &[2], false),
    (scooters, "Roller, die schneller als 20 km/h fahren", &[2], false),
    (scooters, "scooters no faster than 20 km/h", &[1, 3], false),
    (scooters, "Roller mit mindestens 25 km Reichweite", &[1, 2], false),
    (lessons, "Kurse ab B2", &[2, 3], false),
    (lessons, "kursy angielskiego lub francuskiego na poziomie co najmniej B2", &[2, 3], false),
    (lessons, "courses in Bonn up to B1", &[1], false),
    (flats, "Wohnungen mit drei Zimmern", &[4, 5], false),
    (flats, "two rooms", &[1], false),
    (studios, "desks for less than £200 a month", &[1, 3], false),
    (studios, "where can I bring my dog?", &[1, 3], false),
    (studios, "Gdzie mogę zostawić auto?", &[2, 3], false),
    (studios, "studios with 60 desks or more", &[3, 4], false),
    (lettings, "flats under 1500", &[2, 3, 4], false),
    (lettings, "2 bed flats under 1500 a month that are not let agreed", &[3], false),
    (lettings, "flats with 2 bedrooms under 1500 a month", &[3, 4], false),
    (lettings, "flats with more than 3 bedrooms", &[5], false),
    (games, "games for my 5-year-old daughter", &[1, 4], false),
    (games, "games reduced by $10 or more", &[1, 2], false),
    (games, "rated 4.7 or better by at least 250 people", &[2], false),
    (games, "games with the most reviews, biggest number first", &[2, 4, 1, 3], true),
    (games, "gry tansze niz 25 dolarów", &[1, 4], false),
    (huts, "Hütten, die für Nichtmitglieder höchstens 30 € kosten", &[1, 3], false),
    (huts, "Hütten im Stadtteil Unterau", &[2, 3], false),
    (huts, "huts with at least 1500 watts", &[2, 3], false),
    (huts, "Wo darf mein Hund mit?", &[1, 3], false),
    (games, "games sold for less than $25 that my daughter could use", &[1, 4], false),
    (games, "the two games with the most reviews", &[2, 4], true),
    (games, "games with over 100 reveiws", &[2, 4], false),
    (scooters, "Roller mit einer Reichweite von mindestens 25 km, unterwegs höchstens 25 km/h schnell", &[1], false),
    (lodges, "lodges with a sauna, 500 dollars or more", &[3, 5], false),
    (lessons, "Englischkurse außer in Köln", &[1, 3], false),
    (lessons, "courses in another place than Bonn", &[2, 4], false),
    (concerts, "gigs after 1 May 2026, sold-out ones weglassen", &[3, 4], false),
    (rides, "Radtouren, die höchstens drei Stunden dauern", &[1, 3], false),
    (jobs, "remote jobs, best paid first", &[4, 1], true),
    (agenda, "Was läuft am Wochenende?", &[1, 4], false),
    (agenda, "co grają w poniedziałek albo we wtorek", &[2, 3], false),
    (agenda, "Was kostet nichts?", &[2], false),
    (agenda, "alles im Studio", &[2, 3], false),
    (museums, "museums that are open on Tuesdays", &[1, 3, 4], false),
    (museums, "which are open at the weekend?", &[1, 2, 4], false),
    (museums, "what is closed on Mondays?", &[1, 2, 4], false),
    (museums, "czynne w piątki", &[1, 3, 4], false),
    (museums, "from the category Gallery", &[1, 4], false),
    (museums, "everything at stand A or C", &[1, 3, 4], false),
    (museums, "founded before 1900, oldest first", &[3, 2], true),
    (museums, "height of at least 9 m, highest first", &[3, 1, 4], true),
    (museums, "alles in der Kategorie Museum, Old Mint ausgenommen", &[2], false),
    (slides, "the two longest slides", &[4, 2], true),
    (slides, "slides longer than 800 m", &[1, 2, 4], false),
    (slides, "slides that are open on Wednesdays", &[2, 4, 5], false),
    (slides, "slides with a lamp on board", &[2, 3, 5], false),
    (slides, "quiet slides", &[1, 3, 4], false),
    (slides, "leave out what is sold out or cancelled", &[2, 3, 5], false),
    (kilns, "Öfen mit Zeitschaltuhr unter 1000 Euro", &[5], false),
    (kilns, "Öfen ohne Zeitschaltuhr", &[1, 3], false),
    (kilns, "ohne Aufbaugebühr", &[2, 3], false),
    (kilns, "die zwei mit der besten Testnote", &[2, 1], true),
    (kilns, "Phase 3, günstigste zuerst", &[3, 5, 4], true),
    (kilns, "Vorführung am 17. Juni 2026", &[1, 3, 5], false),
    (kilns, "Vorführung am 18. oder 20. Juni", &[2, 4], false),
    (kilns, "Öfen über 3 kW Leistung, höchste zuerst", &[4, 5, 1], true),
    (kilns, "die mit Gussseisen", &[1, 4], false),
    (kilns, "which have a glass door?", &[2, 3], false),
    (guest_houses, "Unterkünfte mit 4 oder mehr Sternen", &[1, 3], false),
    (guest_houses, "rated at least 8.5, best first", &[2, 1], true),
    (guest_houses, "więcej niż 300 opinii", &[1, 2], false),
    (guest_houses, "noclegi z wolnymi pokojami", &[1, 3, 4], false),
    (guest_houses, "which have no rooms left?", &[2], false),
    (vans_for_sale, "Transporter aus Ulm, die noch nicht verkauft sind", &[3, 5], false),
    (vans_for_sale, "alles, was spätestens ab dem 15. Juli 2026 frei ist", &[2, 3, 5], false),
];

/// Instructions whose rows are right, and of which the verdict tells how they were understood.
const TOLD: [&str; 1] = ["nur Nordend und Südwiesen, nur Titel, Zimmer und Kaltmiete"];

/// What the rules understand of an instruction, and what its plan gives; `None` where there is no plan.
async fn answered(page: Page, instruction: &str) -> Option<(InstructionFacts, PlanReport)> {
    let page = Arc::new(page);
    let (registry, conditions) = (Registry::builtin(), Conditions::all());
    let target = PlanTarget {
        url: page.url(),
        page: Some(&page),
    };
    let made = triggers::make_plan(instruction, target, &registry, &conditions)?;
    // Days that entries state by their age count from here.
    let services = ToolServices {
        now: Some(jiff::civil::date(2026, 4, 1).at(12, 0, 0, 0)),
        ..ToolServices::default()
    };
    let mut context = ToolContext::new(services, Grant::default()).with_page(page.clone());
    let report = plans::execute(&made.checked, &registry, &mut context, &mut SilentObserver).await;
    Some((made.facts, report))
}

#[tokio::test]
async fn a_list_of_any_kind_gives_the_rows_that_a_person_would_choose() {
    assert_chosen(CASES).await;
}

/// A list, an instruction, the places of the entries that a person would choose, counted from 1, and whether their order counts.
pub(super) type Case = (fn() -> Page, &'static str, &'static [usize], bool);

/// Asserts that the plan of each instruction gives the rows that a person would choose.
pub(super) async fn assert_chosen(cases: &[Case]) {
    let mut misses = Vec::new();
    for (page, instruction, expected, is_ordered) in cases {
        let Some((facts, report)) = answered(page(), instruction).await else {
            misses.push(format!("{instruction}: no plan"));
            continue;
        };
        let rows = report
            .answer
            .as_ref()
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let place = |row: &Value| {
            let url = row["url"].as_str()?.rsplit('/').next()?;
            Some(url.parse::<usize>().ok()? + 1)
        };
        let mut got: Vec<usize> = rows.filter_map(place).collect();
        if !is_ordered {
            got.sort_unstable();
        }
        let problems: Vec<&String> = report
            .verdict
            .issues
            .iter()
            .filter(|issue| issue.contains("not applied"))
            .collect();
        let is_judged = report.verdict.status == VerdictStatus::Passed || TOLD.contains(instruction);
        if got != *expected || !is_judged || report.verdict.status == VerdictStatus::Failed {
            misses.push(format!(
                "{instruction}: {got:?}, wanted {expected:?} {problems:?} {:?}",
                facts.wishes()
            ));
        }
    }
    assert!(
        misses.is_empty(),
        "{} of {} missed:\n{}",
        misses.len(),
        cases.len(),
        misses.join("\n")
    );
}

#[tokio::test]
async fn what_was_not_understood_is_told() {
    let cases = [
        (flats(), "Wohnungen für sechs Personen"),
        (plots(), "plots from the cheapest per square metre on"),
        (courses(), "courses with no homework"),
        // What is denied was read as something else: the comparison before it stays as it was.
        (
            courses(),
            "rated by more than 100 people, except those that are here",
        ),
        (plots(), "plots that are still running"),
        (kilns(), "where can I pay by card?"),
        (kilns(), "Welche nehmen Pakete per Post an?"),
        (kilns(), "My neighbour is old. Which kilns have a timer?"),
        (
            games(),
            "games that don't need anything and that are rated 4.7 or better",
        ),
        (games(), "games that cost up to $20 or more"),
    ];
    for (page, instruction) in cases {
        let (facts, report) = answered(page, instruction).await.expect("a plan");
        assert_ne!(
            report.verdict.status,
            VerdictStatus::Passed,
            "{instruction}: {:?}",
            facts.wishes()
        );
    }
}
