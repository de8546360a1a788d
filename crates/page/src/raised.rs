//! Raised and lowered text (`<sup>`, `<sub>`) as plain text: cents, powers and marks of notes stay apart from what stands beside them.

use std::collections::HashSet;

use crate::dom::Node;
use html5ever::local_name;
use locale::price::{self, PriceHints};

/// Longest raised text that is joined with the text around it, in bytes.
const MAX_RAISED: usize = 24;
/// Most nodes of a raised element that is joined.
const MAX_OWN_NODES: usize = 16;
/// How many nodes on each side are asked for the text beside a raised one.
const MAX_NODES: u32 = 12;
/// How many characters on each side are asked whether an amount of money stands there.
const MAX_BESIDE: usize = 20;
/// Letters that stand for numbers: raised behind another one they are powers. The others are the ends of ordinal numbers and
/// of abbreviations (`1er`, `2e`, `1o`, `1st`, `Mme`).
const VARIABLES: &str = "ijknxyz";
/// Most marks of notes of a page.
const MAX_MARKS: usize = 1_000;
/// Brackets around the mark of a note.
const BRACKETS: [char; 4] = ['[', ']', '(', ')'];
/// Signs that mark notes.
const SIGNS_OF_NOTES: &str = "*†‡§¶";
/// Fewest letters of a word behind which a raised digit is the mark of a note, and no power or part of a formula.
const WORD: usize = 4;
/// Units of length, whose second and third power have signs of their own.
const LENGTHS: [&str; 9] = ["m", "km", "cm", "mm", "dm", "ft", "in", "yd", "mi"];

/// What a raised or lowered element is in plain text; none where its text stands as it is.
///
/// `19<sup>99</sup> €` is 19.99 (or 19,99, as the language of the page writes), `2<sup>10</sup>` is 2^10, `m<sup>2</sup>` is m²,
/// `log<sub>10</sub>100` is log10 100, and a link to a note, `word<sup><a href="#n1">1</a></sup>`, is word\[1\].
pub(crate) fn joined(node: Node<'_>) -> Option<String> {
    let is_lowered = match *node.local() {
        local_name!("sup") => false,
        local_name!("sub") => true,
        _ => return None,
    };
    if is_long(node) {
        return None;
    }
    let own = node.text();
    let own = own.trim();
    if own.is_empty() || own.len() > MAX_RAISED {
        return None;
    }
    let raised = Raised {
        node,
        own,
        before: text_before(node),
        after: text_after(node),
    };
    if is_lowered {
        raised.lowered()
    } else {
        raised.raised()
    }
}

/// What a raised element is in a text on one line; none where its text stands as it is, empty for the mark of a note.
///
/// A mark is left out where a reader knows it for one: it links to its note, stands in brackets, is a sign such as `*`, or opens a
/// note of the page, `<sup>1</sup> Disputed`. Other digits behind a number stay apart from it: `3,530<sup>1</sup>` is 3,530 1.
pub(crate) fn in_line(node: Node<'_>) -> Option<String> {
    if *node.local() != local_name!("sup") || is_long(node) {
        return None;
    }
    let own = own_text(node);
    let own = own.trim();
    if own.is_empty() || own.len() > MAX_RAISED {
        return None;
    }
    let raised = Raised {
        node,
        own,
        before: text_before(node),
        after: text_after(node),
    };
    raised.in_line()
}

/// The text of a raised element as it is written: those within it are asked nothing.
fn own_text(node: Node<'_>) -> String {
    node.descendants().filter_map(Node::text_value).collect()
}

/// The marks of notes that stand before their notes somewhere on a page: `1` of `<sup>1</sup> Disputed`.
fn marks_of_notes<'d>(sups: impl Iterator<Item = Node<'d>>) -> HashSet<String> {
    let opens_note = |node: &Node<'_>| {
        let is_behind = text_before(*node).ends_with(|c: char| c.is_alphanumeric() || ")]%".contains(c));
        // "<sup>14</sup>C" is an isotope, "<sup>1</sup>/<sub>2</sub>" a half.
        let after = text_after(*node);
        let words = after.trim_start_matches(|c: char| c.is_whitespace() || ".:)".contains(c));
        let letters = words.chars().take_while(|c| c.is_alphabetic()).count();
        !is_behind && (letters > 2 || (words.len() < after.len() && words.starts_with(char::is_alphanumeric)))
    };
    sups.filter(|node| !is_long(*node))
        .filter(opens_note)
        .map(|node| own_text(node).trim().to_owned())
        .filter(|mark| is_mark(mark))
        .take(MAX_MARKS)
        .collect()
}

