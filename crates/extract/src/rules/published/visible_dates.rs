//! Dates that a page shows, weighed by their place on the page.

use std::cell::LazyCell;
use std::collections::HashMap;

use jiff::civil::DateTime;
use page::dom::{Edge, Node, NodeId};

use super::super::answers;
use super::super::overlays::Overlays;
use super::super::replies::{is_of_reply, is_opinion};
use super::super::visible_page::VisiblePage;
use super::candidate::{DateCandidate, FIRST_WEIGHT};
use super::date_locale::DateLocale;
use super::dated_text::{
    dated_parts, dated_texts, is_dated, is_short_word, own_dated_text, starts_with_day, texts_with_year,
};
use super::dateline;
use super::newest_day::newest_day;
use super::other_pages;
use super::roles::{ClassRoles, DateRole, DateZone, entered, is_first_publication, role_of_words};
use super::thing_days::{is_of_other, is_of_rights};
use crate::provenance::FieldSource;
use locale::dates::{self, DatePrecision, ParsedDate};
use locale::number::ascii_digits;

locale::patterns! {
    /// Two days and what stands between them.
    pub(super) static SPAN_OF_DAYS = concat!(
        r"(?i)[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}\s*(?:-|–|—|\bto\b|\bbis\b|\bdo\b|\bau\b|\bal\b)\s*[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}",
        // "18–19 June 2026", "13. bis 15. März 2026", "9 al 18 de mayo de 2026"
        r"|\b[0-9]{1,2}\.?\s*(?:-|–|—|to|bis|do|au|al|till|t/m|tot)\s*[0-9]{1,2}\.?\s+(?:de\s+)?\p{L}{3,12}\.?\s+(?:de[l]?\s+)?[0-9]{4}\b",
        // "June 18–19, 2026"
        r"|\b\p{L}{3,12}\s+[0-9]{1,2}\s*(?:-|–|—|to)\s*[0-9]{1,2},?\s+[0-9]{4}\b",
    );
    /// Words before the day from which, or until which, something holds: "Valid from 1 March 2026".
    static VALIDITY = r"(?i)\b(?:valid|effective|in force|gültig|gilt|in kraft|valables?|en vigueur|válid[oa]s?|vigentes?|valid[oaie]|in vigore|geldig|ważn[aeyi]|obowiązuj\w+|gäller|gyldig)\s*:?\s+(?:as\s+)?(?:from|of|since|until|till|through|to|ab|seit|von|vom|bis|zum|du|à partir du|jusqu.au|desde|a partir del?|hasta|dal|fino al|vanaf|tot|od|do|från|till|fra|til)\b";
}

/// Text longer than this is prose; a day in it is mentioned in passing.
const MAX_TEXT: usize = 160;
/// Fewest words of a sentence that speaks of a day, and does not only name it.
const SENTENCE: usize = 12;
/// The most texts that are read as dates.
const MAX_READ: usize = 400;
/// An element with more nodes than this is no label of a date.
const MAX_NODES: usize = 40;

/// Nodes before the title within which a day is the one of the text.
const JUST_BEFORE: usize = 16;

/// Elements after the title within which a day is the one of the text.
const NEAR: usize = 60;

/// What remains of the weight of a day that belongs to other pages.
const OF_OTHERS: f32 = 0.3;

/// Weight of the day at the beginning of a report, which is that of a day called so in a short text; set by hand.
const DATELINE_WEIGHT: f32 = 70.0;

/// Attributes that carry the date of an element, the surest first.
#[rustfmt::skip]
const DATE_ATTRIBUTES: &[&str] = &[
    "datetime", "content", "title", "data-time", "data-datetime", "data-date", "data-timestamp", "ts",
];

