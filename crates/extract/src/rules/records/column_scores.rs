//! Scores of a column of a list as its title, price, date and other fields.
//!
//! A likeness is about 0 to 2 and only good for comparing the columns of one list; `None`
//! means that the column cannot be it.

use page::dom::Node;

use super::super::addresses::leads_to_author;
use super::super::product::rating as page_rating;
use super::columns::RecordColumn;
use super::regions;

/// Whether the names of an element (classes, itemprop, test id) have one of the words.
pub(super) fn is_named(node: Node<'_>, words: &[&str]) -> bool {
    let names = node.classes().chain(
        ["itemprop", "data-testid"]
            .into_iter()
            .filter_map(|attribute| node.attr(attribute)),
    );
    let is_word = |part: &str| words.iter().any(|word| part.eq_ignore_ascii_case(word));
    // Of a part without humps the only one is the part itself.
    let has_word = |part: &str| is_word(part) || (has_humps(part) && humps(part).any(is_word));
    names
        .into_iter()
        .any(|name| name.split(|c: char| !c.is_ascii_alphanumeric()).any(has_word) && !is_of_style(name))
}

/// Whether a class says how something looks: `hover:text-brand-500` and `bg-brand-50` have the colour of the brand of a site.
fn is_of_style(name: &str) -> bool {
    let is_colour = || {
        ["text-", "bg-", "border-", "ring-", "fill-", "stroke-"]
            .iter()
            .any(|property| name.starts_with(property))
    };
    name.contains(':') || (name.contains("-brand") && is_colour())
}

/// Whether a capital within a name begins a word of its own.
fn has_humps(name: &str) -> bool {
    let mut neighbours = name.as_bytes().windows(2);
    neighbours.any(|pair| matches!(pair, [b'a'..=b'z', b'A'..=b'Z']))
}

/// The words of a name in which each begins with a capital: `product` and `Title` of `productTitle`.
fn humps(name: &str) -> impl Iterator<Item = &str> {
    let bytes = name.as_bytes();
    let is_border = |at: &usize| {
        let of = |at: usize| bytes.get(at).copied().unwrap_or_default();
        *at == name.len() || (of(*at).is_ascii_uppercase() && of(at.saturating_sub(1)).is_ascii_lowercase())
    };
    let mut from = 0;
    (1..=name.len()).filter(is_border).filter_map(move |to| {
        let part = name.get(from..to);
        from = to;
        part
    })
}

fn when(test: bool, value: f32) -> f32 {
    if test { value } else { 0.0 }
}

