//! Entries that a page shows twice, once for wide and once for narrow screens, and entries in two parts: a picture, and
//! what is said beside it.

use std::collections::{HashMap, HashSet};

use page::dom::Node;

use super::dates;
use super::row::Row;
use crate::rules::records::names_selection;
use crate::rules::visible_page::VisiblePage;

/// Most entries of one title and address that an entry is compared with: a page shows one twice, and not a thousand times.
const COMPARED: usize = 8;

/// The rows without copies of others. Of two rows with one title and one address where all words of one are among those of the
/// other, the first stays and takes what only the other states. Those of two days or of two parts of a list are no copies, and neither
/// are two elements of one kind side by side that say the same: two payments to one shop.
pub(super) fn join(view: &VisiblePage<'_>, rows: Vec<Row>) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    let mut places: HashMap<(String, String), Vec<usize>> = HashMap::new();
    let are_views = are_views(&rows);
    let is_shown_twice = is_shown_twice(&rows);
    for row in rows {
        let (Some(title), Some(url)) = (&row.title, &row.url) else {
            kept.push(row);
            continue;
        };
        let same = places.entry((title.clone(), url.clone())).or_default();
        let copied = same.iter().copied().find(|at| {
            kept.get(*at).is_some_and(|other| {
                !are_of_two_days(other, &row)
                    && (are_views || !are_of_two_parts(other, &row))
                    && (is_shown_twice || !are_side_by_side(view, other, &row))
                    && (is_copy(other, &row) || (are_views && has_numbers_of(other, &row)))
            })
        });
        match copied.and_then(|at| kept.get_mut(at)) {
            Some(other) => complete(other, row),
            None => {
                if same.len() < COMPARED {
                    same.push(kept.len());
                }
                kept.push(row);
            }
        }
    }
    kept
}

/// The rows with an entry in place of its two parts: of two neighbours that lead to one address one has no title, as it is the
/// picture of the other.
pub(super) fn join_parts(rows: Vec<Row>) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        match kept.last_mut() {
            Some(last) if are_parts(last, &row) => {
                let last_part = std::mem::take(last);
                *last = match last_part.title {
                    Some(_) => whole(last_part, row),
                    None => whole(row, last_part),
                };
            }
            _ => kept.push(row),
        }
    }
    kept
}

fn are_parts(one: &Row, other: &Row) -> bool {
    one.url.is_some() && one.url == other.url && one.title.is_some() != other.title.is_some()
}

/// A row with a title and what its picture states; the words under a picture do not describe the entry.
fn whole(mut titled: Row, mut picture: Row) -> Row {
    titled.elements.append(&mut picture.elements);
    titled.elements.sort_unstable();
    let text = std::mem::take(&mut picture.text);
    picture.description = None;
    complete(&mut titled, picture);
    if !text.is_empty() {
        titled.text = format!("{} {text}", titled.text).trim().to_owned();
    }
    titled
}

/// Whether most of the rows say something that an entry of a list is known by. Blocks of code and paragraphs do not.
pub(super) fn are_entries(rows: &[Row]) -> bool {
    let is_entry = |row: &Row| {
        row.title.is_some()
            || row.price.is_some()
            || row.date.is_some()
            || row.author.is_some()
            || row.url.is_some()
            || !row.facts.is_empty()
    };
    rows.iter().filter(|row| is_entry(row)).count() * 2 >= rows.len()
}

/// Whether one of two rows says nothing that the other does not say.
fn is_copy(one: &Row, other: &Row) -> bool {
    let words =
        |row: &Row| -> HashSet<String> { row.text.split_whitespace().map(str::to_lowercase).collect() };
    let (one, other) = (words(one), words(other));
    one.is_subset(&other) || other.is_subset(&one)
}

/// Whether two rows say that they are of two days, themselves or by the headings above them: one class on Monday and on Tuesday.
fn are_of_two_days(one: &Row, other: &Row) -> bool {
    let is_day = |section: &&String| dates::typed(section, None).is_some();
    let sections = one.section.as_ref().zip(other.section.as_ref());
    let day = |row: &Row| row.date.as_deref().and_then(dates::day);
    let days = day(one).zip(day(other));
    days.is_some_and(|(one, other)| one != other)
        || sections.is_some_and(|(one, other)| one != other && is_day(&one) && is_day(&other))
}

/// Whether two rows stand under the headings of two parts of a list: one class in the north of a town and in the south. What is new or
/// popular is shown among the others once more.
fn are_of_two_parts(one: &Row, other: &Row) -> bool {
    let sections = one.section.as_ref().zip(other.section.as_ref());
    sections.is_some_and(|(one, other)| {
        one != other && ![one, other].iter().any(|section| names_selection(section))
    })
}