/// The dates in the visible text and in the attributes of elements marked as dates.
pub(super) fn candidates(view: &VisiblePage<'_>, locale: &DateLocale, now: DateTime) -> Vec<DateCandidate> {
    let page = view.page;
    let mut scanner = DateScanner {
        overlays: &view.overlays,
        locale,
        host: page.url().and_then(|url| url.host_str()),
        now,
        served: LazyCell::new(Box::new(move || {
            let newest = newest_day(page.html(), now.date());
            newest.map_or(now, |day| day.to_datetime(now.time()))
        })),
        out: Vec::new(),
        read: 0,
        since_title: None,
        seen: 0,
        at: 0,
        label: "",
        title: title_element(view),
        roles: ClassRoles::default(),
        zones: Vec::new(),
        comments: None,
        skip: None,
        is_asked: false,
    };
    let Some(body) = page.dom().body() else {
        return Vec::new();
    };
    for edge in body.traverse() {
        match edge {
            Edge::Open(node) => scanner.open(node),
            Edge::Close(node) => scanner.close(node),
        }
    }
    lessen_repeats(&mut scanner.out);
    scanner.out.into_iter().map(|(candidate, _)| candidate).collect()
}

/// The element with the title: the first `<h1>`, or else the heading that `<title>` names.
fn title_element(view: &VisiblePage<'_>) -> Option<NodeId> {
    let first = view.dom().by_tag("h1").find(|node| !node.text().is_empty());
    first
        .map(Node::id)
        .or_else(|| view.heading.as_ref().map(|heading| heading.node))
}

/// A class that comes many times marks the days of a list, not of the page. In a thread the days go forward, and the
/// first one is the page's.
fn lessen_repeats(found: &mut [(DateCandidate, String)]) {
    let mut kinds: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, (_, kind)) in found.iter().enumerate() {
        kinds.entry(kind.clone()).or_default().push(at);
    }
    for (kind, places) in kinds.iter().filter(|(_, places)| places.len() > 2) {
        let days: Vec<_> = places
            .iter()
            .filter_map(|at| found.get(*at))
            .map(|(candidate, _)| candidate.moment.date)
            .collect();
        let forward = days
            .windows(2)
            .filter(|pair| matches!(pair, [a, b] if a <= b))
            .count();
        let is_thread = days.len() > 3 && forward * 5 >= (days.len() - 1) * 4 && days.first() != days.last();
        let first = match (is_thread, days.len()) {
            (true, _) => 1.0,
            (false, ..=5) => 0.85,
            (false, _) => 0.5,
        };
        for (nth, at) in places.iter().enumerate() {
            if let Some((candidate, _)) = found.get_mut(*at) {
                candidate.weight *= if nth == 0 { first } else { 0.4 };
                if nth == 0 && is_thread && kind != "itemprop" {
                    candidate.weight += 15.0;
                }
            }
        }
    }
}

struct DateScanner<'a> {
    overlays: &'a Overlays,
    locale: &'a DateLocale,
    /// The host of the page's address.
    host: Option<&'a str>,
    now: DateTime,
    /// When the page was served at the latest, as its source tells; `now` where it tells nothing.
    served: LazyCell<DateTime, Box<dyn FnOnce() -> DateTime + 'a>>,
    out: Vec<(DateCandidate, String)>,
    read: usize,
    /// Elements since the title; none before it.
    since_title: Option<usize>,
    seen: usize,
    /// Index of the node that is being read.
    at: usize,
    zones: Vec<(Node<'a>, DateZone)>,
    /// The outermost section of comments that is being read.
    comments: Option<Node<'a>>,
    /// The last short text that is no date itself: it may name the one that follows.
    label: &'a str,
    /// The element with the title.
    title: Option<NodeId>,
    roles: ClassRoles,
    /// An element whose text was read whole.
    skip: Option<Node<'a>>,
    /// Whether a question stands before.
    is_asked: bool,
}

impl<'a> DateScanner<'a> {
    fn zone(&self) -> DateZone {
        self.zones.last().map(|(_, zone)| *zone).unwrap_or_default()
    }

