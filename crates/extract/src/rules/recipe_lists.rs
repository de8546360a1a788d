//! The ingredients and steps of a recipe as the page shows them: the lists below a heading such as "Ingredients".

mod amounts;

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use page::dom::{Node, NodeId};
use serde_json::Value;

use super::class_flags;
use super::element_source::element_source;
use super::labels::fold;
use super::lines::is_unshown;
use super::visible_page::{VisiblePage, covered, words};
use super::word_lists::{phrases, sections};
use crate::provenance::Sourced;
pub(crate) use amounts::{with_amounts, with_units};

/// What a heading of a recipe stands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecipePart {
    Ingredients,
    Steps,
    Other,
}

static PARTS: LazyLock<HashMap<String, RecipePart, RandomState>> = LazyLock::new(|| {
    let mut parts = HashMap::default();
    for (name, lines) in sections(include_str!("recipe_lists/headings.txt")) {
        let part = match name {
            "ingredients" => RecipePart::Ingredients,
            "steps" => RecipePart::Steps,
            _ => RecipePart::Other,
        };
        for phrase in phrases(&lines) {
            parts.entry(fold(phrase)).or_insert(part);
        }
    }
    parts
});

/// Most letters of a heading.
const MAX_HEADING: usize = 60;
/// Most nodes of an element that is a heading.
const MAX_NODES: usize = 8;
/// Fewest entries of a list of ingredients.
const LEAST_INGREDIENTS: usize = 2;
/// Most entries of a list, and the longest of them in bytes.
const MAX_ENTRIES: usize = 100;
const MAX_INGREDIENT: usize = 300;
const MAX_STEP: usize = 4_000;
/// Fewest characters of a paragraph that is a step.
const LEAST_STEP: usize = 20;

/// The lists of a recipe.
#[derive(Debug, Default)]
pub(crate) struct RecipeLists {
    /// The ingredients, one in an entry.
    pub(crate) ingredients: Option<Sourced<Vec<String>>>,
    /// The steps, in order.
    pub(crate) steps: Option<Sourced<Vec<String>>>,
    /// Headings over ingredients that a page has.
    headings: usize,
}

/// Fewest ingredients, and the share of them with an amount, by which a page is known to be a recipe.
const LEAST_OF_RECIPE: usize = 3;
const WITH_AMOUNT: f32 = 0.4;

impl RecipeLists {
    /// Whether the page is one recipe: ingredients with amounts, and steps, once each.
    pub(crate) fn are_of_one_recipe(&self) -> bool {
        let (Some(ingredients), Some(steps)) = (&self.ingredients, &self.steps) else {
            return false;
        };
        let list = &ingredients.value;
        let amounts = list
            .iter()
            .filter(|entry| entry.contains(char::is_numeric))
            .count();
        self.headings == 1
            && list.len() >= LEAST_OF_RECIPE
            && amounts as f32 >= WITH_AMOUNT * list.len() as f32
            && !steps.value.is_empty()
    }

    /// These lists, and those that only their classes tell of where a page that is known to be a recipe has no heading over them.
    pub(crate) fn or_called(self, view: &VisiblePage<'_>) -> RecipeLists {
        RecipeLists {
            ingredients: self.ingredients.or_else(|| called(view, &INGREDIENT_CLASSES)),
            steps: self.steps.or_else(|| called(view, &STEP_CLASSES)),
            headings: self.headings,
        }
    }
}