pub(super) fn is_heading(node: Node<'_>) -> bool {
    matches!(node.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Whether a cell says what its row of a table is about.
pub(super) fn is_row_header(node: Node<'_>) -> bool {
    (node.is("th") && node.attr("scope") == Some("row")) || node.attr("role") == Some("rowheader")
}

/// Labels that every record repeats ("View details", "Add to cart") say nothing of the record.
fn is_label(column: &RecordColumn) -> bool {
    let cells = column.cells.len();
    (cells >= 4 && column.distinct < 0.35) || (cells >= 2 && column.repeats())
}

/// A short text of its own in each record: heading, link, named so.
pub(super) fn title(column: &RecordColumn, node: Node<'_>) -> Option<f32> {
    let possible = (2.0..=220.0).contains(&column.chars) && column.priced <= 0.5 && column.addresses < 0.5;
    if !possible || is_label(column) {
        return None;
    }
    let tag = match node.tag() {
        "a" | "dt" | "summary" => 0.4,
        "b" | "strong" => 0.25,
        _ if is_row_header(node) => 0.5,
        _ => when(is_heading(node), 0.5),
    };
    let named = when(
        is_named(node, &["title", "name", "headline", "heading", "subject", "hed"]),
        0.45,
    );
    let inside = when(node.ancestors().take(2).any(is_heading), 0.1);
    let plain = !node.children().any(|it| it.is_element());
    let part_of_link = when(
        plain && node.ancestors().take(3).any(|ancestor| ancestor.is("a")),
        0.25,
    );
    let telling = tag + named + inside + part_of_link;
    let length = (column.chars - 90.0).max(0.0) / 200.0 + when(column.words < 2.0, 0.2);
    let dated = when(column.dated > 0.7 && column.words < 5.0, 0.5);
    // A count of reviews or a year names nothing while words do.
    let bare = when(column.numbers > 0.7, 0.6);
    let spread = column.coverage * (0.4 + column.distinct * 0.6) * 0.8;
    (telling > 0.0).then_some(spread + telling - length - dated - bare - column.order as f32 * 0.004)
}

/// Where nothing tells which text is the title: a short text that every record has, and each another one. The first of them.
pub(super) fn plain_title(column: &RecordColumn, node: Node<'_>) -> Option<f32> {
    let is_text = (3.0..=120.0).contains(&column.chars)
        && column.priced == 0.0
        && column.dated < 0.3
        && column.numbers < 0.1
        && column.measures < 0.5
        && column.addresses == 0.0;
    let is_own = column.cells.len() >= 4 && column.coverage > 0.9 && column.distinct > 0.9;
    let is_leaf = !column.whole && !node.children().any(|it| it.is_element());
    (is_text && is_own && is_leaf).then(|| 1.0 + 1.0 / (1.0 + column.order as f32))
}

/// A few words with a sum of money; not the price that was.
pub(super) fn price(column: &RecordColumn, node: Node<'_>) -> Option<f32> {
    let old = is_named(node, &["old", "was", "list", "strike", "regular", "original"])
        || matches!(node.tag(), "del" | "s" | "strike");
    let named = is_named(node, &["price", "amount", "cost", "prices"]);
    let possible = !column.whole && column.words <= 12.0 && column.priced >= 0.3 && column.digits >= 0.3;
    possible.then_some(
        column.priced * 0.5 + column.coverage * 0.4 + when(named, 0.2) - when(old, 0.4) - column.words * 0.03,
    )
}

/// Names of elements that hold a date.
#[rustfmt::skip]
const DATE_NAMES: &[&str] = &[
    "date", "time", "published", "posted", "age", "timestamp", "datepublished",
];

/// A few words about a day, or more words of which one part is a day in the share of texts that `stated` gives.
pub(super) fn date(column: &RecordColumn, node: Node<'_>, stated: impl Fn() -> f32) -> Option<f32> {
    let time = node.is("time") || node.attr("datetime").is_some();
    let named = is_named(node, DATE_NAMES);
    // "PT35M" is how long something takes.
    if node.attr("datetime").is_some_and(is_duration) {
        return None;
    }
    if column.whole || (column.dated < 0.5 && !time) {
        return None;
    }
    let likeness = column.dated * 0.4 + column.coverage * 0.3 + when(time, 0.4) + when(named, 0.25);
    if column.words <= 9.0 {
        return Some(likeness - column.words * 0.02);
    }
    let is_line = column.words <= MOST_WORDS_OF_LINE && !node.children().any(|it| it.is_block());
    // One long day makes no other column of what is named or tagged a day.
    if is_line && (time || named) {
        return Some(likeness - 0.25);
    }
    (is_line && stated() >= 0.5).then_some(likeness - 0.25)
}

/// Whether a machine-readable time is a duration of ISO 8601: `PT35M`, `P2D`.
fn is_duration(datetime: &str) -> bool {
    datetime.trim_start().starts_with('P') && datetime.contains(|c: char| c.is_ascii_digit())
}

/// Most words of a line that tells several things of an entry.
const MOST_WORDS_OF_LINE: f32 = 24.0;

/// Names of elements that hold a description.
#[rustfmt::skip]
const DESCRIPTION_NAMES: &[&str] = &[
    "description", "summary", "snippet", "excerpt", "abstract", "teaser", "desc", "body", "blurb",
];

/// Mean words of a line that states a day, below which it describes nothing.
const LINE_OF_DAY: f32 = 15.0;

/// The longest text that is neither linked nor a frame around other elements.
pub(super) fn description(column: &RecordColumn, node: Node<'_>) -> Option<f32> {
    let named = is_named(node, DESCRIPTION_NAMES);
    let plain = !node.children().any(|it| it.is_block());
    // A time is none, however many words it has; a text that is called so may be short.
    let is_time = node.is("time") || node.attr("datetime").is_some();
    let possible = !column.whole
        && !is_time
        && column.words >= if named { 2.0 } else { 4.0 }
        && (plain || named)
        && column.linked < 0.6
        && column.addresses < 0.5;
    if !possible || is_label(column) {
        return None;
    }
    let length = (column.words / 40.0).min(1.0) * 0.5;
    let paragraph = node.is("p") || node.is("dd");
    // "6 June 2024 · 48 min · with Ann Lee" tells less than a sentence of as many words.
    let is_line_of_day = column.dated >= 0.8 && column.words < LINE_OF_DAY && !named;
    let told = column.coverage * 0.3 + when(named, 0.4) + when(paragraph, 0.2) + when(plain, 0.1);
    Some(length + told - when(is_line_of_day, 0.2))
}

/// A short text that names who wrote an entry; `told` is the share of its texts that say so.
pub(super) fn author(column: &RecordColumn, node: Node<'_>, told: f32) -> Option<f32> {
    let by_link = node.attr("rel") == Some("author") || node.attr("href").is_some_and(leads_to_author);
    let outer = node.parent();
    // A product is "by" the one who makes it.
    let is_maker = |node: Node<'_>| is_named(node, &["brand", "maker", "manufacturer", "vendor", "seller"]);
    if is_maker(node) || outer.is_some_and(is_maker) || is_of_last_post(node) {
        return None;
    }
    if told < 0.5 && !by_link {
        return named(column, node, AUTHOR_NAMES);
    }
    let possible = !column.whole && column.chars > 0.0 && column.words <= 20.0;
    possible.then_some(0.4 + column.coverage * 0.5 + told * 0.5 - column.words * 0.03)
}

/// Most elements around a name of which one may say that it is that of the last post.
const MOST_AROUND: usize = 4;

/// Whether an element tells who wrote last in a thread: `td.LastUser`, `div.last-post`, a cell below "Last post".
fn is_of_last_post(node: Node<'_>) -> bool {
    if heading_of_cell(node).is_some_and(|heading| LAST_HEADING.is_match(&heading)) {
        return true;
    }
    let around = std::iter::once(node).chain(node.ancestors().take(MOST_AROUND));
    // A card of a blog may be a "last post" as a whole.
    let is_part = |node: &Node<'_>| !matches!(node.tag(), "article" | "li" | "section" | "tr");
    around.into_iter().filter(is_part).any(|node| {
        node.class().split_whitespace().any(|class| {
            let class = class.to_ascii_lowercase().replace(['-', '_'], "");
            LAST_POST.contains(&class.as_str())
        })
    })
}

/// The heading of the table column in which an element stands, where the first row of the table has headings alone.
fn heading_of_cell(node: Node<'_>) -> Option<String> {
    let around = || std::iter::once(node).chain(node.ancestors());
    let cell = around().take(MOST_AROUND + 1).find(|it| it.is("td"))?;
    let table = cell.ancestors().take(MOST_AROUND).find(|it| it.is("table"))?;
    let first = table.descendants().take(MOST_BEFORE_ROW).find(|it| it.is("tr"))?;
    let place = cell
        .siblings_before()
        .filter(|it| it.is("td") || it.is("th"))
        .count();
    let heading = first.children().filter(|it| it.is_element()).nth(place)?;
    heading.is("th").then(|| heading.text())
}

/// Most nodes of a table before its first row.
const MOST_BEFORE_ROW: usize = 50;

/// Class names of what tells of the last post, without hyphens.
const LAST_POST: [&str; 6] = [
    "lastuser",
    "lastpost",
    "lastposter",
    "lastpostby",
    "lastreply",
    "lastcomment",
];

/// Names of elements that hold an author.
const AUTHOR_NAMES: &[&str] = &["author", "authors", "byline", "creator", "username", "submitter"];

/// A short text under a name.
pub(super) fn named(column: &RecordColumn, node: Node<'_>, words: &[&str]) -> Option<f32> {
    let possible = !column.whole && column.chars > 0.0 && column.words <= 12.0 && is_named(node, words);
    possible.then_some(0.4 + column.coverage - column.words * 0.01 - when(is_label(column), 0.3))
}

/// Below so many pixels a picture is a sign or a portrait; from so many on, both ways, it is of what the entry is about.
const SMALL_PICTURE: f32 = 65.0;
const LARGE_PICTURE: f32 = 150.0;

/// An image of some size; `distinct` is the share of records with an image of their own.
pub(super) fn image(column: &RecordColumn, node: Node<'_>, distinct: f32) -> Option<f32> {
    let size = |name| {
        node.attr(name)
            .and_then(|value| value.trim_end_matches("px").parse::<f32>().ok())
    };
    let small = ["width", "height"]
        .into_iter()
        .filter_map(size)
        .any(|pixels| pixels < SMALL_PICTURE);
    let sizes = || ["width", "height"].into_iter().filter_map(size);
    let large = sizes().count() == 2 && sizes().all(|pixels| pixels >= LARGE_PICTURE);
    let badge = is_named(
        node,
        &[
            "icon", "favicon", "star", "stars", "rating", "logo", "avatar", "badge", "flag", "sprite",
        ],
    );
    let likeness = column.coverage * 0.5 + distinct * 0.6 - when(small, 0.5) - when(badge, 0.3)
        + when(large, 0.2)
        - column.order as f32 * 0.002;
    (node.is("img") && (distinct > 0.3 || column.cells.len() < 4)).then_some(likeness)
}

locale::patterns! {
    /// The heading of a column that tells of what was written last: "Last post", "Letzte Aktivität", "Ostatni post".
    static LAST_HEADING = r"(?i)\b(?:last|latest|newest|recent|letzte\p{L}*|neueste\p{L}*|ostatni\p{L}*|najnowsz\p{L}*|derni\p{L}+|últim\p{L}+)\s+(?:post\p{L}*|repl\p{L}*|activit\p{L}*|messages?|comments?|beitr\p{L}*|antwort\p{L}*|aktivität\p{L}*|nachricht\p{L}*|wpis\p{L}*|odpowied\p{L}*|aktywnoś\p{L}*|réponses?|mensajes?|respuestas?)\b";
    /// A number of points or votes that readers gave, which is no rating on a scale.
    static VOTES = r"(?i)^\W*\d+\s*(?:points?|pts|votes?|upvotes?|karma|punkte?n?|punkt(?:y|ów)?|głos(?:y|ów)?|stimmen?)\W*$";
}

/// Attributes that state a rating.
#[rustfmt::skip]
const RATING_ATTRIBUTES: &[&str] = &[
    "content", "aria-label", "title", "alt", "data-rating", "data-ratingstars", "data-rating-value", "data-score", "data-stars",
    "data-average",
];

/// A rating that an element states: `4.5` of `4.5 out of 5 stars`, from its label, content or short text.
pub(super) fn rating(node: Node<'_>) -> Option<String> {
    let named = is_named(
        node,
        &["rating", "ratingvalue", "stars", "star", "score", "ratings"],
    );
    let drawn = page_rating::rating_in_class(node);
    if drawn.is_some() {
        return drawn;
    }
    let mut labels = ["aria-label", "title"]
        .into_iter()
        .filter_map(|name| node.attr(name));
    if !named && !labels.any(regions::mentions_stars) {
        return None;
    }
    let stated = RATING_ATTRIBUTES.iter().filter_map(|name| node.attr(name));
    // The rating and its count may touch in the text: "8,9" and "412 reviews".
    let text = node.text();
    let mut pieces = node.descendants().filter_map(Node::text_value).map(str::trim);
    let first = pieces.find(|piece| !piece.is_empty()).unwrap_or_default();
    let decimals = |number: &String| number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let of_text = || leading_number(&text).filter(|number| decimals(number) <= 2 && !VOTES.is_match(&text));
    let of_first = || leading_number(first).filter(|number| (1..=2).contains(&decimals(number)));
    let mut stated = stated.filter_map(leading_number);
    stated.next().or_else(of_text).or_else(of_first)
}

/// The first number of a short text, where it can be a rating: 0 to 10, with a point.
fn leading_number(text: &str) -> Option<String> {
    let mut numbers = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')));
    let number = numbers.find(|run| run.starts_with(|c: char| c.is_ascii_digit()))?;
    let number = number.trim_end_matches(['.', ',']).replace(',', ".");
    let value: f32 = number.parse().ok()?;
    (text.len() < 60 && (0.0..=10.0).contains(&value)).then_some(number)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    #[test]
    fn a_class_of_the_colour_of_a_brand_names_nothing() {
        let is_maker = |class: &str| {
            let page = Page::new(format!("<h3 class='{class}'>iPhone 13 Battery</h3>"), None);
            let heading = page.dom().by_tag("h3").next();
            heading.is_some_and(|heading| is_named(heading, &["brand"]))
        };
        assert!(is_maker("card-brand") && is_maker("productBrand") && is_maker("text-sm brand"));
        assert!(!is_maker("text-sm group-hover:text-brand-500") && !is_maker("bg-brand-50"));
    }

    #[test]
    fn points_that_readers_gave_are_no_rating() {
        let rated = |text: &str| {
            let page = Page::new(format!("<span class=score>{text}</span>"), None);
            page.dom().by_tag("span").next().and_then(rating)
        };
        assert_eq!(rated("1 point"), None);
        assert_eq!(rated("7 votes"), None);
        assert_eq!(rated("8.5 points").as_deref(), Some("8.5"));
        assert_eq!(rated("8.4 points of 10").as_deref(), Some("8.4"));
        assert_eq!(rated("4.5").as_deref(), Some("4.5"));
    }
}