    fn open(&mut self, node: Node<'a>) {
        self.at = node.id().index();
        if let Some(text) = node.text_value() {
            if self.skip.is_some() || node.parent().is_some_and(Node::is_hidden_by_tag) {
                return;
            }
            if is_dated(text) {
                self.text(node, text);
                self.label = "";
            } else if !text.trim().is_empty() {
                self.label = if text.len() <= 40 { text } else { "" };
            }
            return;
        }
        if !node.is_element() {
            return;
        }
        if self.skip.is_none() && self.overlays.contains(node) {
            self.skip = Some(node);
        }
        self.seen += 1;
        if let Some(since) = &mut self.since_title {
            *since += 1;
        }
        let is_title = node.is("h1") || self.title == Some(node.id());
        if is_title && self.since_title.is_none_or(|_| !self.zone().aside) {
            self.since_title = Some(0);
        }
        // An icon before a day is called by its title.
        if let Some(title) = node
            .attr("title")
            .filter(|title| title.len() <= 40 && !is_dated(title))
            && node.end().index() - node.id().index() <= 2
        {
            self.label = title;
        }
        let mark = self.roles.of(node);
        self.is_asked |= mark.question && !answers::is_whole_page(node);
        // What holds the title is no column at the side, whatever it is called.
        let holds_title = self
            .title
            .is_some_and(|title| node.id() < title && title < node.end());
        let is_comments = mark.comments && !matches!(node.tag(), "body" | "main" | "html" | "article");
        if self.comments.is_none() && !holds_title && is_comments {
            self.comments = Some(node);
        }
        if self.skip.is_none() && !holds_title && other_pages::is_card(node) {
            self.skip = Some(node);
        }
        let mut inner = entered(self.zone(), node, mark);
        inner.foreign |= other_pages::heads_others(node) || is_opinion(node);
        inner.others |= inner.foreign;
        let zone = if holds_title {
            DateZone {
                main: inner.main,
                ..self.zone()
            }
        } else {
            inner
        };
        if zone != self.zone() {
            self.zones.push((node, zone));
        }
        if self.skip.is_none() && self.element(node, mark.role) {
            self.skip = Some(node);
        }
    }

    /// Whether the node that is being read stands shortly before the title.
    fn is_before_title(&self) -> bool {
        let title = self.title.map_or(0, NodeId::index);
        (1..=JUST_BEFORE).contains(&title.saturating_sub(self.at))
    }

    /// Whether the node that is being read belongs to the text: it stands beside the title or is `stated` to, and
    /// not among other things.
    fn is_own(&self, node: Node<'a>, stated: bool) -> bool {
        let zone = self.zone();
        let is_beside = || {
            self.since_title
                .map_or_else(|| self.is_before_title(), |since| since <= NEAR)
        };
        (stated || is_beside()) && !zone.others && !zone.aside && !self.is_in_entry(node)
    }