/// Reads the lists of a recipe; a part of several lists, such as "for the dough" and "for the filling", is one.
pub(crate) fn read(view: &VisiblePage<'_>) -> RecipeLists {
    let headings: Vec<(Node<'_>, RecipePart)> = view
        .lines
        .iter()
        .filter_map(|line| {
            let part = part_of(view.lines.line_text(line))?;
            let element = view.lines.segments(line).first()?.element;
            let heading = whole_heading(view.dom().node(element));
            // A tab or a link leads to a list, and does not stand over it.
            let mut around = std::iter::once(heading).chain(heading.ancestors());
            let is_pressed = around.any(|outer| matches!(outer.tag(), "li" | "a" | "button" | "nav"));
            (!is_pressed).then_some((heading, part))
        })
        .collect();
    let list = |part: RecipePart| {
        let mut lists = headings.iter().enumerate().filter(|(_, (_, of))| *of == part);
        lists.find_map(|(at, (heading, _))| {
            let end = headings
                .iter()
                .skip(at + 1)
                .find(|(other, of)| *of != part && other.id() > heading.id() && !is_within(*other, *heading));
            let end = end.map(|(other, _)| *other);
            entries(view, *heading, end, part)
        })
    };
    RecipeLists {
        ingredients: list(RecipePart::Ingredients),
        steps: list(RecipePart::Steps),
        headings: headings
            .iter()
            .filter(|(_, part)| *part == RecipePart::Ingredients)
            .count(),
    }
}

/// Words of class names of a list of ingredients.
const INGREDIENT_CLASSES: [&str; 6] = [
    "ingredient",
    "ingredients",
    "zutaten",
    "ingredientes",
    "ingredienti",
    "skladniki",
];
/// Words of class names of the steps of a recipe.
const STEP_CLASSES: [&str; 7] = [
    "instruction",
    "instructions",
    "directions",
    "method",
    "steps",
    "zubereitung",
    "preparation",
];
/// Words of class names of other methods than those of a recipe.
const OTHER_METHODS: [&str; 4] = ["payment", "shipping", "delivery", "contact"];
/// Most elements above a list by which it is called.
const CALLED_ABOVE: usize = 3;
/// Fewest entries of a list that only its class tells of.
const LEAST_CALLED: usize = 3;

/// The entries of the first list with the most text of those that are called so by their classes, or by those of an element around
/// them: where no heading tells of it.
fn called(view: &VisiblePage<'_>, names: &[&str]) -> Option<Sourced<Vec<String>>> {
    let is_called = |node: &Node<'_>| {
        let class = words(node.class());
        let has = |names: &[&str]| class.iter().any(|word| names.contains(&word.as_str()));
        has(names) && !has(&OTHER_METHODS)
    };
    let is_outside = |node: Node<'_>| {
        is_unshown(node, &view.overlays)
            || matches!(node.tag(), "nav" | "footer" | "aside" | "form" | "header")
    };
    let lists = view
        .dom()
        .nodes()
        .filter(|node| matches!(node.tag(), "ul" | "ol"));
    let all = lists.take(MAX_LISTS).filter_map(|list| {
        let around = || std::iter::once(list).chain(list.ancestors());
        if !around().take(1 + CALLED_ABOVE).any(|node| is_called(&node)) || around().any(is_outside) {
            return None;
        }
        let items: Vec<Node<'_>> = list
            .children()
            .filter(|child| child.is("li"))
            .take(MAX_ENTRIES)
            .collect();
        let entries: Vec<String> = items
            .iter()
            .map(|item| without_number(&visible_text(view, *item)))
            .collect();
        let are_entries = entries.iter().all(|text| (1..=MAX_STEP).contains(&text.len()));
        let is_list =
            entries.len() >= LEAST_CALLED && are_entries && !items.iter().any(|item| is_link(*item));
        is_list.then(|| Sourced::new(entries, element_source(list)))
    });
    let length = |list: &Sourced<Vec<String>>| list.value.iter().map(String::len).sum::<usize>();
    // Beside the steps stand their times, in a list that is called so, too.
    all.fold(None, |best: Option<Sourced<Vec<String>>>, list| match best {
        Some(best) if 2 * length(&best) >= length(&list) => Some(best),
        _ => Some(list),
    })
}

/// Most lists that are looked at.
const MAX_LISTS: usize = 400;

locale::patterns! {
    /// The number of a step before it: "Step 1", "Schritt 2:".
    static STEP_NUMBER = r"(?i)^(?:step|schritt|étape|paso|passo|stap|krok|steg)\s+\d{1,2}\s*[:.)]?\s+";
}

/// A step without its number.
fn without_number(text: &str) -> String {
    STEP_NUMBER.replace(text, "").into_owned()
}

/// What a line stands over, if it is such a heading: "Ingredients (4 servings)".
fn part_of(text: &str) -> Option<RecipePart> {
    if text.len() > MAX_HEADING {
        return None;
    }
    let bare = text.split(['(', ':', '：']).next().unwrap_or_default();
    PARTS.get(&fold(bare)).copied()
}

