//! What a page shows of the ingredients of its markup that the markup leaves out: their units and amounts.

use std::cmp::Ordering;

use serde_json::Value;

use super::super::visible_page::{VisiblePage, words};

/// Most words of a unit that markup left out between an amount and what is measured: "500 of rhubarb".
const UNIT_WORDS: usize = 2;
/// Units of measure of ingredients, in small letters.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "g", "gr", "gram", "grams", "gramm", "gramme", "grammes", "gramos", "dag", "dkg", "kg", "mg", "lb", "lbs", "pound", "pounds", "pfund", "oz",
    "ounce", "ounces", "fl", "fluid", "ml", "cl", "dl", "l", "litre", "litres", "liter", "liters", "quart", "quarts", "pint", "pints",
    "gallon", "gallons", "cup", "cups", "tsp", "tbsp", "teaspoon", "teaspoons", "tablespoon", "tablespoons", "pinch", "pinches", "dash", "dashes",
    "stick", "sticks", "clove", "cloves", "slice", "slices", "bunch", "bunches", "handful", "handfuls", "can", "cans", "tin", "tins",
    "packet", "packets", "package", "packages", "pkg", "jar", "jars", "tl", "el", "teelöffel", "esslöffel", "prise", "prisen", "tasse", "tassen",
    "becher", "bund", "dose", "dosen", "päckchen", "zehe", "zehen", "scheibe", "scheiben", "łyżka", "łyżki", "łyżek", "łyżeczka", "łyżeczki",
    "łyżeczek", "szklanka", "szklanki", "szklanek", "szczypta", "szczypty", "szt", "ząbek", "ząbki", "tasses", "pincée", "pincées", "cuillère",
    "cuillères", "cucharada", "cucharadas", "cucharadita", "cucharaditas", "taza", "tazas", "pizca",
];
/// Longest line that is an ingredient, in bytes.
const LONGEST_LINE: usize = 160;

/// The ingredients of the markup with the units that it left out and a line of the page has: "500 of rhubarb" where the page shows
/// "500 g of rhubarb". None where it left out none.
pub(crate) fn with_units(view: &VisiblePage<'_>, stated: &[Value]) -> Option<Vec<String>> {
    let lines = view.lines.iter().map(|line| view.lines.line_text(line).trim());
    let all_stated: Vec<Vec<String>> = stated.iter().filter_map(Value::as_str).map(words).collect();
    let lines: Vec<(Vec<String>, &str)> = lines
        .filter(|line| line.len() <= LONGEST_LINE && line.starts_with(|c: char| c.is_numeric()))
        .map(|line| (words(line), line))
        .collect();
    let mut is_changed = false;
    let all: Option<Vec<String>> = stated
        .iter()
        .map(|stated| {
            let stated = stated.as_str()?;
            let own = words(stated);
            let whole = lines.iter().find(|(shown, _)| {
                let more = shown.len().saturating_sub(own.len());
                let is_within = shown.first() == own.first() && shown.get(1 + more..) == own.get(1..);
                // "1 1/4 cups" is another amount than "1 cups", and a red onion is another thing than an onion.
                let is_unit = shown
                    .get(1..=more)
                    .is_some_and(|unit| unit.iter().all(|word| UNITS.contains(&word.as_str())));
                let is_of_other = || all_stated.contains(shown);
                (1..=UNIT_WORDS).contains(&more) && own.len() > 1 && is_within && is_unit && !is_of_other()
            });
            let is_shown = || lines.iter().any(|(shown, _)| *shown == own);
            match whole.filter(|_| !is_shown()) {
                Some((_, line)) => {
                    is_changed = true;
                    Some((*line).to_owned())
                }
                None => Some(stated.to_owned()),
            }
        })
        .collect();
    all.filter(|_| is_changed)
}

/// Most words of an amount: "3 heaped tablespoons".
const AMOUNT_WORDS: usize = 4;
/// The share of ingredients that have their amounts beside them.
const WITH_AMOUNT_BESIDE: f32 = 0.5;

/// The side of the names of a list on which its amounts stand.
#[derive(Clone, Copy)]
enum AmountSide {
    Before,
    Behind,
}

/// The line of a name and that of its amount, where it has one.
type AmountBeside = Option<(usize, usize)>;

