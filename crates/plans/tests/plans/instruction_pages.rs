//! What instructions ask of more than the words of a list: the day of the page, its other tables, ages, sections.

use page::Page;

use super::instruction_lists::{Case, assert_chosen, list};

#[rustfmt::skip]
fn animals() -> Page {
    list("en", "Animals for adoption", &[
        ("Biscuit", "<p>Dog · Beagle cross</p><dl><dt>Sex</dt><dd>Male</dd><dt>Age</dt><dd>3 years</dd><dt>With us since</dt><dd>18 February 2026</dd></dl><p>£220</p>"),
        ("Saffron", "<p>Cat · Longhair</p><dl><dt>Sex</dt><dd>Female</dd><dt>Age</dt><dd>5 months</dd><dt>With us since</dt><dd>28 April 2026</dd></dl><p>£95</p>"),
        ("Tuppence", "<p>Cat · Shorthair</p><dl><dt>Sex</dt><dd>Female</dd><dt>Age</dt><dd>20 months</dd><dt>With us since</dt><dd>7 April 2026</dd></dl><p>£90</p>"),
        ("Mrs Tibbs", "<p>Cat · Tabby</p><dl><dt>Sex</dt><dd>Female</dd><dt>Age</dt><dd>12 years</dd><dt>With us since</dt><dd>3 November 2025</dd></dl><p>£40</p>"),
        ("Rocket", "<p>Dog · Collie</p><dl><dt>Sex</dt><dd>Male</dd><dt>Age</dt><dd>14 months</dd><dt>With us since</dt><dd>22 March 2026</dd></dl><p>£250</p>"),
    ])
}

#[rustfmt::skip]
fn small_ads() -> Page {
    list("pl", "Telefony", &[
        ("Lumo 13", "<p>1 350 zł</p><p>do negocjacji</p><p>Warszawa, Mokotów</p>"),
        ("Orin A54", "<p>999 zł</p><p>Warszawa, Wola</p>"),
        ("Orin S21", "<p>780 zł</p><p>Kraków</p>"),
        ("Pixo 6", "<p>380 zł</p><p>do negocjacji</p><p>Łódź</p>"),
    ])
}