/// The largest element that holds a heading and nothing else.
fn whole_heading(element: Node<'_>) -> Node<'_> {
    let is_small = |node: &Node<'_>| node.end().index() - node.id().index() <= MAX_NODES && !node.is("body");
    let text = element.text();
    let same = element
        .ancestors()
        .take_while(is_small)
        .take_while(|node| node.text() == text);
    same.last().unwrap_or(element)
}

fn is_within(inner: Node<'_>, outer: Node<'_>) -> bool {
    outer.id() < inner.id() && inner.id() < outer.end()
}

/// The level of a heading; smaller ones stand below larger ones.
fn level(node: Node<'_>) -> Option<u32> {
    let digit = node.tag().strip_prefix('h')?;
    digit.parse().ok().filter(|level| (1..=6).contains(level))
}

/// The entries between a heading and the next one of another part, or of its own level; none where they are no list.
fn entries(
    view: &VisiblePage<'_>,
    heading: Node<'_>,
    end: Option<Node<'_>>,
    part: RecipePart,
) -> Option<Sourced<Vec<String>>> {
    let own_level = level(heading);
    let mut items: Vec<Node<'_>> = Vec::new();
    let mut paragraphs: Vec<Node<'_>> = Vec::new();
    // Where the smallest element ends that holds the heading and the first entry.
    let mut container: Option<NodeId> = None;
    let end_of_container = |entry: Node<'_>| {
        let mut around = heading.ancestors();
        around.find(|outer| entry.id() < outer.end()).map(Node::end)
    };
    let mut walk = view.dom().body()?.descendants();
    while let Some(node) = walk.next() {
        if node.id() < heading.end() || !node.is_element() {
            continue;
        }
        if end.is_some_and(|end| node.id() >= end.id()) || container.is_some_and(|end| node.id() >= end) {
            break;
        }
        if is_unshown(node, &view.overlays)
            || view.class_flags.has(node, class_flags::COMMENTS)
            || matches!(node.tag(), "nav" | "footer" | "aside" | "form" | "button")
        {
            walk.leave_out(node);
            continue;
        }
        // A heading as large as its own, or larger, begins something else, once there was a list.
        let is_next = level(node).is_some_and(|level| own_level.is_none_or(|own| level <= own));
        if is_next && !(items.is_empty() && paragraphs.is_empty()) {
            break;
        }
        if node.is("li") && !node.descendants().any(|inner| inner.is("li")) {
            container = container.or_else(|| end_of_container(node));
            if part == RecipePart::Ingredients || !is_link(node) {
                items.push(node);
            }
            walk.leave_out(node);
        } else if node.is("p") {
            paragraphs.push(node);
            walk.leave_out(node);
        }
        if items.len() >= MAX_ENTRIES || paragraphs.len() >= MAX_ENTRIES {
            break;
        }
    }
    let texts = |nodes: &[Node<'_>], least: usize, most: usize| -> Vec<String> {
        let texts = nodes.iter().map(|node| visible_text(view, *node));
        texts
            .filter(|text| (least..=most).contains(&text.len()))
            .collect()
    };
    let (nodes, entries) = match part {
        RecipePart::Ingredients => {
            let entries = texts(&items, 1, MAX_INGREDIENT);
            (items, entries)
        }
        _ if items.is_empty() => {
            let entries = texts(&paragraphs, LEAST_STEP, MAX_STEP);
            (paragraphs, entries)
        }
        _ => {
            let entries = texts(&items, 1, MAX_STEP);
            (items, entries)
        }
    };
    let least = if part == RecipePart::Ingredients {
        LEAST_INGREDIENTS
    } else {
        1
    };
    let holder = nodes.first()?.parent()?;
    (entries.len() >= least).then(|| Sourced::new(entries, element_source(holder)))
}

/// Whether the ingredients of the markup are the names of the groups that the page shows ingredients in: "Cream", "Sponge".
pub(crate) fn are_groups(shown: &[String], stated: &[Value]) -> bool {
    let has_amount = |text: &str| text.contains(char::is_numeric);
    let amounts = shown.iter().filter(|entry| has_amount(entry)).count();
    let states_none = || stated.iter().all(|entry| !entry.as_str().is_some_and(has_amount));
    shown.len() >= 2 * stated.len() && amounts as f32 >= WITH_AMOUNT * shown.len() as f32 && states_none()
}

/// Whether the entries of a list that a page shows say what those of its markup say, and more: "500 g of rhubarb" and "500 of
/// rhubarb".
pub(crate) fn says_more(shown: &[String], stated: &[Value]) -> bool {
    let has_all = |(shown, stated): (&String, &Value)| {
        let shown = words(shown);
        stated
            .as_str()
            .is_some_and(|stated| covered(&words(stated), &shown) >= 1.0)
    };
    let length = |stated: &Value| stated.as_str().map_or(0, str::len);
    shown.len() == stated.len()
        && shown.iter().zip(stated).all(has_all)
        && shown
            .iter()
            .zip(stated)
            .any(|(shown, stated)| shown.len() > length(stated))
}

