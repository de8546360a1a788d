//! Ranking of the visible prices of a page: which is the one to pay for its product.
//!
//! Every amount with a currency (or in an element classed as a price) is a candidate. It is judged by how it is set (struck
//! through, classed old or current), by what stands beside it (shipping, saving, per kilogram), and by where it stands: near
//! below the heading, before the button to buy, not among the related products.

use std::sync::LazyLock;

use page::dom::{Node, NodeId};

use super::super::class_flags;
use super::super::lines::TextLine;
use super::super::visible_page::VisiblePage;
use super::availability::section_end;
use super::phrases::{is_buy_button, phrases};
use super::price_element::{holder, is_struck};
use locale::phrases::PhraseMatcher;
use locale::price::{self, ParsedPrice, PriceHints, PriceKind};

/// A price on the page and how much speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct PriceCandidate {
    /// The amount as an exact decimal.
    pub amount: String,
    /// The currency as written.
    pub currency: Option<String>,
    /// The text that was read.
    pub text: String,
    /// The element that holds it.
    pub node: NodeId,
    /// Index of its line.
    pub line: usize,
    /// Set or labelled as an earlier price.
    pub earlier: bool,
    /// Set as struck through, not only classed as an earlier price.
    pub struck: bool,
    /// Without the tax that the buyer pays.
    pub net: bool,
    /// How many prices of the page are set alike: their elements and those around them have the same tags and classes.
    pub alike: usize,
    /// The higher the likelier.
    pub score: f32,
}

/// Every price of the page, best first.
pub fn candidates(view: &VisiblePage<'_>) -> Vec<PriceCandidate> {
    let dom = view.dom();
    let heading = view.heading.as_ref();
    let buy = heading.and_then(|heading| buy_line(view, heading.line));
    let mut prices: Vec<PriceCandidate> = Vec::new();
    let mut last: Option<NodeId> = None;
    let hints = PriceHints {
        decimal_separator: decimal_mark(view),
        ..PriceHints::default()
    };
    let place = PricePlace {
        heading: heading.map(|heading| heading.line),
        buy,
        section_end: heading.map_or(view.lines.len(), |heading| section_end(view, heading.line)),
    };
    for (index, line) in view.lines.iter().enumerate() {
        let text = view.lines.line_text(line);
        if let Some(gratis) = gratis(view, line, index, &place) {
            prices.push(gratis);
        }
        if !text.contains(|c: char| c.is_numeric()) || text.len() > 400 {
            continue;
        }
        for segment in view.lines.segments(line) {
            let own = view.lines.segment_text(segment);
            if !own.contains(|c: char| c.is_numeric()) {
                continue;
            }
            if heading.is_some_and(|heading| dom.node(segment.element).is_inside(heading.node)) {
                continue;
            }
            let Some((holder, text)) = holder(view, dom.node(segment.element), own) else {
                continue;
            };
            if last == Some(holder.id()) {
                continue;
            }
            last = Some(holder.id());
            for candidate in read(view, holder, &text, index, &place, &hints) {
                prices.push(candidate);
                if prices.len() >= 600 {
                    break;
                }
            }
        }
    }
    rate_looks(view, &mut prices);
    one_is_current(&mut prices);
    prices.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
    prices
}

/// A look that repeats all over the page is that of a list, except on the first of its kind behind the heading.
fn rate_looks(view: &VisiblePage<'_>, prices: &mut [PriceCandidate]) {
    let dom = view.dom();
    let class_paths: Vec<String> = prices
        .iter()
        .map(|candidate| class_path(dom.node(candidate.node)))
        .collect();
    let mut counts = std::collections::HashMap::new();
    for class_path in &class_paths {
        *counts.entry(class_path.as_str()).or_insert(0usize) += 1;
    }
    for (candidate, class_path) in prices.iter_mut().zip(&class_paths) {
        candidate.alike = counts.get(class_path.as_str()).copied().unwrap_or(1);
        match counts.get(class_path.as_str()) {
            Some(1) => candidate.score += 1.5,
            Some(2) => candidate.score += 0.75,
            Some(n) if *n > 5 => candidate.score -= 1.0,
            _ => {}
        }
    }
}

