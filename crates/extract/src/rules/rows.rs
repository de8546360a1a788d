//! Rows: the entries of a page's list with typed fields. Everything that reads lists takes them from here.
//!
//! The record finder says which elements are the entries and which text of each is title, date or description (`records`).
//! What is added here is typed: the amounts of money of all entries are told apart by the place that they have in common
//! (`price_roles`), and entries that the markup describes too are completed from it (`markup`).

mod adverts;
mod amount_labels;
mod amount_names;
mod author_links;
mod badges;
mod column_names;
mod copies;
mod dates;
mod description;
mod drawn_stars;
mod elements;
mod facts;
mod filter_labels;
mod free_entries;
mod guest_scores;
mod headed;
mod icons;
mod list_links;
mod list_signs;
mod markup;
mod money;
mod no_results;
mod pictured;
mod posts;
mod price_roles;
mod promotions;
mod properties;
mod row;
mod said_amounts;
mod sections;
mod single_cards;
mod table_columns;
mod table_rows;
mod tabled;
#[cfg(test)]
mod tests;
mod votes;
mod wages;

pub use dates::without_byline;
pub use table_rows::{DataTable, data_tables, table_group};

use std::cell::OnceCell;
use std::collections::HashMap;

use locale::dates::DateOrder;
use page::Page;
use page::dom::{Node, NodeId};
use serde_json::Value;

use super::product::{availability, rating};
use super::records::{self, Record, RecordGroup, RecordOptions};
use super::visible_page::VisiblePage;
use super::{author, class_flags, lines};
use elements::elements;
use markup::MarkupRow;
use pictured::EntryName;
use price_roles::RowPrices;
pub use row::Row;
use table_columns::LaidTables;
pub use tabled::names_nothing;
pub(crate) use wages::{TimeUnit, time_unit};

/// Longest text that states a rating, a count of reviews or a stock, in bytes.
const LONGEST_NOTE: usize = 60;
/// A list of at least this many entries is not believed to be sold out altogether.
const ALL_SOLD_OUT: usize = 4;
/// Fewest entries of a list of which some may have no price.
const LIST: usize = 4;
/// Labelled values by which an entry is known whose link leads nowhere.
const LABELLED: usize = 2;

locale::patterns! {
    /// A rating behind stars: "★★★★★ 4.8".
    static STARRED = r"(?:[★☆✩✭⯪⯨½]{2,}\s*|[★⭐⌀]\s*)([0-5](?:[.,]\d{1,2})?)(?:\s|$|[(/|·])";
    /// What a company is rated, behind its name: "Acme 4.5", "Acme ★ 4 (12)". A number alone is a part of the name: "Forever 21".
    static RATED_NAME = r"^(.*?\p{L}.*?)(?:[(\s]*(?:[★☆⭐]+(?:\s*\d{1,2}(?:[.,]\d{1,2})?)?|\b[0-5][.,]\d{1,2}\s*[★☆⭐]*|\b\d{1,2}\s*[★☆⭐]+)\s*\)?)?\s*(?:\(\s*\d[\d., ]*\))?[\s,]*$";
}

/// The list of a page, each part of which is looked for when somebody first asks.
pub struct ListReader<'v, 'p> {
    view: &'v VisiblePage<'p>,
    described: OnceCell<Vec<MarkupRow>>,
    groups: OnceCell<Vec<RecordGroup>>,
}

impl<'v, 'p> ListReader<'v, 'p> {
    /// Nothing is read yet.
    pub fn of(view: &'v VisiblePage<'p>) -> Self {
        Self {
            view,
            described: OnceCell::new(),
            groups: OnceCell::new(),
        }
    }

    /// The group of records that a reader of the page most likely came for.
    pub fn best_group(&self) -> Option<&RecordGroup> {
        self.groups().first()
    }

    /// The entries of the list that a reader of the page came for; empty when the page has no list.
    pub fn rows(&self) -> Vec<Row> {
        best_rows(self.view, self.groups(), self.described())
    }

    /// How many entries the list of the given rows has: more than these where a part of it was not read.
    pub fn count_with_unread(&self, rows: &[Row]) -> usize {
        let group = self.best_group().filter(|group| list_signs::is_of(group, rows));
        rows.len() + group.map_or(0, |group| group.unread)
    }

    fn described(&self) -> &[MarkupRow] {
        self.described.get_or_init(|| markup::products(self.view))
    }