/// Whether an entry is a link and nothing else, as one to another recipe is.
fn is_link(entry: Node<'_>) -> bool {
    let text = entry.text();
    let mut links = entry.descendants().filter(|inner| inner.is("a"));
    links.any(|link| link.text() == text)
}

/// The text of an element without what is hidden in it, and without its pictures: the caption of one names who took it.
fn visible_text(view: &VisiblePage<'_>, node: Node<'_>) -> String {
    let is_left_out = |inner: Node<'_>| {
        inner.is_element()
            && (is_unshown(inner, &view.overlays) || matches!(inner.tag(), "figure" | "figcaption"))
    };
    let has_hidden = node.descendants().any(is_left_out);
    if !has_hidden {
        return node.text();
    }
    let mut text = String::new();
    let mut walk = node.descendants();
    while let Some(inner) = walk.next() {
        if let Some(part) = inner.text_value() {
            text.push_str(part);
        } else if is_left_out(inner) {
            walk.leave_out(inner);
        } else if inner.is_block() || inner.is("br") {
            text.push(' ');
        }
    }
    super::visible_page::squeeze(&text)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    fn lists(html: &str) -> (Vec<String>, Vec<String>) {
        let page = Page::new(html.to_owned(), None);
        let view = VisiblePage::of(&page);
        let lists = read(&view).or_called(&view);
        let value = |list: Option<Sourced<Vec<String>>>| list.map(|list| list.value).unwrap_or_default();
        (value(lists.ingredients), value(lists.steps))
    }

    #[test]
    fn the_lists_below_their_headings_are_read() {
        let (ingredients, steps) = lists(
            "<h1>Fig bars</h1><h2>Ingredients (12 bars)</h2><h3>For the dough</h3><ul><li>1 cup <b>flour</b></li></ul>\
             <h3>Filling</h3><ul><li>2 cups figs</li><li hidden>ad</li></ul><h2>Directions</h2><div><ol><li>Mix.</li>\
             <li>Bake 20 minutes.</li></ol></div><h2>Related</h2><ul><li>Plum cake</li></ul>",
        );
        assert_eq!(ingredients, ["1 cup flour", "2 cups figs"]);
        assert_eq!(steps, ["Mix.", "Bake 20 minutes."]);
    }

    #[test]
    fn steps_may_be_paragraphs_and_headings_may_be_bold() {
        let (ingredients, steps) = lists(
            "<h1>Knödel</h1><p><strong>Zutaten:</strong></p><ul><li>500 g Kartoffeln</li><li>Salz</li></ul>\
             <p><strong>Zubereitung:</strong></p><p>Die Kartoffeln kochen und schälen.</p><p>Knödel formen und garen.</p>\
             <p><strong>Tipps</strong></p><p>Dazu passt Kraut mit Speck und Zwiebeln.</p>",
        );
        assert_eq!(ingredients, ["500 g Kartoffeln", "Salz"]);
        assert_eq!(
            steps,
            ["Die Kartoffeln kochen und schälen.", "Knödel formen und garen."]
        );
    }

    #[test]
    fn lists_without_headings_are_known_by_their_classes() {
        let (ingredients, steps) = lists(
            "<h1>Flat bread</h1><div class=single-ingredients__group><ul><li><b>220g</b> flour</li><li>60g curd</li>\
             <li>salt</li></ul></div><ul class=single-method__method><li><h6>Step 1</h6><p>Knead.</p></li>\
             <li><h6>Step 2</h6><p>Rest.</p></li><li><h6>Step 3</h6><p>Bake.</p></li></ul>",
        );
        assert_eq!(ingredients, ["220g flour", "60g curd", "salt"]);
        assert_eq!(steps, ["Knead.", "Rest.", "Bake."]);
        let (_, none) =
            lists("<h1>Flat bread</h1><ul class=payment-method><li>Card</li><li>Cash</li><li>Bill</li></ul>");
        assert!(none.is_empty());
    }

    #[test]
    fn the_captions_of_pictures_are_no_part_of_a_step() {
        let (_, steps) = lists(
            "<h1>Pie</h1><h2>Directions</h2><ol><li><p>Roll it.</p><figure><img src=a.jpg><figcaption>Photo: Sam Oduya\
             </figcaption></figure></li><li>Bake it.</li></ol>",
        );
        assert_eq!(steps, ["Roll it.", "Bake it."]);
    }

    #[test]
    fn a_link_to_the_ingredients_is_no_list() {
        let (ingredients, _) = lists("<h1>Soup</h1><p>Ingredients</p><p>See the shop.</p>");
        assert!(ingredients.is_empty());
    }
}