locale::patterns! {
    /// An amount and the words for "instead of" before the amount that was paid before. A number is an amount where the text begins
    /// with it, where it has cents, or a currency behind it: "iPhone 15 statt 899 €" tells no price but the earlier one.
    static INSTEAD_OF = r"(?i)(?:(?:^(?:\W|\b(?:nur|noch|für|jetzt|ab|only|just|now|for|za|tylko|teraz)\b)*([0-9][0-9.,]*)\s*(?:[€$£]|(?:eur|euros?|usd|gbp|pounds?|dollars?|chf|fr|pln|zł|zl|kč|czk|kr|sek|nok|dkk)\b\.?)?|\b([0-9][0-9.,]*[.,][0-9]{2})\s*(?:[€$£]|(?:eur|euros?|usd|gbp|pounds?|dollars?|chf|fr|pln|zł|zl|kč|czk|kr|sek|nok|dkk)\b\.?)?|\b([0-9][0-9.,]*)\s*(?:[€$£]|(?:eur|euros?|usd|gbp|pounds?|dollars?|chf|fr|pln|zł|zl|kč|czk|kr|sek|nok|dkk)\b\.?))\s+)?\b(?:statt|anstatt|instead of|zamiast|au lieu de|en lugar de|en vez de)\s+\S{0,3}$";
}

/// Fewest words of a text that tells of an amount, and what the amount loses by it; set by hand.
const PROSE: usize = 14;
const PROSE_MALUS: f32 = 3.0;

/// What a price without tax loses.
const NET_MALUS: f32 = 2.0;

/// The decimal separator that the page's other prices agree on, so that "3.350" beside "3.49" is not read as thousands.
fn decimal_mark(view: &VisiblePage<'_>) -> Option<char> {
    if !view
        .lines
        .iter()
        .any(|line| is_doubtful(view.lines.line_text(line)))
    {
        return None;
    }
    let mut counts = [0u32; 2];
    for line in view.lines.iter() {
        let text = view.lines.line_text(line);
        if text.len() > 120 || !text.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        for price in price::find_all(text, &PriceHints::default()) {
            let tail = price.raw.rsplit(['.', ',']).next().unwrap_or_default();
            let cents = tail.len() == 2 && tail.len() < price.raw.len();
            let mark = price.raw.as_bytes().get(price.raw.len().saturating_sub(3));
            match mark.filter(|_| cents) {
                Some(b'.') => counts[0] += 1,
                Some(b',') => counts[1] += 1,
                _ => {}
            }
        }
    }
    // Where the country writes decimals with a comma, a few points prove nothing.
    let comma = view
        .country
        .as_deref()
        .is_some_and(|country| COMMA.contains(&country));
    match counts {
        [points, 0] if points >= 2 && !comma => Some('.'),
        [0, commas] if commas >= 2 => Some(','),
        _ => None,
    }
}