    fn groups(&self) -> &[RecordGroup] {
        self.groups.get_or_init(|| {
            // Only markup that describes a list can choose another group than the best.
            let options = match self.described().len() >= markup::LIST {
                true => RecordOptions::default(),
                false => RecordOptions {
                    groups: 1,
                    ..RecordOptions::default()
                },
            };
            records::find_with(self.view.page, &options)
        })
    }
}

/// The entries of the list that a reader of the page came for; empty when the page has no list.
pub fn read(view: &VisiblePage<'_>) -> Vec<Row> {
    ListReader::of(view).rows()
}

/// The products of the page's list: rows with title and price. Where the list that a reader came for has no prices, those of
/// the first list that has; where no list is, the elements that call themselves products.
pub fn products(view: &VisiblePage<'_>) -> Vec<Row> {
    let groups = records::find(view.page);
    let described = markup::products(view);
    let mut rows = best_rows(view, &groups, &described);
    if !list_signs::is_priced(&rows) && !no_results::says_none(view) {
        // What holds entries of that list are its sections, and what is one of them is the same list in part.
        let others = groups
            .iter()
            .skip(1)
            .filter(|group| list_signs::is_another(view, group, &rows));
        let mut others = others.map(|group| typed(view, group));
        rows = others
            .find(|rows| list_signs::is_priced(rows))
            .unwrap_or_else(|| {
                let cards = typed(view, &records::of_elements(view.page, &single_cards::find(view)));
                if cards.is_empty() {
                    rows_of_table(view)
                } else {
                    cards
                }
            });
        markup::complete(&mut rows, &described);
    }
    // Of a list with prices, an entry without one is listed all the same: free of charge, sold, or on request.
    let is_list = rows.len() >= LIST && list_signs::is_priced(&rows);
    let mut lengths: Vec<usize> = rows.iter().map(|row| row.text.len()).collect();
    lengths.sort_unstable();
    // An advertisement among the entries says less than they do.
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    let are_linked = rows.iter().any(|row| row.url.is_some());
    let has_place = |row: &Row| row.url.is_some() || !are_linked || row.facts.len() >= LABELLED;
    let is_entry = |row: &Row| row.title.is_some() && has_place(row) && row.text.len() * 2 >= usual;
    rows.retain(|row| row.is_product() || (is_list && is_entry(row)));
    rows
}

/// The given elements as rows of one list.
pub fn of_elements(view: &VisiblePage<'_>, elements: &[NodeId]) -> Vec<Row> {
    let mut rows = typed(view, &records::of_elements(view.page, elements));
    markup::complete(&mut rows, &markup::products(view));
    rows
}

/// The rows of the best group. Markup that describes a list decides which group is meant, and stands in for one that is not
/// shown as such. Where the best group is plainly a list of something, a few products that are described beside it, such as what
/// sells best, are not what the page lists.
fn best_rows(view: &VisiblePage<'_>, groups: &[RecordGroup], described: &[MarkupRow]) -> Vec<Row> {
    let mut rows = groups.first().map(|group| typed(view, group)).unwrap_or_default();
    if described.len() >= markup::LIST {
        let mut most = markup::described(&rows, described);
        let is_list = most == 0 && list_signs::is_list_of_its_own(&rows);
        let length_of_list = list_signs::length(&rows);
        for group in groups.iter().skip(1) {
            if most * 2 >= described.len() {
                break;
            }
            let other = typed(view, group);
            let matched = markup::described(&other, described);
            let is_meant =
                !is_list || (matched * 2 >= other.len() && list_signs::length(&other) >= length_of_list);
            if matched > most && is_meant {
                (most, rows) = (matched, other);
            }
        }
        if most == 0 && !(is_list && described.len() < rows.len()) {
            return described.iter().map(|entry| entry.row.clone()).collect();
        }
    }
    markup::complete(&mut rows, described);
    adverts::leave_out(view, &mut rows);
    promotions::leave_out(view, &mut rows);
    list_links::leave_out(&mut rows);
    let rows = copies::join(view, copies::join_parts(rows));
    if let Some(card) = only_card(view, &rows) {
        return card;
    }
    if no_results::are_offered_instead(view, &rows) {
        return Vec::new();
    }
    if !rows.is_empty() && copies::are_entries(&rows) {
        return rows;
    }
    rows_of_table(view)
}