/// Whether a text can be the mark of a note: up to three digits, a letter, or signs; brackets may stand around them.
fn is_mark(text: &str) -> bool {
    let bare = text.trim_matches(BRACKETS);
    let length = bare.chars().count();
    (1..=3).contains(&length)
        && (is_digits(bare)
            || (length == 1 && bare.starts_with(char::is_lowercase))
            || bare.chars().all(|c| SIGNS_OF_NOTES.contains(c)))
}

/// Whether an element has too many nodes or too long a text to be joined; looks at a few nodes, as such elements may stand in one
/// another hundreds of times.
fn is_long(node: Node<'_>) -> bool {
    node.end().index() - node.id().index() > MAX_OWN_NODES
        || node
            .descendants()
            .filter_map(Node::text_value)
            .any(|text| text.trim().len() > MAX_RAISED)
}

/// Whether a raised element is a link to a note of the page.
pub(crate) fn is_note(node: Node<'_>) -> bool {
    node.descendants().take(8).any(|inner| {
        *inner.local() == local_name!("a") && inner.attr("href").is_some_and(|href| href.contains('#'))
    })
}

struct Raised<'a> {
    node: Node<'a>,
    own: &'a str,
    before: String,
    after: String,
}

impl Raised<'_> {
    fn raised(&self) -> Option<String> {
        if let Some(separator) = self.decimal_separator() {
            return Some(format!("{separator}{}", self.own));
        }
        let is_number = is_digits(self.own);
        if !self.before.ends_with(|c: char| c.is_alphanumeric() || c == ')') {
            return (is_number && self.is_glued_to_next()).then(|| format!("{} ", self.own));
        }
        // The numerator of a fraction: 3 1/2.
        if is_number && self.after.starts_with(['/', '\u{2044}', '\u{2215}']) {
            return Some(format!(" {}", self.own));
        }
        // A mixed fraction: 1 1/2.
        if self.before.ends_with(|c: char| c.is_ascii_digit()) && is_fraction(self.own) {
            return Some(format!(" {}", self.own));
        }
        if is_sum(self.own) && self.is_behind_term() {
            return Some(format!("^({})", self.own));
        }
        let unsigned = self.own.trim_start_matches(['+', '-', '\u{2212}', '\u{2013}']);
        let is_variable = self.own.len() == 1 && self.own.chars().all(|c| VARIABLES.contains(c));
        if !is_variable && !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if is_note(self.node) {
            return Some(format!("[{}]", self.own));
        }
        if let Some(power) = self.power_of_length() {
            return Some(power.to_owned());
        }
        let is_plain = self
            .own
            .chars()
            .all(|c| c.is_alphanumeric() || "+-\u{2212}\u{2013}.,*".contains(c));
        let is_open = self.after.starts_with(char::is_alphanumeric);
        Some(if is_plain && !is_open {
            format!("^{}", self.own)
        } else {
            format!("^({})", self.own)
        })
    }

    fn in_line(&self) -> Option<String> {
        if let Some(separator) = self.decimal_separator() {
            return Some(format!("{separator}{}", self.own));
        }
        if let Some(power) = self.power_of_length() {
            return Some(power.to_owned());
        }
        let is_behind_number = self.before.ends_with(|c: char| c.is_ascii_digit());
        if self.is_mark_of_note(is_behind_number) {
            return Some(String::new());
        }
        if !is_behind_number {
            return None;
        }
        if is_fraction(self.own) {
            return Some(format!(" {}", self.own));
        }
        let unsigned = self.own.trim_start_matches(['+', '-', '\u{2212}', '\u{2013}']);
        if unsigned.is_empty() || !is_digits(unsigned) {
            let is_letter = self.own.len() == 1 && self.own.starts_with(|c: char| c.is_ascii_lowercase());
            return (is_letter && self.is_behind_decimals()).then(|| format!(" {}", self.own));
        }
        let is_power = unsigned.len() < self.own.len() || self.is_behind_ten();
        Some(if is_power {
            format!("^{}", self.own)
        } else {
            format!(" {}", self.own)
        })
    }

    /// Whether this is surely the mark of a note, behind a number, a bracket or a whole word.
    fn is_mark_of_note(&self, is_behind_number: bool) -> bool {
        if !is_mark(self.own) || self.after.starts_with(char::is_alphanumeric) {
            return false;
        }
        let letters = self
            .before
            .chars()
            .rev()
            .take_while(|c| c.is_alphabetic())
            .count();
        if !is_behind_number && letters < WORD && !self.before.ends_with([')', ']', '%', '.', ',', '"', '”'])
        {
            return false;
        }
        let is_in_brackets = self.own.starts_with(['[', '(']) && self.own.ends_with([']', ')']);
        let is_told = is_in_brackets
            || is_note(self.node)
            || self.own.chars().all(|c| SIGNS_OF_NOTES.contains(c))
            || self.opens_note();
        // "3 × 10" before a power.
        let is_factor = || {
            self.is_behind_ten()
                && self
                    .before
                    .trim_end_matches("10")
                    .trim_end()
                    .ends_with(['×', '·', 'x', '*'])
        };
        is_told && !(is_behind_number && is_digits(self.own) && is_factor())
    }

    /// Whether the same text stands before a note somewhere on the page.
    fn opens_note(&self) -> bool {
        let dom = self.node.dom();
        let marks = dom.marks_of_notes(|| marks_of_notes(dom.by_tag("sup")));
        marks.contains(self.own)
    }

    /// Whether the number before is a ten, whose powers are written most.
    fn is_behind_ten(&self) -> bool {
        self.before.strip_suffix("10").is_some_and(|before| {
            !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '\'' | '’'))
        })
    }

    /// Whether the number before has a part behind a point or comma: behind it no letter is the end of an ordinal number.
    fn is_behind_decimals(&self) -> bool {
        let whole = self.before.trim_end_matches(|c: char| c.is_ascii_digit());
        whole
            .strip_suffix(['.', ','])
            .is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()))
    }

    /// Whether a number, a bracket or one letter alone stands before.
    fn is_behind_term(&self) -> bool {
        let mut before = self.before.chars().rev();
        match before.next() {
            Some(c) if c.is_alphabetic() => !before.next().is_some_and(char::is_alphabetic),
            Some(c) => c.is_ascii_digit() || c == ')',
            None => false,
        }
    }

    fn lowered(&self) -> Option<String> {
        let is_digit = |c: char| c.is_ascii_digit();
        let parted = self.before.ends_with(is_digit) && self.own.starts_with(is_digit);
        let glued = self.own.ends_with(is_digit) && self.after.starts_with(is_digit);
        (parted || glued).then(|| {
            let (sign, space) = (if parted { "_" } else { "" }, if glued { " " } else { "" });
            format!("{sign}{}{space}", self.own)
        })
    }

    /// What stands before the cents, when the text is the cents of an amount of money.
    fn decimal_separator(&self) -> Option<char> {
        let (cents, rest) = self.own.split_at_checked(2)?;
        let next = rest.chars().chain(self.after.chars()).next();
        if !is_digits(cents) || next.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let digits = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let whole = digits(&self.before);
        let above = self.before.get(..self.before.len() - whole)?;
        let group = above
            .chars()
            .next_back()
            .filter(|sign| matches!(sign, '.' | ',') && digits(&above[..above.len() - 1]) > 0);
        if whole == 0 || (group.is_some() && whole != 3) {
            return None;
        }
        let written = format!("{}.{}{}", self.before, self.own, self.after);
        let amount = format!(".{cents}");
        let at = self.before.len();
        let is_money = price::find_all(&written, &PriceHints::default())
            .iter()
            .any(|price| {
                let from = (price.raw.as_ptr() as usize).checked_sub(written.as_ptr() as usize);
                let covers = from.is_some_and(|from| (from..from + price.raw.len()).contains(&at));
                covers && price.currency.is_some() && price.amount.ends_with(&amount)
            });
        let is_price = self.is_named_price() && rest.is_empty() && self.after.trim().is_empty();
        if !is_money && !is_price {
            return None;
        }
        Some(match group {
            Some('.') => ',',
            Some(_) => '.',
            None => self.language_separator().unwrap_or('.'),
        })
    }

    /// Whether the page marks the element around as a price.
    fn is_named_price(&self) -> bool {
        self.node.ancestors().take(3).any(|around| {
            around.attr("itemprop") == Some("price")
                || around
                    .classes()
                    .any(|class| class.to_ascii_lowercase().contains("price"))
        })
    }

    fn language_separator(&self) -> Option<char> {
        let language = self.node.ancestors().find_map(|around| around.attr("lang"))?;
        locale::decimal_separator(language.trim())
    }

    /// The sign of the second or third power behind a unit of length.
    fn power_of_length(&self) -> Option<&'static str> {
        let power = match self.own {
            "2" => "²",
            "3" => "³",
            _ => return None,
        };
        let letters = self
            .before
            .rsplit(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        LENGTHS.contains(&letters).then_some(power)
    }

    /// Whether a word or a number follows without a space. The symbol of an element belongs to the number before: 14C.
    fn is_glued_to_next(&self) -> bool {
        let mut next = self.after.chars();
        let first = next.next();
        if first.is_some_and(char::is_uppercase) {
            let beyond = next.find(|c| !c.is_lowercase() || !c.is_ascii());
            let length = self.after.chars().take_while(|c| c.is_alphabetic()).count();
            return length > 2 || beyond.is_some_and(char::is_alphabetic);
        }
        first.is_some_and(char::is_alphanumeric)
    }
}