/// Whether a number of the text has one separator with three digits behind it.
fn is_doubtful(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(5).enumerate().any(|(at, window)| {
        let [before, b'.' | b',', one, two, three] = window else {
            return false;
        };
        let digits = [before, one, two, three].iter().all(|b| b.is_ascii_digit());
        digits
            && !bytes
                .get(at + 5)
                .is_some_and(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
    })
}

/// Countries that write decimals with a comma (Unicode CLDR).
#[rustfmt::skip]
const COMMA: &[&str] = &[
    "ar", "at", "ba", "be", "bg", "br", "by", "cl", "co", "cz", "de", "dk", "ee", "es", "fi", "fr", "gr", "hr", "hu", "id", "is", "it", "kz", "lt", "lu", "lv", "nl", "no", "pl", "pt", "py", "ro", "rs", "ru", "se", "si", "sk", "tr", "ua", "uy", "ve", "vn", "za",
];

/// A price that is classed as an earlier one is the price itself where no lower one stands beside it.
fn one_is_current(prices: &mut [PriceCandidate]) {
    let current: Vec<(usize, String)> = prices
        .iter()
        .filter(|candidate| !candidate.earlier && !candidate.net)
        .map(|candidate| (candidate.line, candidate.amount.clone()))
        .collect();
    for candidate in prices
        .iter_mut()
        .filter(|candidate| candidate.earlier && !candidate.struck)
    {
        let lower = current.iter().any(|(line, amount)| {
            line.abs_diff(candidate.line) <= 8 && price::compare(amount, &candidate.amount).is_lt()
        });
        if !lower {
            candidate.earlier = false;
            candidate.score += 3.0;
        }
    }
}

/// How an element and its parents are classed: what repeats in a list.
fn class_path(node: Node<'_>) -> String {
    let parts: Vec<String> = std::iter::once(node)
        .chain(node.ancestors())
        .take(3)
        .map(|element| format!("{}.{}", element.tag(), element.class()))
        .collect();
    parts.join("<")
}

fn read(
    view: &VisiblePage<'_>,
    holder: Node<'_>,
    text: &str,
    line: usize,
    place: &PricePlace,
    hints: &PriceHints<'_>,
) -> Vec<PriceCandidate> {
    let mut prices: Vec<ParsedPrice<'_>> = price::find_all(text, hints);
    if prices.is_empty() {
        prices.extend(price::parse(text, hints));
    }
    let single = prices.len() == 1;
    let setting = setting(view, holder, line, place);
    let chosen = price::parse(text, hints).map(|price| price.amount);
    // "Spread the cost on orders from £150, with 9.9 % APR": a sentence tells of an amount, and does not set it.
    let is_told = !setting.is_set && text.split_whitespace().count() >= PROSE;
    let out = prices.into_iter().take(4).map(|price| {
        let mut score = setting.score - if is_told { PROSE_MALUS } else { 0.0 };
        let before = text
            .find(price.raw)
            .and_then(|at| text.get(..at))
            .unwrap_or_default();
        let is_replaced = INSTEAD_OF.is_match(before);
        let earlier = setting.earlier || price.kind == PriceKind::Earlier || is_replaced;
        score -= match price.kind {
            PriceKind::Full => 0.0,
            PriceKind::Earlier => 2.0,
            PriceKind::PerUnit | PriceKind::Aside => 2.0,
            PriceKind::Installment => 3.5,
        };
        // "22,24 € (25 %)" is what is saved.
        let behind = text
            .find(price.raw)
            .map_or("", |at| text.get(at + price.raw.len()..).unwrap_or_default());
        let percent = behind
            .trim_start_matches(|c: char| !c.is_ascii_digit() && c != '(')
            .trim_start_matches('(');
        let percent = percent
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start();
        if behind.contains('(') && percent.starts_with('%') {
            score -= 2.5;
        }
        // "€ 18,00 -5%" is the price from which five per cent are taken.
        let cut = behind
            .trim_start()
            .trim_start_matches(['€', '$', '£'])
            .trim_start();
        let reduced = cut.strip_prefix(['-', '−', '–']).is_some_and(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_digit())
                .trim_start()
                .starts_with('%')
        });
        if reduced {
            score -= 2.0;
        }
        if !single && chosen.as_ref() != Some(&price.amount) {
            score -= 1.0;
        }
        if price.currency.is_some() {
            score += 1.0;
        }
        if price.amount.bytes().all(|b| matches!(b, b'0' | b'.')) {
            // An empty basket costs nothing, too; what is set as the price below the heading is one.
            score -= if setting.is_set && place.is_near(line) {
                1.0
            } else {
                4.0
            };
        }
        PriceCandidate {
            currency: price.currency.map(str::to_owned),
            text: text.to_owned(),
            node: holder.id(),
            line,
            earlier,
            struck: setting.struck || is_replaced,
            net: setting.net,
            alike: 1,
            score,
            amount: price.amount,
        }
    });
    let mut out: Vec<PriceCandidate> = out.collect();
    if let [earlier] = out.as_slice()
        && let Some(now) = paid_instead(earlier)
    {
        out.insert(0, now);
    }
    out
}