/// The rows of the longest table of a page where no other list is found: a table of data with a row of headings has entries, however
/// few.
fn rows_of_table(view: &VisiblePage<'_>) -> Vec<Row> {
    table_rows::group_of_table(view)
        .map(|group| typed(view, &group))
        .unwrap_or_default()
}

/// The only entry of a list, where what looks like entries are its parts: its price and its stock.
fn only_card(view: &VisiblePage<'_>, rows: &[Row]) -> Option<Vec<Row>> {
    let are_named = rows.iter().any(|row| row.title.is_some() || row.url.is_some());
    if rows.is_empty() || are_named {
        return None;
    }
    let card = single_cards::find(view).into_iter().find(|card| {
        let end = view.dom().node(*card).end();
        let mut parts = rows.iter().flat_map(|row| &row.elements);
        parts.all(|part| *card < *part && *part < end)
    })?;
    let card = typed(view, &records::of_elements(view.page, &[card]));
    card.iter().all(|row| row.title.is_some()).then_some(card)
}

/// The records of a group as rows.
fn typed(view: &VisiblePage<'_>, group: &RecordGroup) -> Vec<Row> {
    let records = pictured::of_whole_cards(view, &group.records);
    let records = records.as_ref();
    let prices = price_roles::read(view, records);
    let laid = LaidTables::of(view, records);
    let facts = facts::read(view, records, &laid);
    let written = records
        .iter()
        .filter_map(|record| record.fields.get("date")?.as_str());
    let order = dates::order(written);
    let pictured = pictured::names(view, records).into_iter();
    let named = pictured
        .zip(headed::names(view, records))
        .map(|(pictured, headed)| pictured.or(headed))
        .zip(tabled::names(records, &facts))
        .map(|(named, tabled)| named.or(tabled))
        .zip(laid.names(view, records))
        .map(|(named, laid)| named.or(laid));
    let sections = sections::read(view, records);
    let rows = records.iter().zip(prices).zip(facts).zip(named).zip(sections);
    let mut rows: Vec<Row> = rows
        .map(|((((record, prices), facts), named), section)| {
            let row = row(view, record, prices, order, named);
            Row {
                facts,
                date: row.date.or_else(|| dates::of_heading(section.as_deref()?, order)),
                section,
                ..row
            }
        })
        .collect();
    free_entries::add(view, records, &mut rows);
    votes::leave_out(view, records, &mut rows);
    author_links::name(view, records, &mut rows);
    icons::add(view, records, &mut rows);
    badges::leave_out(view, &mut rows);
    badges::leave_out_before(view, &mut rows);
    badges::without_label(view, &mut rows);
    without_stars_of_hotels(&mut rows);
    rows.iter_mut().for_each(without_count_of_reviews);
    wages::add(view, records, &mut rows);
    posts::name_authors(&mut rows);
    // What every entry says is a text of the template that scripts show where it holds.
    if rows.len() >= ALL_SOLD_OUT
        && rows
            .iter()
            .all(|row| row.availability.as_deref() == Some("OutOfStock"))
    {
        rows.iter_mut().for_each(|row| row.availability = None);
    }
    rows
}

fn row(
    view: &VisiblePage<'_>,
    record: &Record,
    prices: RowPrices,
    order: Option<DateOrder>,
    named: Option<EntryName>,
) -> Row {
    let field = |name: &str| record.fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let mut row = Row {
        title: field("title").map(|title| whole_title(view, record, title)),
        url: field("url").filter(|url| url.starts_with("http")),
        price: prices.price,
        old_price: prices.old_price,
        instalment: prices.instalment,
        unit_price: prices.unit_price,
        currency: prices.currency,
        rating: field("rating").and_then(|rating| number("rating", rating)),
        date: field("date").and_then(|date| dates::typed(&date, order)),
        author: field("author").and_then(|text| author::named_in_entry(&text)),
        description: field("description")
            .and_then(|text| description::described(&text, field("title").as_deref())),
        company: field("company").map(|name| without_rating(&name)),
        location: field("location"),
        image: field("image").filter(|image| image.starts_with("http")),
        text: record.text.clone(),
        elements: record.roots.clone().into_iter().collect(),
        ..Row::default()
    };
    if let Some(named) = named {
        row.title = Some(named.title);
        row.url = named.url.or(row.url);
    }
    read_notes(view, record, &mut row);
    // What guests say is spelled out.
    if row.rating.as_ref().is_none_or(is_whole_number)
        && let Some(spelled) = guest_scores::spelled(&record.text)
    {
        row.rating = number("rating", spelled);
    }
    if row.rating.is_none() {
        row.rating = drawn_stars::rating(&record.text).and_then(|rating| number("rating", rating));
    }
    if row.review_count.is_none() {
        let count = drawn_stars::count_behind(&record.text, row.rating.as_ref());
        row.review_count = count.and_then(|count| number("review_count", count));
    }
    // Nobody has rated what is shown with no star.
    row.rating = row
        .rating
        .filter(|rating| rating.as_f64().is_some_and(|rating| rating > 0.0));
    row
}