/// A museum's programme that says which day it is, of another year than the run.
fn tours() -> Page {
    let entries = [
        ("Behind the stacks", "Wed 13 May 2027, 2 pm"),
        ("Pirates and wrecks", "Sat 22 May 2027, 11 am"),
        ("Slow looking", "Tue 18 May 2027, 3 pm"),
        ("Night at the bird room", "Fri 4 June 2027, 8 pm"),
    ];
    let entry = |(at, (name, day)): (usize, &(&str, &str))| {
        format!(
            "<article class=card><h2><a href='/e/{at}'>{name}</a></h2><p>{day}</p><p>Meet in the foyer</p></article>"
        )
    };
    let cards: String = entries.iter().enumerate().map(entry).collect();
    let html = format!(
        "<html lang=en><title>Tours</title><body><p>Today, Wednesday 12 May 2027: open 10 am – 6 pm.</p><main><h1>Tours</h1><div class=list>{cards}</div></main>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

/// The events of a town that say their days without the year, which the markup has, with filters above them.
fn evenings() -> Page {
    let entries = [
        (
            "Quartett",
            "2025-11-06T20:00",
            "Do., 06.11., 20:00 Uhr",
            "Jazz",
            "Jazzkeller",
            "18,00 €",
        ),
        (
            "Poetry Slam",
            "2025-11-10T19:30",
            "Mo., 10.11., 19:30 Uhr",
            "Lesung",
            "Kulturfabrik",
            "9,00 €",
        ),
        (
            "Blue Session",
            "2025-11-10T20:30",
            "Mo., 10.11., 20:30 Uhr",
            "Jazz",
            "Jazzkeller",
            "Eintritt frei",
        ),
        (
            "Kraftfeld",
            "2025-11-14T22:00",
            "Fr., 14.11., 22:00 Uhr",
            "Elektronik",
            "Alte Brauerei",
            "14,00 €",
        ),
        (
            "Swing im Advent",
            "2025-11-30T16:00",
            "So., 30.11., 16:00 Uhr",
            "Jazz",
            "Alte Brauerei",
            "15,00 €",
        ),
    ];
    let entry = |(at, (name, day, shown, kind, venue, price)): (
        usize,
        &(&str, &str, &str, &str, &str, &str),
    )| {
        format!(
            "<li><time datetime={day}>{shown}</time><h3><a href='/v/{at}'>{name}</a></h3><p><i>{kind}</i> <span>{venue}</span></p><p><strong>{price}</strong></p></li>"
        )
    };
    let entries: String = entries.iter().enumerate().map(entry).collect();
    let html = format!(
        "<html lang=de><title>Veranstaltungen</title><body><main><h1>Veranstaltungen</h1><p>Stand: Mittwoch, 5. November 2025</p>\
         <form><label>Spielort <select><option>alle</option><option>Jazzkeller</option><option>Kulturfabrik</option><option>Alte Brauerei</option></select></label></form>\
         <ul>{entries}</ul></main>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

/// The threads of a forum in a table.
fn threads() -> Page {
    let thread = |(at, (name, label, replies, views, last)): (usize, &(&str, &str, u32, &str, &str))| {
        format!(
            "<tr><td class=subject>{label}<a href='/t/{at}'>{name}</a><div>von <a href='/member/{at}'>Rad_{at}</a> in <a href='/f'>Technik</a></div></td>\
             <td>{replies}</td><td>{views}</td><td>{last}<div>von <a href='#'>Anna{at}</a></div></td></tr>"
        )
    };
    let threads = [
        (
            "Bremse quietscht nach Regen",
            "<span>gelöst</span> ",
            14,
            "812",
            "Heute, 14:12",
        ),
        ("Welches Dreirad für Kinder?", "", 37, "2.405", "Heute, 16:20"),
        (
            "Akku lädt nur bis 80 Prozent",
            "<span>gelöst</span> ",
            22,
            "1.530",
            "Heute, 09:41",
        ),
        ("Suche Verdeck für Modell L2", "", 0, "64", "Gestern, 08:05"),
        ("Reifen im Vergleich", "", 8, "18.020", "03.02.2025, 10:12"),
    ];
    let threads: String = threads.iter().enumerate().map(thread).collect();
    let html = format!(
        "<html lang=de><title>Forum</title><body><main><h1>Forum</h1><table><thead><tr><th>Thema / Ersteller</th><th>Antworten</th><th>Aufrufe</th><th>Letzte Aktivität</th></tr></thead><tbody>{threads}</tbody></table></main>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

/// The matches of a club, and the standings of its league beside them.
fn club() -> Page {
    let clubs = [
        "Altenbruch",
        "Lamstedt",
        "Bederkesa",
        "Hemmoor",
        "Wursten",
        "Sahlenburg",
    ];
    let matches: String = (0..6)
        .map(|at| {
            let (home, guest) = (clubs[at], clubs[(at + 1) % 6]);
            format!("<div class=spiel><span class=d>{}.04.2026 15:00 Uhr</span> <h3><a href='/m/{at}'>{home} – {guest}</a></h3> <span>Rasen</span> <span>{at}:1</span></div>", at + 2)
        })
        .collect();
    let standings: String = (0..6)
        .map(|at| {
            format!(
                "<tr><td>{}.</td><td><a href='/e/{at}'>{}</a></td><td>{}:9</td><td>{}</td></tr>{}",
                at + 1,
                clubs[5 - at],
                30 - at,
                40 - 4 * at,
                // An advertisement over all columns within the table.
                if at == 2 {
                    "<tr><td colspan=4>Anzeige: Camp im Sommer</td></tr>"
                } else {
                    ""
                }
            )
        })
        .collect();
    let html = format!(
        "<html lang=de><title>Spielplan</title><body><main><h1>Spielplan</h1><div class=liste>{matches}</div></main><aside><h3>Tabelle Bezirksliga</h3>\
         <table><thead><tr><th>Pl.</th><th>Verein</th><th>Tore</th><th>Pkt.</th></tr></thead><tbody>{standings}<tr><td>–</td><td>Hechthausen</td><td colspan=2>zurückgezogen</td></tr></tbody></table></aside>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

/// Laptops in a table, the processors of which have numbers that look like hours.
fn laptops() -> Page {
    let rows = [
        ("Dellon 5690", "Core 9 185H", "up to 10.5 h", "£1,500"),
        ("Gram 17", "Core 7 155H", "up to 19 h", "£1,300"),
        ("Air 13", "M4", "up to 18 h", "£999"),
        ("Omen 16", "Ryzen 9", "up to 6 h", "£1,250"),
    ];
    let row = |(at, (name, processor, battery, price)): (usize, &(&str, &str, &str, &str))| {
        format!(
            "<tr><th><a href='/e/{at}'>{name}</a></th><td>{processor}</td><td>{battery}</td><td>{price}</td></tr>"
        )
    };
    let rows: String = rows.iter().enumerate().map(row).collect();
    let html = format!(
        "<html lang=en><title>Laptops</title><body><h1>Laptops</h1>\
         <table><tr><th>Model</th><th>Processor</th><th>Battery</th><th>Price</th></tr>{rows}</table>"
    );
    Page::new(html, Some("https://list.example/all".parse().unwrap()))
}

#[rustfmt::skip]
fn films() -> Page {
    list("en", "Films", &[
        ("Alpha", "<dl><dt>Rating</dt><dd>7.2</dd><dt>Runtime</dt><dd>120 min</dd></dl>"),
        ("Beta", "<dl><dt>Rating</dt><dd>6.1</dd><dt>Runtime</dt><dd>170 min</dd></dl>"),
        ("Delta", "<dl><dt>Rating</dt><dd>7.1</dd><dt>Runtime</dt><dd>165 min</dd></dl>"),
        ("Gamma", "<dl><dt>Rating</dt><dd>8.8</dd><dt>Runtime</dt><dd>95 min</dd></dl>"),
    ])
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    (animals, "female cats under two years old, youngest first", &[2, 3], true),
    (animals, "the 2 oldest animals", &[4, 1], true),
    (small_ads, "phones where the price is negotiable", &[1, 4], false),
    (tours, "tours next week", &[2, 3], false),
    (tours, "the next two tours", &[1, 3], true),
    (tours, "what is on tomorrow?", &[1], false),
    (club, "welche Vereine haben mehr als 30 Punkte? nur Verein und Punkte", &[1, 2, 3], false),
    (laptops, "battery lasts longer than 15 hours, longest first", &[2, 3], true),
    (films, "films with rating above 7, longest first", &[3, 1, 4], true),
    (evenings, "Was ist nächste Woche los?", &[2, 3, 4], false),
    (evenings, "Jazz unter 20 Euro, das Günstigste zuerst", &[3, 5, 1], true),
    (threads, "Wo wurde heute noch etwas geschrieben? Neueste Aktivität zuerst bitte", &[2, 1, 3], true),
    (threads, "Welche drei Themen wurden am häufigsten angesehen?", &[5, 2, 3], true),
];

#[tokio::test]
async fn a_page_is_more_than_the_words_of_its_list() {
    assert_chosen(CASES).await;
}