/// The price that one pays instead of an earlier one whose currency is written once for both: "9,99 statt 29,99 Euro".
fn paid_instead(earlier: &PriceCandidate) -> Option<PriceCandidate> {
    let hints = PriceHints::default();
    let whole = price::parse(&earlier.text, &hints)?;
    let before = earlier.text.get(..earlier.text.find(whole.raw)?)?;
    let found = INSTEAD_OF.captures(before)?;
    let now = found.iter().skip(1).flatten().next()?.as_str();
    let amount = price::parse(now, &hints)?.amount;
    price::compare(&amount, &earlier.amount)
        .is_lt()
        .then(|| PriceCandidate {
            amount,
            earlier: false,
            struck: false,
            ..earlier.clone()
        })
}

/// What place and setting say about every price in an element.
struct PriceSetting {
    score: f32,
    earlier: bool,
    struck: bool,
    net: bool,
    /// Whether the element or one close around it is classed as a price.
    is_set: bool,
}

/// Where the parts of the product stand, by line.
struct PricePlace {
    heading: Option<usize>,
    /// The first button to buy behind the heading.
    buy: Option<usize>,
    /// Where other products begin.
    section_end: usize,
}

impl PricePlace {
    /// Whether a line is one of the first below the heading.
    fn is_near(&self, line: usize) -> bool {
        self.heading
            .is_some_and(|heading| line > heading && line <= heading + 15)
    }
}

/// A line that says in a word that the product costs nothing, set as a price.
fn gratis(
    view: &VisiblePage<'_>,
    line: &TextLine,
    index: usize,
    place: &PricePlace,
) -> Option<PriceCandidate> {
    let text = view.lines.line_text(line);
    if text.len() > 24 || !place.is_near(index) || text.contains(|c: char| c.is_numeric()) {
        return None;
    }
    let free = price::parse(text, &PriceHints::default())?;
    let holder = view.dom().node(line.block);
    let setting = setting(view, holder, index, place);
    setting.is_set.then(|| PriceCandidate {
        amount: free.amount,
        currency: None,
        text: text.to_owned(),
        node: holder.id(),
        line: index,
        earlier: false,
        struck: false,
        net: false,
        alike: 1,
        score: setting.score + 1.0,
    })
}

/// Rates the place and setting of an element with prices, on line `line`.
fn setting(view: &VisiblePage<'_>, holder: Node<'_>, line: usize, place: &PricePlace) -> PriceSetting {
    let mut setting = markup_setting(view, holder);
    if setting.earlier {
        setting.score -= 3.0;
    }
    if let Some(heading) = place.heading {
        setting.score += heading_score(line, heading);
        // Behind a heading such as "You may also like" stand the prices of other products.
        if line >= place.section_end {
            setting.score -= 2.0;
        }
    }
    if let Some(buy) = place.buy {
        setting.score += button_score(line, buy);
    }
    let lower = |index: usize| {
        let line = view.lines.get(index);
        line.map_or(String::new(), |line| view.lines.line_text(line).to_lowercase())
    };
    let text = lower(line);
    let before = line.checked_sub(1).map_or(String::new(), lower);
    // A net price stands beside the one to pay, seldom alone.
    setting.net = WITHOUT_TAX.any(&text) || (before.len() < 40 && WITHOUT_TAX.any(&before));
    if setting.net {
        setting.score -= NET_MALUS;
    }
    for word in NOT_PRICES {
        if text.contains(word) {
            setting.score -= 1.0;
            break;
        }
        if before.len() < 40 && before.contains(word) {
            setting.score -= 0.8;
            break;
        }
    }
    setting
}

/// Words of amounts that are not the price: shipping, savings, instalments, vouchers.
#[rustfmt::skip]
const NOT_PRICES: &[&str] = &[
    "shipping", "delivery", "versand", "livraison", "frete", "spedizione", "доставк", "saving", "you save", "risparmi",
    "rabatt", "monthly", "/mo", "deposit", "voucher", "cashback",
];