/// Leaves out whole stars as ratings where most entries spell out what guests say: they are of the hotel. A whole rating with its scale
/// ("5/5") or with reviews is one.
fn without_stars_of_hotels(rows: &mut [Row]) {
    let spelled = rows
        .iter()
        .filter(|row| guest_scores::spelled(&row.text).is_some());
    if spelled.count() * 2 < rows.len() {
        return;
    }
    for row in rows {
        let is_star = |rating: &Value| is_whole_number(rating) && !rating::has_scale(&row.text);
        let is_of_hotel = row.review_count.is_none() && row.rating.as_ref().is_some_and(is_star);
        row.rating = row.rating.take().filter(|_| !is_of_hotel);
    }
}

/// Leaves out the fact that is the number of reviews once more: "Reviews: 1,243". Another number may be the same: "Pages: 320".
fn without_count_of_reviews(row: &mut Row) {
    let Some(count) = row.review_count.as_ref().and_then(Value::as_u64) else {
        return;
    };
    let count = count.to_string();
    row.facts.retain(|label, value| {
        let value = value.as_str().unwrap_or_default();
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        let is_number = value
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}'));
        !(is_number && digits == count && rating::is_of_opinions(label))
    });
}

/// Whether a rating is a whole number: whole stars may be those of a hotel.
fn is_whole_number(rating: &Value) -> bool {
    rating.as_f64().is_some_and(|rating| rating.fract() == 0.0)
}

fn number(field: &str, text: String) -> Option<Value> {
    crate::normalize::value(field, Value::String(text), true)
}

/// A name without the rating behind it.
fn without_rating(name: &str) -> String {
    let bare = RATED_NAME
        .captures(name)
        .and_then(|found| Some(found.get(1)?.as_str()));
    bare.unwrap_or(name).to_owned()
}

/// The whole of a title that is cut off with dots, where an attribute of the entry has it.
fn whole_title(view: &VisiblePage<'_>, record: &Record, title: String) -> String {
    let Some(start) = title.strip_suffix("...").or_else(|| title.strip_suffix('…')) else {
        return title;
    };
    let start = start.trim_end();
    let stated = |node: Node<'_>| {
        let texts = ["title", "aria-label", "alt"].into_iter();
        let mut whole = texts.filter_map(|name| node.attr(name));
        whole
            .find(|text| start.len() >= 4 && text.len() > title.len() && text.starts_with(start))
            .map(super::visible_page::squeeze)
    };
    elements(view, record).find_map(stated).unwrap_or(title)
}

/// Rating, count of reviews and stock: from elements that are named so, and from short texts that say so in words.
fn read_notes(view: &VisiblePage<'_>, record: &Record, row: &mut Row) {
    for node in elements(view, record) {
        if row.rating.is_some() && row.review_count.is_some() && row.availability.is_some() {
            break;
        }
        let rated = view.class_flags.has(node, class_flags::RATED);
        if rated && row.rating.is_none() {
            row.rating = rating::rating_of(node).and_then(|rating| number("rating", rating));
        }
        if node.end().index() - node.id().index() > 12 || lines::is_hidden(node) {
            continue;
        }
        let text = node.text();
        if is_glued(node) {
            continue;
        }
        if text.is_empty() || text.len() > LONGEST_NOTE || row.title.as_deref() == Some(text.as_str()) {
            continue;
        }
        if text.bytes().any(|byte| byte.is_ascii_digit()) {
            let (stars, count) = rating::in_text(&text, rated);
            // "4,6" right before "(318 opinii)".
            let beside = || {
                let before = node.siblings_before().find(|sibling| sibling.is_element())?;
                count.as_ref().and_then(|_| bare_rating(&before.text()))
            };
            let stars = stars.or_else(|| rating_before_count(&text)).or_else(beside);
            let is_count = rated && view.class_flags.has(node, class_flags::COUNT);
            let plain = || Some(text.replace([',', ' '], "")).filter(|text| is_count && is_whole(text));
            let bare = || {
                let count = bare_count(&text).filter(|_| rated || follows_stars(node));
                count.or_else(plain).filter(|_| row.rating.is_some())
            };
            row.review_count = row
                .review_count
                .take()
                .or_else(|| number("review_count", count.or_else(bare)?));
            let starred = || Some(STARRED.captures(&text)?.get(1)?.as_str().replace(',', "."));
            row.rating = row
                .rating
                .take()
                .or_else(|| number("rating", stars.or_else(starred)?));
        } else if availability::is_taken(&text) {
            // "1,204 sold" says how many were.
            if follows_number(node) {
                continue;
            }
            row.availability = Some("OutOfStock".to_owned());
        } else if row.availability.is_none() && !node.is("a") && !node.is("button") {
            row.availability = availability::in_text(&text).map(str::to_owned);
        }
    }
}

