//! Search boxes, date fields and dropdowns of every kind.

use crate::ask::{DemoRequest, DemoResponse};
use crate::goods::{self, Language, Product};
use crate::html::escape;
use crate::listing::ListQuery;
use crate::{shop, stays};

/// `/forms/search/..`, `/forms/date/..`, `/forms/select/..`.
pub(crate) fn page(ask: &DemoRequest, rest: &str) -> Option<DemoResponse> {
    match rest.split_once('/')? {
        ("search", kind) => search(ask, kind),
        ("date", kind) => date(ask, kind),
        ("select", kind) => select(ask, kind),
        _ => None,
    }
}

fn list(products: &[Product]) -> String {
    let count = products.len();
    format!(
        "<p class=\"count\" role=\"status\">{count} results</p><ul class=\"products\" id=\"list\">{}</ul>",
        shop::rows(products, "plain")
    )
}

/// `plain`: a form; `label`: a form without any hint but its label, and a newsletter beside it; `js`: no form at all.
fn search(ask: &DemoRequest, kind: &str) -> Option<DemoResponse> {
    let path = escape(&ask.path);
    let words = ask.get("s").map(escape).unwrap_or_default();
    let form = match kind {
        "plain" => format!("<form action=\"{path}\"><input type=\"search\" name=\"s\" value=\"{words}\"><button>Search</button></form>"),
        "label" => format!(
            "<form method=\"post\" action=\"/forms/search/label\"><label for=\"a9\">Find a product</label><input id=\"a9\" name=\"s\" value=\"{words}\">\
<button>Go</button></form><form action=\"/newsletter\"><label>Your e-mail <input type=\"email\" name=\"mail\"></label><button>Subscribe</button></form>"
        ),
        "js" => "<div role=\"search\"><input id=\"query\" placeholder=\"Search...\"><button type=\"button\" id=\"go\" aria-label=\"Search\"></button></div>".to_owned(),
        "rows" => String::new(),
        _ => return None,
    };
    let mut products = goods::all(Language::English);
    products.retain(|product| product.id <= 40);
    let found = ListQuery::read(ask, "s", "", "").select(products);
    if kind == "rows" {
        return Some(DemoResponse::of(
            "text/html; charset=utf-8",
            shop::rows(&found, "plain"),
        ));
    }
    let script = if kind == "js" {
        "<script src=\"/assets/widgets.js\"></script>"
    } else {
        ""
    };
    Some(DemoResponse::page(
        "Search",
        &format!("<h1>Search</h1>{form}{}{script}", list(&found)),
    ))
}

/// `native`, `iso`, `european` (DD.MM.YYYY), `american` (MM/DD/YYYY): fields; `links`: a calendar of links;
/// `calendar`: a calendar of buttons behind two fields that cannot be typed in.
fn date(ask: &DemoRequest, kind: &str) -> Option<DemoResponse> {
    let path = escape(&ask.path);
    let field = |kind: &str, hint: &str| {
        format!(
            "<form action=\"{path}\"><label>Check-in <input type=\"{kind}\" name=\"from\" placeholder=\"{hint}\"></label>\
<label>Check-out <input type=\"{kind}\" name=\"to\" placeholder=\"{hint}\"></label><button>Search rooms</button></form>"
        )
    };
    let form = match kind {
        "native" => field("date", ""),
        "iso" => field("text", "YYYY-MM-DD"),
        "european" => field("text", "DD.MM.YYYY"),
        "american" => field("text", "MM/DD/YYYY"),
        "links" => calendar(ask),
        "calendar" => "<div class=\"dates\"><label>Check-in <input id=\"from\" name=\"from\" readonly placeholder=\"Choose a day\"></label>\
<label>Check-out <input id=\"to\" name=\"to\" readonly placeholder=\"Choose a day\"></label><div id=\"calendar\" role=\"dialog\" aria-label=\"Choose a day\" \
hidden></div><button type=\"button\" id=\"find\">Search rooms</button></div>"
            .to_owned(),
        "rows" => String::new(),
        _ => return None,
    };
    let (from, to) = (ask.get("from"), ask.get("to"));
    let read = |text: &str| match kind {
        "european" => swap(text, '.', [2, 1, 0]),
        "american" => swap(text, '/', [2, 0, 1]),
        _ => swap(text, '-', [0, 1, 2]),
    };
    let result = match from.map(read) {
        None => "<p>Say when you come.</p>".to_owned(),
        Some(None) => "<p role=\"alert\">This date cannot be read.</p>".to_owned(),
        Some(Some(start)) => {
            let end = to.and_then(read);
            let free = stays::free(&start, end.as_deref());
            let rooms: String = free
                .iter()
                .map(|stay| format!("<li class=\"stay\">{}</li>", stay.name))
                .collect();
            let until = end.map(|end| format!(" to {end}")).unwrap_or_default();
            format!("<h2>Free from {start}{until}</h2><ul class=\"stays\">{rooms}</ul>")
        }
    };
    if kind == "rows" {
        return Some(DemoResponse::of("text/html; charset=utf-8", result));
    }
    let script = if kind == "calendar" {
        "<script src=\"/assets/calendar.js\"></script>"
    } else {
        ""
    };
    Some(DemoResponse::page(
        "Rooms",
        &format!("<h1>Rooms</h1>{form}<div id=\"result\">{result}</div>{script}"),
    ))
}