/// Rates the tags, styles and class names of an element and the elements around it.
fn markup_setting(view: &VisiblePage<'_>, holder: Node<'_>) -> PriceSetting {
    let mut setting = PriceSetting {
        score: 0.0,
        earlier: false,
        struck: false,
        net: false,
        is_set: false,
    };
    let mut priced = false;
    let mut other = false;
    let around = std::iter::once(holder).chain(holder.ancestors());
    for (depth, node) in around.take(14).enumerate() {
        match node.tag() {
            "header" | "nav" | "footer" | "aside" => setting.score -= 2.5,
            "body" => break,
            _ => {}
        }
        if is_struck(node) {
            (setting.earlier, setting.struck) = (true, true);
        }
        let flags = view.class_flags.get(node);
        let has = |flag: u32| flags & flag != 0;
        let near = depth < 4;
        if has(class_flags::PRICE) {
            if near && !priced {
                setting.score += if depth < 2 { 2.0 } else { 1.2 };
                setting.is_set = true;
                priced = true;
            }
            if depth < 2 && has(class_flags::EARLIER) {
                setting.earlier = true;
            }
            if near && has(class_flags::CURRENT) && !(depth < 2 && has(class_flags::EARLIER)) {
                setting.score += 0.8;
            }
        } else if depth < 2 && has(class_flags::STRUCK) {
            setting.earlier = true;
        }
        if depth < 2 && is_old_beside_new(view, node) {
            setting.earlier = true;
        }
        if depth < 9 && !other && has(class_flags::OTHER) {
            other = true;
            setting.score -= if depth < 3 { 1.6 } else { 1.2 };
        }
        if node.attr("itemprop") == Some("price") {
            setting.score += 2.0;
        }
        if node.is("a") && near {
            setting.score -= 1.2;
        }
        if matches!(node.tag(), "li" | "option" | "label") && depth < 6 {
            setting.score -= 0.4;
        }
    }
    setting
}

/// Most elements of a price that are looked at for the new price beside an old one.
const MOST_BESIDE: usize = 8;

/// Whether an element is called old, and one beside it new: `<span class="alt">`, `<span class="neu">`.
fn is_old_beside_new(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let is_new = |other: Node<'_>| view.class_flags.has(other, class_flags::NEW);
    view.class_flags.has(node, class_flags::OLD)
        && !is_new(node)
        && node
            .parent()
            .is_some_and(|parent| parent.children().take(MOST_BESIDE).any(is_new))
}

/// The nearer below the heading the better; above it seldom.
fn heading_score(line: usize, heading: usize) -> f32 {
    let distance = line as f32 - heading as f32;
    if distance >= 0.0 {
        3.5 - (distance / 6.0).min(4.5)
    } else {
        -0.5 - (-distance / 20.0).min(1.5)
    }
}

/// The nearer to the button to buy the better, above it rather than below.
fn button_score(line: usize, buy: usize) -> f32 {
    let distance = (buy as f32 - line as f32).abs();
    if line <= buy {
        1.5 - (distance / 12.0).min(1.5)
    } else {
        0.6 - (distance / 12.0).min(1.2)
    }
}

pub(crate) static WITHOUT_TAX: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases("without tax"));

/// Index of the line of the first button to buy behind the heading.
fn buy_line(view: &VisiblePage<'_>, heading: usize) -> Option<usize> {
    view.lines
        .iter()
        .enumerate()
        .skip(heading)
        .take(400)
        .find_map(|(index, line)| is_buy_button(view.lines.line_text(line)).then_some(index))
}

/// The lines of the buttons to buy on the whole page.
pub(super) fn button_lines(view: &VisiblePage<'_>) -> Vec<usize> {
    let lines = view.lines.iter().enumerate();
    lines
        .filter(|(_, line)| is_buy_button(view.lines.line_text(line)))
        .map(|(index, _)| index)
        .collect()
}