/// Whether a number stands right before an element.
fn follows_number(node: Node<'_>) -> bool {
    let mut before = node.siblings_before().map(Node::text);
    let before = before.find(|text| !text.trim().is_empty());
    before.is_some_and(|before| {
        let before = before.trim_end().trim_end_matches(['+', 'k', 'K', 'M']);
        before.ends_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether the element right before shows stars, as its label says.
fn follows_stars(node: Node<'_>) -> bool {
    let before = node.siblings_before().find(|sibling| sibling.is_element());
    before.is_some_and(|before| {
        if rating::rating_in_class(before).is_some() {
            return true;
        }
        ["aria-label", "title"].iter().any(|name| {
            before
                .attr(name)
                .is_some_and(|label| rating::rating_in(label).is_some())
        })
    })
}

/// Whether two numbers touch that stand in elements of their own.
fn is_glued(node: Node<'_>) -> bool {
    // White space at the border of a text parts them.
    let mut before = "";
    node.descendants().filter_map(Node::text_value).any(|next| {
        let touch =
            before.ends_with(|c: char| c.is_ascii_digit()) && next.starts_with(|c: char| c.is_ascii_digit());
        before = next;
        touch
    })
}

fn is_whole(text: &str) -> bool {
    (1..=7).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A rating out of five with a decimal, and nothing else.
fn bare_rating(text: &str) -> Option<String> {
    let number = text.trim().replace(',', ".");
    let is_rating = (3..=4).contains(&number.len())
        && number.as_bytes().get(1) == Some(&b'.')
        && number
            .parse()
            .is_ok_and(|rating: f64| (0.0..=5.0).contains(&rating));
    is_rating.then_some(number)
}

/// The rating in "4,6 (318 reviews)".
fn rating_before_count(text: &str) -> Option<String> {
    let (rating, rest) = text.trim().split_once(" (")?;
    let (_, count) = rating::in_text(rest.strip_suffix(')')?, false);
    count.and_then(|_| bare_rating(rating))
}

/// The count in "(123)", as stands behind stars.
fn bare_count(text: &str) -> Option<String> {
    let inner = text.strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
    let digits: String = inner.chars().filter(char::is_ascii_digit).collect();
    let bare = inner
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | ' ' | '\u{a0}'));
    (bare && !digits.is_empty()).then_some(digits)
}

/// The records of one group with their rows, in their order, without advertisements and without copies of one entry.
pub fn of_group<'g>(page: &Page, group: &'g RecordGroup) -> Vec<(&'g Record, Row)> {
    let view = VisiblePage::of(page);
    let mut rows = typed(&view, group);
    adverts::leave_out(&view, &mut rows);
    promotions::leave_out(&view, &mut rows);
    list_links::leave_out(&mut rows);
    let records: HashMap<NodeId, &Record> = group
        .records
        .iter()
        .filter_map(|record| Some((*record.roots.first()?, record)))
        .collect();
    let rows = copies::join(&view, rows).into_iter();
    rows.filter_map(|row| Some((*records.get(row.elements.first()?)?, row)))
        .collect()
}

/// The rows of a page whose groups of records were found already.
pub fn of_groups(page: &Page, groups: &[RecordGroup]) -> Vec<Row> {
    let view = VisiblePage::of(page);
    let described = markup::products(&view);
    best_rows(&view, groups, &described)
}