/// The ingredients of the markup with the amounts that it left out, and that the page shows in the line before or behind each of
/// them: "flour" and "400 g". None where some of them have amounts already, or where both sides fit as well.
pub(crate) fn with_amounts(view: &VisiblePage<'_>, stated: &[Value]) -> Option<Vec<String>> {
    let stated: Vec<&str> = stated.iter().filter_map(Value::as_str).collect();
    if stated.is_empty() || stated.iter().any(|text| text.contains(char::is_numeric)) {
        return None;
    }
    let lines: Vec<&str> = view
        .lines
        .iter()
        .map(|line| view.lines.line_text(line).trim())
        .collect();
    let folded: Vec<String> = lines.iter().map(|line| line.to_lowercase()).collect();
    let is_amount = |text: &str| {
        text.len() <= LONGEST_LINE
            && text.starts_with(char::is_numeric)
            && text.split_whitespace().count() <= AMOUNT_WORDS
    };
    let read = |side: AmountSide| -> Vec<AmountBeside> {
        let beside = |at: usize| {
            let amount = match side {
                AmountSide::Before => at.checked_sub(1)?,
                AmountSide::Behind => at + 1,
            };
            lines
                .get(amount)
                .filter(|text| is_amount(text))
                .map(|_| (at, amount))
        };
        let amount_of = |name: &&str| {
            let name = name.to_lowercase();
            let mut named = folded.iter().enumerate().filter(|(_, line)| **line == name);
            named.find_map(|(at, _)| beside(at))
        };
        stated.iter().map(amount_of).collect()
    };
    let (before, behind) = (read(AmountSide::Before), read(AmountSide::Behind));
    let count = |pairs: &[AmountBeside]| pairs.iter().flatten().count();
    let fit = |one: &[AmountBeside], other: &[AmountBeside]| (closer(view, one, other), count(one));
    let pairs = match fit(&before, &behind).cmp(&fit(&behind, &before)) {
        Ordering::Greater => before,
        Ordering::Less => behind,
        Ordering::Equal if are_terms(view, &behind) => behind,
        Ordering::Equal => return None,
    };
    let whole = |(name, pair): (&&str, &AmountBeside)| {
        let amount = pair.and_then(|(_, amount)| lines.get(amount));
        amount.map_or_else(|| (*name).to_owned(), |amount| format!("{amount} {name}"))
    };
    let is_list = count(&pairs) as f32 > WITH_AMOUNT_BESIDE * stated.len() as f32;
    is_list.then(|| stated.iter().zip(&pairs).map(whole).collect())
}

/// Whether the names are the terms of a list of descriptions, whose amounts describe them.
fn are_terms(view: &VisiblePage<'_>, behind: &[AmountBeside]) -> bool {
    let is = |at: usize, tag: &str| {
        let block = view.lines.get(at).map(|line| view.dom().node(line.block));
        block.is_some_and(|block| {
            block.is(tag) || block.ancestors().take(TERM_LEVELS).any(|above| above.is(tag))
        })
    };
    let mut pairs = behind.iter().flatten();
    pairs.all(|(name, amount)| is(*name, "dt") && is(*amount, "dd"))
}

/// Levels above a line within which its term or description is.
const TERM_LEVELS: usize = 2;