/// Whether most rows have the title and the address of another one: a list that is shown twice.
fn is_shown_twice(rows: &[Row]) -> bool {
    let mut counts: HashMap<(&Option<String>, &Option<String>), usize> = HashMap::new();
    for row in rows {
        *counts.entry((&row.title, &row.url)).or_default() += 1;
    }
    counts.values().filter(|count| **count > 1).sum::<usize>() * 2 > rows.len()
}

/// Whether two rows that say the same are children of one element and of one kind. What is shown on wide screens alone, and what a
/// gallery repeats at its end, has a class of its own.
fn are_side_by_side(view: &VisiblePage<'_>, one: &Row, other: &Row) -> bool {
    let (Some(first), Some(second)) = (one.elements.first(), other.elements.first()) else {
        return false;
    };
    let (first, second) = (view.dom().node(*first), view.dom().node(*second));
    let parent = |node: Node<'_>| node.parent().map(Node::id);
    first.id() != second.id()
        && one.text == other.text
        && parent(first) == parent(second)
        && first.tag() == second.tag()
        && kind(first) == kind(second)
}

/// The classes of an element that do not only say at which place it stands.
fn kind(node: Node<'_>) -> Vec<&str> {
    const PLACES: [&str; 7] = ["odd", "even", "first", "last", "alt", "row1", "row2"];
    let mut classes: Vec<&str> = node.classes().filter(|class| !PLACES.contains(class)).collect();
    classes.sort_unstable();
    classes
}

/// Fewest rows of two views of one list.
const VIEWS: usize = 8;
/// The share of the rows that have one twin each.
const TWINS: f32 = 0.9;

/// Whether the rows are those of two views of one list, such as a grid and a table: nearly each has the title and the address of one
/// other.
fn are_views(rows: &[Row]) -> bool {
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    for row in rows {
        if let (Some(title), Some(url)) = (&row.title, &row.url) {
            *counts.entry((title, url)).or_default() += 1;
        }
    }
    let twins = 2 * counts.values().filter(|count| **count == 2).count();
    rows.len() >= VIEWS && twins as f32 >= TWINS * rows.len() as f32
}

/// Whether all numbers of one of two rows are among those of the other: two departures differ in their times.
fn has_numbers_of(one: &Row, other: &Row) -> bool {
    let numbers = |row: &Row| -> HashSet<String> {
        let words = row.text.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
            .map(str::to_owned)
            .collect()
    };
    let (one, other) = (numbers(one), numbers(other));
    one.is_subset(&other) || other.is_subset(&one)
}