/// An ISO date from three numbers in another order.
fn swap(text: &str, sign: char, order: [usize; 3]) -> Option<String> {
    let parts: Vec<&str> = text.split(sign).collect();
    let part = |at: usize, length: usize| {
        let part = parts.get(*order.get(at)?)?;
        (part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())).then_some(*part)
    };
    (parts.len() == 3).then_some(())?;
    Some(format!("{}-{}-{}", part(0, 4)?, part(1, 2)?, part(2, 2)?))
}

const MONTHS: [(&str, u32); 12] = [
    ("January", 31),
    ("February", 28),
    ("March", 31),
    ("April", 30),
    ("May", 31),
    ("June", 30),
    ("July", 31),
    ("August", 31),
    ("September", 30),
    ("October", 31),
    ("November", 30),
    ("December", 31),
];

/// A month of 2027 as a table of links: the first click is the arrival, the second the departure.
fn calendar(ask: &DemoRequest) -> String {
    let month = ask.number::<usize>("month").unwrap_or(1).clamp(1, 12);
    let (name, days) = MONTHS.get(month - 1).copied().unwrap_or(("", 0));
    let step = |to: usize, label: &str| {
        format!(
            "<a href=\"{}\" aria-label=\"{label}\">{label}</a>",
            escape(&ask.with("month", &to.to_string()))
        )
    };
    // 2027-01-01 is a Friday.
    let before: u32 = MONTHS.iter().take(month - 1).map(|month| month.1).sum();
    let lead = (before + 4) % 7;
    let mut cells = "<tr>".to_owned() + &"<td></td>".repeat(lead as usize);
    for day in 1..=days {
        let iso = format!("2027-{month:02}-{day:02}");
        let key = if ask.get("from").is_some() && ask.get("to").is_none() {
            "to"
        } else {
            "from"
        };
        cells.push_str(&format!(
            "<td><a href=\"{}\" aria-label=\"{day} {name} 2027\">{day}</a></td>",
            escape(&ask.with(key, &iso))
        ));
        if (lead + day).is_multiple_of(7) {
            cells.push_str("</tr><tr>");
        }
    }
    format!(
        "<div class=\"calendar\">{}<strong>{name} 2027</strong>{}<table><thead><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su</tr></thead><tbody>{cells}</tr></tbody></table></div>",
        if month > 1 {
            step(month - 1, "Previous month")
        } else {
            String::new()
        },
        if month < 12 {
            step(month + 1, "Next month")
        } else {
            String::new()
        },
    )
}

const ORDERS: [(&str, &str); 4] = [
    ("", "Our choice"),
    ("price", "Price: low to high"),
    ("price-desc", "Price: high to low"),
    ("name", "Name"),
];

/// `native`, `list` (a select that shows several lines): forms; `listbox`, `combobox`: widgets.
fn select(ask: &DemoRequest, kind: &str) -> Option<DemoResponse> {
    let path = escape(&ask.path);
    let mut products = goods::of_category(Language::English, 2);
    products.truncate(10);
    let found = ListQuery::read(ask, "", "", "").select(products);
    let chosen = ask.get("sort").unwrap_or_default();
    let option = |(value, label): &(&str, &str)| {
        let selected = if *value == chosen { " selected" } else { "" };
        format!("<option value=\"{value}\"{selected}>{label}</option>")
    };
    let options: String = ORDERS.iter().map(option).collect();
    let item = |(value, label): &(&str, &str)| {
        let selected = *value == chosen;
        format!(
            "<li role=\"option\" id=\"o-{value}\" data-value=\"{value}\" aria-selected=\"{selected}\">{label}</li>"
        )
    };
    let items: String = ORDERS.iter().map(item).collect();
    let form = match kind {
        "native" => format!(
            "<form action=\"{path}\"><label>Sort by <select name=\"sort\">{options}</select></label><label>Colour <select name=\"colour\">\
<option>Red</option><option>Green</option></select></label><button>Apply</button></form>"
        ),
        "list" => format!(
            "<form action=\"{path}\"><label>Sort by <select name=\"sort\" size=\"4\">{options}</select></label><button>Apply</button></form>"
        ),
        "listbox" => format!(
            "<div class=\"sort\"><span id=\"l1\">Sort by</span> <button type=\"button\" id=\"open\" aria-haspopup=\"listbox\" aria-expanded=\"false\" \
aria-label=\"Sort by\">Our choice</button><ul role=\"listbox\" id=\"options\" aria-label=\"Sort by\" hidden>{items}</ul></div>"
        ),
        "combobox" => format!(
            "<div class=\"sort\"><label for=\"combo\">Sort by</label> <input id=\"combo\" role=\"combobox\" aria-expanded=\"false\" aria-controls=\"options\" \
autocomplete=\"off\"><ul role=\"listbox\" id=\"options\" aria-label=\"Sort by\" hidden>{items}</ul></div>"
        ),
        "rows" => {
            return Some(DemoResponse::of(
                "text/html; charset=utf-8",
                shop::rows(&found, "plain"),
            ));
        }
        _ => return None,
    };
    let script = match kind {
        "listbox" | "combobox" => "<script src=\"/assets/widgets.js\"></script>",
        _ => "",
    };
    Some(DemoResponse::page(
        "Kettles",
        &format!("<h1>Kettles</h1>{form}{}{script}", list(&found)),
    ))
}