/// How many amounts of one reading stand in a smaller element with their names than with the names that the other reading gives them.
fn closer(view: &VisiblePage<'_>, one: &[AmountBeside], other: &[AmountBeside]) -> usize {
    let depth = |name: usize, amount: usize| {
        let [name, amount] =
            [name, amount].map(|at| view.lines.get(at).map(|line| view.dom().node(line.block)));
        let (name, amount) = name.zip(amount)?;
        let mut around = std::iter::once(name).chain(name.ancestors());
        let shared = around.find(|outer| outer.id() <= amount.id() && amount.id() < outer.end())?;
        Some(shared.ancestors().count())
    };
    let is_closer = |&&(name, amount): &&(usize, usize)| {
        let mut rivals = other.iter().flatten().filter(|(_, same)| *same == amount);
        rivals.any(|(rival, _)| depth(name, amount) > depth(*rival, amount))
    };
    one.iter().flatten().filter(is_closer).count()
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;

    #[test]
    fn units_that_markup_left_out_come_from_the_lines_of_the_page() {
        let page = Page::new(
            "<ul><li>500 g of rhubarb</li><li>2 eggs</li><li>2 large eggs</li></ul>",
            None,
        );
        let view = VisiblePage::of(&page);
        let stated = [
            Value::from("500 of rhubarb"),
            Value::from("2 eggs"),
            Value::from("1 crust"),
        ];
        assert_eq!(
            with_units(&view, &stated),
            Some(
                ["500 g of rhubarb", "2 eggs", "1 crust"]
                    .map(str::to_owned)
                    .to_vec()
            )
        );
        assert_eq!(with_units(&view, &[Value::from("2 eggs")]), None);
        for (first, second) in [("1 onion", "1 red onion"), ("1 milk", "1 cup milk")] {
            let html = format!("<ul><li>{first}, as you like</li><li>{second}</li></ul>");
            let stated = [Value::from(first), Value::from(second)];
            assert_eq!(
                with_units(&VisiblePage::of(&Page::new(html, None)), &stated),
                None
            );
        }
        let page = Page::new("<p>1 1/4 cups of flour</p>", None);
        let stated = [Value::from("1 cups of flour")];
        assert_eq!(with_units(&VisiblePage::of(&page), &stated), None);
    }

    #[test]
    fn amounts_beside_the_ingredients_of_the_markup_are_added() {
        let page = Page::new(
            "<div><p>Flour</p><p>400 g</p></div><div><p>salt</p><p>1 pinch</p></div><div><p>thyme</p></div>",
            None,
        );
        let view = VisiblePage::of(&page);
        let stated = ["flour", "salt", "thyme"].map(Value::from);
        let all = ["400 g flour", "1 pinch salt", "thyme"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(with_amounts(&view, &stated), Some(all));
        assert_eq!(
            with_amounts(&view, &["400 g flour", "salt"].map(Value::from)),
            None
        );
        assert_eq!(
            with_amounts(&view, &["leek", "salt", "thyme"].map(Value::from)),
            None
        );
    }

    #[test]
    fn amounts_before_the_ingredients_are_theirs_and_not_those_of_the_next() {
        let stated = ["flour", "salt", "thyme", "leek"].map(Value::from);
        let read = |html: &str| with_amounts(&VisiblePage::of(&Page::new(html, None)), &stated);
        let whole = ["400 g flour", "1 pinch salt", "2 sprigs thyme", "3 pieces leek"];
        let whole = Some(whole.map(str::to_owned).to_vec());
        let entries = [
            ("400 g", "flour"),
            ("1 pinch", "salt"),
            ("2 sprigs", "thyme"),
            ("3 pieces", "leek"),
        ];
        let flat = |pair: &(&str, &str)| format!("<div>{}</div><div>{}</div>", pair.0, pair.1);
        let nested = |pair: &(&str, &str)| format!("<div>{}</div>", flat(pair));
        let turned = |pair: &(&str, &str)| flat(&(pair.1, pair.0));
        assert_eq!(read(&entries.iter().map(flat).collect::<String>()), whole);
        assert_eq!(read(&entries.iter().map(nested).collect::<String>()), whole);
        assert_eq!(read(&entries.iter().map(turned).collect::<String>()), whole);
        // What stands before the first amount is no amount of an ingredient.
        let served = format!(
            "<p>4 servings</p>{}",
            entries.iter().map(nested).collect::<String>()
        );
        assert_eq!(read(&served), whole);
        // Without elements around the pairs either side may be meant.
        let unclear =
            "<p>flour</p><p>400 g</p><p>salt</p><p>1 pinch</p><p>thyme</p><p>2 sprigs</p><p>leek</p>";
        assert_eq!(read(unclear), None);
        // A term stands before what describes it, also where the last one has no amount.
        let terms = "<dl><dt>flour</dt><dd>400 g</dd><dt>salt</dt><dd>1 pinch</dd><dt>thyme</dt><dd>2 sprigs</dd>\
            <dt>leek</dt><dd>to taste</dd></dl>";
        let whole = ["400 g flour", "1 pinch salt", "2 sprigs thyme", "leek"];
        assert_eq!(read(terms), Some(whole.map(str::to_owned).to_vec()));
    }
}