/// Whether a text is a numerator and a denominator: `1/2`.
fn is_fraction(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && is_digits(part);
    text.split_once(['/', '\u{2044}', '\u{2215}'])
        .is_some_and(|(above, below)| is_number(above) && is_number(below))
}

/// Whether a text begins with a variable and adds to it or takes from it: `n+1`, `k-i`.
fn is_sum(text: &str) -> bool {
    let is_term = |term: &str| {
        let letters = term.trim_start_matches(|c: char| c.is_ascii_digit());
        !term.is_empty() && (letters.is_empty() || letters.len() == 1 && letters.is_ascii())
    };
    let mut terms = text.split(['+', '-', '\u{2212}']).map(str::trim);
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.contains(['+', '-', '\u{2212}'])
        && terms.all(|term| is_term(term) && term.chars().all(char::is_alphanumeric))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The end of the text before a node in its block.
fn text_before(node: Node<'_>) -> String {
    let at = node.id().index() as u32;
    let mut parts: Vec<&str> = Vec::new();
    let mut length = 0;
    for place in (at.saturating_sub(MAX_NODES)..at).rev() {
        let before = node.dom().at(place);
        if length >= MAX_BESIDE || before.is_block() || is_apart(before, node) {
            break;
        }
        length += before.text_value().map_or(0, str::len);
        parts.extend(before.text_value());
    }
    let text: String = parts.into_iter().rev().collect();
    let from = text.floor_char_boundary(text.len().saturating_sub(MAX_BESIDE));
    text.get(from..).unwrap_or_default().to_owned()
}

/// The beginning of the text behind a node in its block.
fn text_after(node: Node<'_>) -> String {
    let end = node.end().index() as u32;
    let block = node.ancestors().find(|around| around.is_block());
    let last = block.map_or(node.dom().len(), |block| block.end().index()) as u32;
    let mut text = String::new();
    for place in end..end.saturating_add(MAX_NODES).min(last) {
        let after = node.dom().at(place);
        if text.len() >= MAX_BESIDE || is_apart(after, node) {
            break;
        }
        text.push_str(after.text_value().unwrap_or_default());
    }
    text.truncate(text.floor_char_boundary(MAX_BESIDE));
    text
}

/// Whether a node near another one stands in another block, on another line, or is not shown.
fn is_apart(near: Node<'_>, node: Node<'_>) -> bool {
    let around = |outer: &Node<'_>| node.is_inside(outer.id());
    std::iter::once(near)
        .chain(near.ancestors())
        .take_while(|part| !around(part))
        .any(|part| part.is_block() || part.is("br") || part.is_hidden_by_tag())
}

#[cfg(test)]
mod tests {
    use crate::Page;
    use crate::dom::NodeSet;
    use crate::markdown::render_page;
    use crate::text::render;

    /// The plain text and the Markdown of a page.
    fn read(html: &str) -> [String; 2] {
        let page = Page::new(html, None);
        let body = page.dom().body().unwrap_or(page.dom().root());
        [render(body, &NodeSet::default()), render_page(&page)]
    }

    fn check(html: &str, expect: &str) {
        assert_eq!(read(html), [expect, expect], "{html}");
    }

    #[test]
    fn raised_cents_stand_behind_a_decimal_separator() {
        check("19<sup>99</sup> €", "19.99 €");
        check("<html lang=de><p>19<sup>99</sup> €", "19,99 €");
        check("<html lang=de-CH><p>CHF 1'019<sup>50</sup>", "CHF 1'019.50");
        check("1.299<sup>00</sup> €", "1.299,00 €");
        check("1,299<sup>00</sup> $", "1,299.00 $");
        check("<span>$</span><span>229</span><sup>99</sup>", "$229.99");
        check("now £5<sup>49</sup>, was £6<sup>00</sup>", "now £5.49, was £6.00");
        check("104<sup>00 €</sup>", "104.00 €");
        check("<p class=price>19<sup>99</sup>", "19.99");
        check("19,<sup>99</sup> €", "19,99 €");
    }

    #[test]
    fn powers_are_marked() {
        check("2<sup>10</sup> states, 10<sup>-3</sup> s", "2^10 states, 10^-3 s");
        check("x<sup>2</sup>y<sup>n+1</sup>, 2<sup>n</sup>", "x^(2)y^(n+1), 2^n");
        check("(a+b)<sup>2</sup>", "(a+b)^2");
        check("85 m<sup>2</sup>, 3 km<sup>3</sup>", "85 m², 3 km³");
        check("10<sup>99</sup> atoms", "10^99 atoms");
    }

    #[test]
    fn marks_of_notes_stay_apart_from_words() {
        check("note<sup>1</sup>.", "note^1.");
        check("<sup>1</sup>2020 figures", "1 2020 figures");
        check("<sup>2</sup>Source", "2 Source");
        assert_eq!(
            read("in 1994<sup><a href=#n3>3</a></sup>"),
            ["in 1994[3]", "in 1994[3](#n3)"]
        );
        assert_eq!(read("note<sup>[1]</sup>"), ["note[1]", "note\\[1]"]);
    }

    #[test]
    fn fractions_and_indices_keep_their_numbers() {
        check("3<sup>1</sup>/<sub>2</sub> in", "3 1/2 in");
        check("1<sup>1/2</sup> cups", "1 1/2 cups");
        check("10<sub>2</sub> is 2", "10_2 is 2");
        check("log<sub>10</sub>100", "log10 100");
    }

    /// The text of a page on one line.
    fn line(html: &str) -> String {
        let page = Page::new(html, None);
        page.dom().body().unwrap_or(page.dom().root()).text()
    }

    #[test]
    fn on_one_line_a_raised_text_never_changes_a_number() {
        let cases = [
            ("<td>3,530<sup>1</sup>", "3,530 1"),
            ("<td>3,530<sup><a href=#n1>1</a></sup>", "3,530"),
            ("<td>1,233<sup>[3]</sup> km", "1,233 km"),
            ("<td>1,112<sup>*</sup>", "1,112"),
            ("<td>170.1<sup>b</sup>", "170.1 b"),
            (
                "<td>10<sup>6</sup> cells, 10<sup>-3</sup> s",
                "10^6 cells, 10^-3 s",
            ),
            ("<td>85 m<sup>2</sup>", "85 m²"),
            ("<td>19<sup>99</sup> €", "19.99 €"),
            ("<td>1<sup>st</sup>, 2<sup>a</sup>, 3<sup>e</sup>", "1st, 2a, 3e"),
            ("<td>1<sup>1/2</sup> cups, CO<sup>2</sup>", "1 1/2 cups, CO2"),
            ("<td>E = mc<sup>2</sup>", "E = mc2"),
        ];
        for (html, expect) in cases {
            assert_eq!(line(&format!("<table><tr>{html}</table>")), expect, "{html}");
        }
    }

    #[test]
    fn a_mark_before_its_note_is_left_out_of_the_number() {
        let notes = "<p><sup>1</sup> Disputed. <sup>b</sup> Provisional. <sup>2</sup> 2023.</p>";
        let cases = [
            ("353<sup>1</sup>", "353"),
            ("811.2<sup>b</sup>", "811.2"),
            ("110<sup>2</sup>", "110"),
            ("GDP (US$ bn)<sup>1</sup>", "GDP (US$ bn)"),
            ("Length<sup>1</sup>", "Length"),
            ("3 × 10<sup>2</sup> m<sup>2</sup>", "3 × 10^2 m²"),
        ];
        for (cell, expect) in cases {
            let page = Page::new(format!("<table><tr><td>{cell}</table>{notes}"), None);
            let cell = page.dom().by_tag("td").next().map(|cell| cell.text());
            assert_eq!(cell.as_deref(), Some(expect));
        }
    }

    #[test]
    fn a_long_raised_text_is_left_as_it_is() {
        let many = "<b></b>".repeat(20);
        check(&format!("a<sup>2{many}</sup>"), "a2");
        let long = "2 and some more words than are raised";
        check(&format!("a<sup>{long}</sup>"), &format!("a{long}"));
    }

    #[test]
    fn raised_words_are_part_of_the_word_before() {
        check(
            "1<sup>st</sup> 2<sup>e</sup> M<sup>me</sup> H<sub>2</sub>O <sup>14</sup>C Huntsman<sup>®</sup>",
            "1st 2e Mme H2O 14C Huntsman®",
        );
    }
}