/// Fills what a row lacks from its copy.
fn complete(row: &mut Row, copy: Row) {
    row.price = row.price.take().or(copy.price);
    row.old_price = row.old_price.take().or(copy.old_price);
    row.currency = row.currency.take().or(copy.currency);
    row.rating = row.rating.take().or(copy.rating);
    row.review_count = row.review_count.take().or(copy.review_count);
    row.availability = row.availability.take().or(copy.availability);
    row.date = row.date.take().or(copy.date);
    row.author = row.author.take().or(copy.author);
    row.description = row.description.take().or(copy.description);
    row.company = row.company.take().or(copy.company);
    row.location = row.location.take().or(copy.location);
    row.image = row.image.take().or(copy.image);
    row.instalment = row.instalment.take().or(copy.instalment);
    row.unit_price = row.unit_price.take().or(copy.unit_price);
    row.salary = row.salary.take().or(copy.salary);
    if row.facts.is_empty() {
        row.facts = copy.facts;
    }
    if row.text.len() < copy.text.len() {
        row.text = copy.text;
    }
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;
    use crate::rules::rows;

    fn part(title: Option<&str>, url: &str, text: &str) -> Row {
        Row {
            title: title.map(str::to_owned),
            url: Some(url.to_owned()),
            text: text.to_owned(),
            ..Row::default()
        }
    }

    #[test]
    fn a_picture_and_the_story_beside_it_are_one_entry() {
        let picture = |url: &str| Row {
            image: Some(format!("{url}.jpg")),
            description: Some("A clownfish in its anemone. A. Saut".to_owned()),
            ..part(None, url, "A clownfish")
        };
        let rows = join_parts(vec![
            picture("https://a.example/1"),
            part(
                Some("Why stripes vanish"),
                "https://a.example/1",
                "Why stripes vanish",
            ),
            part(
                Some("A pocket of neurons"),
                "https://a.example/2",
                "A pocket of neurons",
            ),
            picture("https://a.example/2"),
            picture("https://a.example/3"),
        ]);
        let read: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.title.as_deref(),
                    row.image.is_some(),
                    row.description.is_some(),
                )
            })
            .collect();
        assert_eq!(
            read,
            [
                (Some("Why stripes vanish"), true, false),
                (Some("A pocket of neurons"), true, false),
                (None, true, true),
            ]
        );
        assert_eq!(rows[0].text, "Why stripes vanish A clownfish");
    }

    #[test]
    fn a_grid_and_a_table_of_the_same_entries_are_one_list() {
        let view = |says: &dyn Fn(u32) -> String| -> Vec<Row> {
            let entry = |at: u32| {
                part(
                    Some(&format!("Lamp {at}")),
                    &format!("https://a.example/{at}"),
                    &says(at),
                )
            };
            (1..=4).map(entry).collect()
        };
        let grid = || view(&|at| format!("Lamp {at} 1{at}.50 € Compare"));
        let table = view(&|at| format!("Lamp {at} made of oak 1{at}.50 € 30 days"));
        let page = Page::new("", None);
        let of_page = VisiblePage::of(&page);
        let both = |other: Vec<Row>| join(&of_page, grid().into_iter().chain(other).collect());
        assert_eq!(both(table.clone()).len(), 4);
        // At another price it is another offer.
        let dearer = view(&|at| format!("Lamp {at} made of oak 2{at}.50 €"));
        assert_eq!(both(dearer).len(), 8);
        // Where few entries have a twin, there are no two views.
        assert_eq!(both(table.into_iter().take(2).collect()).len(), 6);
    }

    fn told(list: &str) -> Vec<(Option<String>, Option<String>)> {
        let page = Page::new(
            format!("<main><h1>List</h1>{list}</main>"),
            "https://list.example/".parse().ok(),
        );
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| (row.title, row.section)).collect()
    }

    #[test]
    fn equal_lines_of_one_list_are_entries_and_those_of_two_screens_are_copies() {
        let line = |class: &str, shop: &str, price: &str| {
            format!(
                "<li class='{class}'><h3><a href='/m/{shop}'>{shop}</a></h3><time>1 May 2026</time> <span class=price>£{price}</span></li>"
            )
        };
        let list = |class: &str| {
            let lines = [
                line("line", "Bakery", "3.00"),
                line("line", "Bookshop", "12.00"),
                line(class, "Bakery", "3.00"),
                line("line", "Grocer", "20.00"),
            ];
            told(&format!("<ul>{}</ul>", lines.concat())).len()
        };
        assert_eq!(list("line"), 4);
        assert_eq!(list("line odd"), 4);
        assert_eq!(list("line line-clone"), 3);
        let lines =
            |shops: &[&str]| -> String { shops.iter().map(|shop| line("line", shop, "3.00")).collect() };
        let shops = ["Bakery", "Bookshop", "Grocer"];
        let both = format!("<ul class=wide>{0}</ul><ul class=narrow>{0}</ul>", lines(&shops));
        assert_eq!(told(&both).len(), 3);
    }

    #[test]
    fn one_class_in_two_places_is_two_entries() {
        let part = |place: &str| {
            let class = |name: &str, address: &str| {
                format!("<li><h3><a href='/c/{address}'>{name}</a></h3><p>9:00 with Ann</p></li>")
            };
            let own = |name: &str| class(&format!("{name} {place}"), &format!("{name}-{place}"));
            format!(
                "<section><h2>{place}</h2><ul>{}{}{}</ul></section>",
                class("Yoga", "yoga"),
                own("Pilates"),
                own("Spin")
            )
        };
        let read = told(&["North", "South", "East"].map(part).concat());
        let yoga = read.iter().filter(|(title, _)| title.as_deref() == Some("Yoga"));
        let places: Vec<Option<&str>> = yoga.map(|(_, section)| section.as_deref()).collect();
        assert_eq!(places, [Some("North"), Some("South"), Some("East")]);
        // What is popular is one of the others.
        let read = told(&["North", "Most popular", "East"].map(part).concat());
        assert_eq!(
            read.iter()
                .filter(|(title, _)| title.as_deref() == Some("Yoga"))
                .count(),
            2
        );
    }

    #[test]
    fn blocks_that_say_nothing_an_entry_is_known_by_are_no_list() {
        let block = Row {
            description: Some("let kettle = boil(1);".to_owned()),
            ..Row::default()
        };
        let named = Row {
            title: Some("Kettle".to_owned()),
            ..Row::default()
        };
        assert!(!are_entries(&[block.clone(), block.clone(), named.clone()]));
        assert!(are_entries(&[block, named]));
        assert!(are_entries(&[]));
    }
}