    /// Whether the smallest box around a day also holds the headline of another page, as an entry of a list does.
    fn is_in_entry(&self, node: Node<'a>) -> bool {
        let holds_title = |outer: Node<'_>| {
            self.title
                .is_some_and(|title| outer.id() < title && title < outer.end())
        };
        let is_headline = |node: Node<'_>| {
            node.is("a") && node.attr("href").is_some() && node.text().len() >= other_pages::HEADLINE
        };
        node.ancestors()
            .take(4)
            .take_while(|outer| outer.end().index() - outer.id().index() <= MAX_NODES && !holds_title(*outer))
            .any(|outer| is_headline(outer) || outer.descendants().any(is_headline))
    }

    fn close(&mut self, node: Node<'a>) {
        if self.skip == Some(node) {
            self.skip = None;
        }
        if self.comments == Some(node) {
            self.comments = None;
        }
        if self.zones.last().is_some_and(|(opened, _)| *opened == node) {
            self.zones.pop();
        }
    }

    /// Reads an element that is marked as a date; true when its text need not be read again.
    fn element(&mut self, node: Node<'a>, marked: DateRole) -> bool {
        // `<relative-time>` and its like are elements of their own making.
        let is_time = matches!(node.tag(), "time" | "abbr")
            || (node.tag().contains('-') && node.tag().contains("time"));
        // The value of a form is chosen by who reads the page.
        if matches!(node.tag(), "meta" | "input" | "select" | "option" | "button") {
            return false;
        }
        let itemprop = node.attr("itemprop").filter(|_| !is_of_reply(node)).unwrap_or("");
        let role = match itemprop {
            "datePublished" | "dateCreated" => DateRole::Published,
            "dateModified" => DateRole::Changed,
            _ if node.attr("pubdate").is_some() => DateRole::Published,
            _ => marked,
        };
        let is_titled = !is_time
            && role == DateRole::None
            && (node.attr("title").is_some_and(starts_with_day)
                || (node.attr("data-date").is_some_and(is_dated) && self.is_own(node, false)));
        if !is_time && role == DateRole::None && !is_titled {
            return false;
        }
        if node.end().index() - node.id().index() > MAX_NODES {
            return false;
        }
        let attribute = DATE_ATTRIBUTES.iter().find_map(|name| {
            let value = node.attr(name)?;
            value.bytes().any(|byte| byte.is_ascii_digit()).then_some(value)
        });
        let text = node.text();
        if text.len() > MAX_TEXT || (text.is_empty() && attribute.is_none()) {
            return false;
        }
        // Each of several days has a word of its own.
        let is_of_several = !is_time
            && attribute.is_none()
            && (dated_texts(node).nth(1).is_some() || dated_parts(&text).is_some());
        let text = match own_dated_text(node).filter(|_| is_of_several) {
            Some(own) => own.to_owned(),
            None if is_of_several => return false,
            None => text,
        };
        // "Last updated" stands before the element where the element has the day alone.
        let by_label = || match role {
            DateRole::None => role_of_words(self.label),
            marked => marked,
        };
        let role = match role_of_words(&text) {
            DateRole::None => by_label(),
            stated => stated,
        };
        let by_attribute =
            attribute.filter(|_| is_time || is_titled || !itemprop.is_empty() || role != DateRole::None);
        let found = by_attribute
            .and_then(|value| self.parse(value))
            .or_else(|| self.parse(&text));
        let Some(moment) = found else { return false };
        let weight = match role {
            DateRole::Published => 76.0,
            DateRole::Dated => 62.0,
            DateRole::None => 58.0,
            DateRole::Changed => 36.0,
        };
        if itemprop == "datePublished" && !self.zone().others {
            self.out.push((
                DateCandidate {
                    moment,
                    weight: 84.0,
                    source: FieldSource::selector("[itemprop=datePublished]"),
                    changed: false,
                    own: self.is_own(node, true),
                    named: true,
                    commented: false,
                },
                "itemprop".to_owned(),
            ));
            return true;
        }
        let names = format!("{} {}", node.class(), node.id_attr());
        let kind = if is_time && names.trim().is_empty() {
            "time".to_owned()
        } else {
            format!("{}.{}", node.tag(), names.trim())
        };
        let source = FieldSource::selector(kind.replace(' ', "."));
        let is_precise = moment.precision == DatePrecision::Day;
        let stated = node.attr("pubdate").is_some() || role_of_words(&text) == DateRole::Published;
        let candidate = DateCandidate {
            moment,
            weight,
            source,
            changed: role == DateRole::Changed,
            own: self.is_own(node, stated),
            named: role == DateRole::Published,
            commented: false,
        };
        self.push_from(node, candidate, kind);
        // A day without a year may be given in full inside.
        is_precise && !is_of_several
    }

    /// The day with which a report begins, behind its place.
    fn dateline(&mut self, text: &str) {
        if let Some(moment) = dateline::day(text).and_then(|day| self.parse(day)) {
            let candidate = DateCandidate {
                moment,
                weight: DATELINE_WEIGHT,
                source: FieldSource::selector("p"),
                changed: false,
                own: true,
                named: true,
                commented: false,
            };
            self.push(candidate, "dateline".to_owned());
        }
    }

    /// Reads a text that holds a year or so.
    fn text(&mut self, node: Node<'a>, text: &str) {
        if text.len() <= MAX_TEXT
            && let Some(parts) = dated_parts(text)
        {
            for part in parts {
                self.text_of(node, part, false);
            }
            return;
        }
        self.text_of(node, text, true);
    }

    /// Reads a text, or a part of one, whose line is read with it.
    fn text_of(&mut self, node: Node<'a>, text: &str, is_whole: bool) {
        let text = text.trim();
        if is_whole && !self.zone().others {
            self.dateline(text);
        }
        if text.len() > 4 * MAX_TEXT {
            return;
        }
        let short = text.len() <= MAX_TEXT / 2;
        // A span of days is that of an event: "1/27/2026 - 3/24/2026".
        if is_of_rights(text)
            || is_of_other(node, self.label, text)
            || SPAN_OF_DAYS.is_match(&ascii_digits(text))
        {
            return;
        }
        let before = node.parent().filter(|_| short && is_whole).map(|parent| {
            let line = parent.text();
            if line.len() <= MAX_TEXT {
                line
            } else {
                String::new()
            }
        });
        // What stands beside another day is said of that one.
        let is_of_several = || {
            node.parent()
                .is_some_and(|parent| texts_with_year(parent).nth(1).is_some())
        };
        let around = before
            .as_deref()
            .filter(|line| !line.is_empty() && !is_of_several());
        let role = role_of_words(around.unwrap_or(text));
        let role = if role == DateRole::None {
            role_of_words(self.label)
        } else {
            role
        };
        let of_validity = |text: &str| VALIDITY.is_match(text);
        if role != DateRole::Published && (of_validity(text) || of_validity(self.label)) {
            return;
        }
        let tag = node.parent().map_or("", Node::tag);
        let line = before.as_deref().filter(|it| !it.is_empty()).unwrap_or(text);
        // A day within a sentence is of what the sentence tells ("version 2, which was released on ..."), unless it begins with the word.
        let is_sentence = |line: &str| line.split_whitespace().count() >= SENTENCE;
        let is_in_prose = before
            .as_deref()
            .is_some_and(|line| line.is_empty() || is_sentence(line));
        let is_led = || {
            let around = node.parent().map(Node::text).unwrap_or_default();
            let opening: Vec<&str> = around.split_whitespace().take(3).collect();
            role_of_words(&opening.join(" ")) == DateRole::Published
        };
        let is_told = role == DateRole::Published && is_in_prose && !is_first_publication(text) && !is_led();
        if is_told && self.since_title.is_none_or(|since| since > NEAR) {
            return;
        }
        let weight = match (role, text.len()) {
            _ if is_told => 14.0,
            // The day that is shown beside the title is then the one of a later edition.
            (DateRole::Published, _) if is_first_publication(line) => FIRST_WEIGHT,
            (DateRole::Published, 0..=80) => 70.0,
            (DateRole::Published, _) => 48.0,
            (DateRole::Changed, _) => 32.0,
            // A day in a headline is what the text is about.
            (DateRole::None | DateRole::Dated, _) if matches!(tag, "h1" | "h2" | "h3" | "h4" | "a") => 16.0,
            (DateRole::None | DateRole::Dated, 0..=40) => 44.0,
            (DateRole::None | DateRole::Dated, 41..=80) => 34.0,
            // A day in the middle of a sentence is of what the sentence tells.
            (DateRole::None | DateRole::Dated, _) if self.since_title.is_none_or(|since| since > NEAR) => {
                return;
            }
            (DateRole::None | DateRole::Dated, _) => 14.0,
        };
        let class = node.parent().map_or("", Node::class);
        let kind = format!("{tag}.{class}");
        // A day without a year within a sentence is of what the sentence tells: "rose by 19 cm in the night of May 1".
        let is_of_sentence = role != DateRole::Published && is_sentence(text);
        let is_told_elsewhere =
            |moment: &ParsedDate| is_of_sentence && moment.precision == DatePrecision::Near;
        if let Some(moment) = self.parse(text).filter(|moment| !is_told_elsewhere(moment)) {
            let candidate = DateCandidate {
                moment,
                weight,
                source: FieldSource::selector(kind.replace(' ', ".")),
                changed: role == DateRole::Changed,
                own: self.is_own(node, role == DateRole::Published),
                named: role == DateRole::Published,
                commented: false,
            };
            self.push_from(node, candidate, kind);
        }
    }

    fn parse(&mut self, text: &str) -> Option<ParsedDate> {
        self.read += 1;
        if self.read > MAX_READ {
            return None;
        }
        let moment = dates::parse(text, self.now, &self.locale.hints())?;
        match moment.precision {
            DatePrecision::Day => Some(moment),
            // "PA" and "So" are days of the week in some language, and mostly something else.
            DatePrecision::Near if is_short_word(text) => None,
            // Two numbers alone ("5.1", "10/3") are no day that a year could be guessed for.
            DatePrecision::Near if text.contains(char::is_alphabetic) => {
                Some(self.in_year_of_page(text, moment))
            }
            DatePrecision::Near | DatePrecision::Month => None,
        }
    }

    /// A day without a year in the year of the page, which may have been stored; a distance ("two hours ago") stays as it is.
    fn in_year_of_page(&self, text: &str, moment: ParsedDate) -> ParsedDate {
        let in_year = dates::parse(text, *self.served, &self.locale.hints());
        let is_same_day = |other: &ParsedDate| {
            (other.date.month(), other.date.day()) == (moment.date.month(), moment.date.day())
        };
        in_year.filter(is_same_day).unwrap_or(moment)
    }

    /// [`Self::push`], for one that may stand in a list of other pages.
    fn push_from(&mut self, node: Node<'a>, mut candidate: DateCandidate, kind: String) {
        let is_said = candidate.named || candidate.changed;
        if !candidate.own && !is_said && other_pages::is_of_other_site(node, self.host) {
            return;
        }
        let is_away = self.since_title.is_some_and(|since| since > NEAR);
        if !candidate.own && other_pages::is_listed(node, is_away) {
            candidate.weight *= OF_OTHERS;
        }
        self.push(candidate, kind);
    }

    /// Adds a candidate, with its weight changed by the place it stands at.
    fn push(&mut self, mut candidate: DateCandidate, kind: String) {
        let zone = self.zone();
        if zone.answer && self.is_asked || zone.foreign && !candidate.own {
            return;
        }
        candidate.commented = self.comments.is_some();
        let mut weight = candidate.weight;
        // A day without a year is that of the page only where it stands beside the title, or says so.
        if candidate.moment.precision == DatePrecision::Near && !candidate.own {
            return;
        }
        if zone.others {
            weight *= OF_OTHERS;
        } else if zone.aside && !(zone.main && weight > 60.0) && !candidate.changed {
            weight *= 0.5;
        }
        if candidate.moment.precision == DatePrecision::Near {
            // Stored pages are read long after they were written.
            weight *= 0.3;
        }
        // Near the title, most of all right after it, stands the day of the text.
        weight += match self.since_title {
            Some(0..=25) => 14.0,
            Some(26..=60) => 6.0,
            Some(61..=200) => 0.0,
            Some(_) => -8.0,
            None if self.is_before_title() => 10.0,
            None if zone.main => 4.0,
            None => -10.0,
        };
        if zone.main && !zone.others {
            weight += 4.0;
        }
        candidate.weight = weight.max(1.0);
        self.out.push((candidate, kind));
    }
}
