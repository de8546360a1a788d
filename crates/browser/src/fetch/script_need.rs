//! Script need: whether a page as it came over the network lacks the content that its scripts would put there.
//!
//! What counts is the page's yield: its text outside of navigation and forms. A page that yields enough is static,
//! whatever scripts it has. Below that, a sign that scripts fill it decides.

mod elements;
mod redirects;
mod under_title;

use page::Page;
use page::dom::Node;

pub(super) use elements::is_not_displayed;
use elements::{
    PLACEHOLDER, WIDGETS, is_beside_content, is_cloaked, is_landmark, is_mount, names_any, says_loading,
    told_length,
};
use under_title::UnderTitle;

/// Text outside links, in bytes, from which a page with an empty place for its content is static: such a page has an
/// article beside an empty widget. About six lines.
const ENOUGH_BESIDE_EMPTY_ROOT: usize = 600;
/// Text outside links, in bytes, of a page whose place under the title is empty, from which the page is static all the same: terms,
/// questions and answers beside a missing content are shorter.
const MAX_BESIDE: usize = 1_200;
/// Most text, in bytes, of a notice that an application loads and needs scripts: three sentences.
const MAX_NOTICE: usize = 240;
/// Text outside links, in bytes, of a page with an empty place for a framework right under the title, from which the page is static
/// all the same: the terms of a bank are shorter.
const MAX_BESIDE_APPLICATION: usize = 3_600;
/// Text, in bytes, from which a page without such a place is static: two sentences, as the notices of pages that
/// wait for their scripts have.
const ENOUGH: usize = 250;
/// Words that say that there is nothing to show, in lower case: a page that says so is complete.
#[rustfmt::skip]
const NONE_FOUND: &[&str] = &[
    "no results", "0 results", "no matches", "no matching", "nothing found", "nothing matched", "keine ergebnisse", "keine treffer",
    "nichts gefunden", "brak wyników", "nic nie znaleziono", "nie znaleziono", "aucun résultat", "sin resultados", "nessun risultato",
    "geen resultaten", "nenhum resultado",
];
/// Attributes of elements that a framework fills with the page of an address.
const VIEW_ATTRIBUTES: &[&str] = &["ng-view", "data-ng-view", "ui-view", "data-ui-view"];
/// Embedded data, in bytes, from which it is what the scripts render, not a setting of theirs.
const STATE: usize = 1000;
/// Bytes of scripts within the page for each byte of its text, from which the scripts hold the content. Snippets that
/// count visits have about 500 bytes.
const SCRIPT_WEIGHT: usize = 20;
/// Smallest script that renders anything, in bytes.
const RENDERING_SCRIPT: usize = 200;

/// Text of a main place with a heading, in bytes, from which nothing beside it is the place for the content: a sentence.
const ENOUGH_IN_LANDMARK: usize = 100;
/// Pictures of a page without a word that are shown while its scripts load.
const MAX_SPLASH: usize = 2;
/// Empty elements outside of navigation from which they are the page's content and no widget of it.
const MANY_EMPTY: usize = 2;

/// Most places for content that are looked into: one within the other is usual, more are no page.
const MAX_ROOTS: usize = 20;

/// Fewest columns of a table of data.
const FEWEST_COLUMNS: usize = 3;
/// Most nodes of a table that are looked at for a cell with text.
const MAX_TABLE: usize = 400;

/// Most nodes of an element that is a heading, or says that something is to come.
const MAX_NOTED: usize = 60;

/// Words of data that frameworks embed for their scripts.
const STATE_WORDS: &[&str] = &[
    "__NEXT_DATA__",
    "__next_f",
    "__NUXT__",
    "__INITIAL_STATE__",
    "__PRELOADED_STATE__",
    "__APOLLO_STATE__",
    "__INITIAL_DATA__",
    "__remixContext",
    "__sveltekit",
    "__staticRouterHydrationData",
    "__DATA__",
];

/// What a page has, by where it stands.
#[derive(Debug, Default)]
struct PageYield {
    /// Bytes of visible text, navigation included.
    all: usize,
    /// Bytes of text outside navigation, links and buttons.
    prose: usize,
    /// Bytes of text outside navigation.
    content: usize,
    /// Whether a place that is meant for the content is empty.
    has_empty_root: bool,
    /// Elements that show where content will be: skeletons and spinners.
    placeholders: usize,
    /// Templates that no script has filled.
    templates: usize,
    /// Lists, and elements with an id, with nothing in them.
    empty_containers: usize,
    /// Elements without anything in them, outside of navigation.
    empty_elements: usize,
    /// Whether a heading of the page has no words yet.
    has_empty_heading: bool,
    /// Whether a text in a place of its own says that the content is still to come.
    is_to_come: bool,
    /// Most bytes of text outside links in one main place, where it has a heading.
    in_landmark: usize,
    /// Pictures and the like.
    visuals: usize,
    /// Tables that were looked into.
    tables: usize,
    /// Whether a table has headings of columns and nothing below them.
    has_empty_table: bool,
    /// Whether it asks for a password: what a page with that is for is in it.
    asks_password: bool,
    /// Whether a heading or a line says that there is nothing to show.
    has_none: bool,
}

/// What the scripts of a page are.
#[derive(Debug, Default)]
struct PageScripts {
    /// Whether there is one that may render something.
    can_render: bool,
    /// Bytes of scripts within the page.
    inline: usize,
    /// Bytes of data for them.
    state: usize,
    /// Whether the page says to those without scripts that it needs them.
    asks: bool,
}

/// Whether a page shows its content only once its scripts have run.
pub(crate) fn needs_scripts(page: &Page) -> bool {
    let shown = page.dom().body().map_or(0, |body| PageYield::of(body).all);
    if redirects::leads_on(page, shown) {
        return true;
    }
    let scripts = PageScripts::of(page);
    let Some(body) = page.dom().body().filter(|_| scripts.can_render) else {
        return false;
    };
    let found = PageYield::of(body);
    if found.all == 0 && found.visuals <= MAX_SPLASH {
        return true;
    }
    if found.has_empty_table && found.prose < MAX_BESIDE {
        return true;
    }
    let under_title = UnderTitle::of(body);
    let is_told = under_title == UnderTitle::Told && !found.has_empty_heading;
    // Application shells, too, may hold a form to sign in, and words for what a search does not find.
    let is_complete = (found.asks_password || found.has_none) && !found.has_empty_root;
    if is_told || is_complete {
        return false;
    }
    // A main place that says something is the content, whatever else is still empty.
    let is_filled = found.in_landmark >= ENOUGH_IN_LANDMARK;
    let has_strong_sign = (found.has_empty_root && !is_filled)
        || found.templates >= 2
        || found.has_empty_heading
        || found.is_to_come
        || (found.empty_elements >= MANY_EMPTY && found.prose < ENOUGH && !is_filled);
    let has_sign = found.placeholders > 0
        || (!is_filled
            && (found.empty_containers > 0
                || scripts.asks
                || scripts.state >= STATE
                || scripts.inline > SCRIPT_WEIGHT * found.content.max(1)));
    // A page of pictures shows what it is for.
    let is_gallery = found.visuals > 2 && !has_strong_sign;
    let most_beside = match under_title {
        UnderTitle::Application => MAX_BESIDE_APPLICATION,
        UnderTitle::Empty => MAX_BESIDE,
        UnderTitle::Told | UnderTitle::Unclear => 0,
    };
    (found.prose < most_beside && found.content < 2 * most_beside)
        || (has_strong_sign && found.prose < ENOUGH_BESIDE_EMPTY_ROOT)
        || (has_sign && found.content < ENOUGH && !is_gallery)
}

/// Bytes of the text that a page yields, navigation not counted.
pub(crate) fn yielded_text(page: &Page) -> usize {
    page.dom().body().map_or(0, |body| PageYield::of(body).content)
}

impl PageScripts {
    fn of(page: &Page) -> PageScripts {
        let mut scripts = PageScripts::default();
        for node in page.dom().by_tag("script") {
            let kind = node.attr("type").unwrap_or_default().trim().to_ascii_lowercase();
            let code = node.raw_text();
            let is_code = matches!(
                kind.as_str(),
                "" | "module" | "text/javascript" | "application/javascript" | "text/babel"
            );
            if is_code {
                let is_loaded = node.attr("src").is_some() || (kind == "module" && code.contains("import"));
                scripts.can_render |= is_loaded || code.len() > RENDERING_SCRIPT;
                scripts.inline += code.len();
            }
            let is_state = kind == "application/json" || STATE_WORDS.iter().any(|word| code.contains(word));
            if is_state || STATE_WORDS.contains(&node.id_attr()) {
                scripts.state += code.len();
            }
        }
        scripts.can_render |= page
            .dom()
            .by_tag("link")
            .any(|link| link.attr("rel") == Some("modulepreload"));
        scripts.asks = page.dom().by_tag("noscript").any(|node| {
            let text = node.raw_text().to_lowercase();
            text.contains("javascript") || text.contains("java script")
        });
        scripts
    }
}

impl PageYield {
    fn of(body: Node<'_>) -> PageYield {
        let mut found = PageYield::default();
        let (mut link_end, mut aside_end, mut root_end) = (body.id(), body.id(), body.id());
        let (mut checked_roots, mut checked_landmarks) = (0, 0);
        let mut nodes = body.descendants();
        while let Some(node) = nodes.next() {
            if let Some(text) = node.text_value() {
                let length = told_length(text);
                found.all += length;
                if node.id() >= aside_end {
                    found.content += length;
                    if node.id() >= link_end {
                        found.prose += length;
                    }
                }
                found.templates += text.matches("{{").count();
                found.has_none |= length <= PLACEHOLDER && node.id() >= aside_end && says_none(text);
                continue;
            }
            if node.is_hidden_by_tag() || is_not_displayed(node) {
                nodes.leave_out(node);
                continue;
            }
            let is_elsewhere = node.id() >= root_end && node.id() >= aside_end;
            found.count_element(node, is_elsewhere);
            if is_landmark(node) && checked_landmarks < MAX_ROOTS {
                checked_landmarks += 1;
                found.in_landmark = found.in_landmark.max(told_in(node, body));
            }
            if checked_roots < MAX_ROOTS && node.id() >= root_end && is_content_root(node, body) {
                checked_roots += 1;
                if is_empty(node, body) {
                    found.has_empty_root = true;
                    root_end = node.end();
                }
            }
            if matches!(node.tag(), "a" | "button" | "select" | "label") && node.id() >= link_end {
                link_end = node.end();
            }
            if is_beside_content(node, body) && node.id() >= aside_end {
                aside_end = node.end();
            }
        }
        found
    }

    fn count_element(&mut self, node: Node<'_>, is_elsewhere: bool) {
        let is_visual = matches!(
            node.tag(),
            "img" | "picture" | "video" | "audio" | "iframe" | "canvas" | "frame" | "object" | "embed"
        );
        self.visuals += usize::from(is_visual);
        let is_repeated = ["v-for", "ng-repeat", "data-ng-repeat", "x-for"]
            .iter()
            .any(|name| node.attr(name).is_some());
        self.templates += usize::from(is_repeated || is_cloaked(node));
        if is_elsewhere && node.is("table") && self.tables < MAX_ROOTS {
            self.tables += 1;
            self.has_empty_table |= !names_any(node, WIDGETS) && is_empty_table(node);
        }
        self.asks_password |= is_elsewhere && node.is("input") && node.attr("type") == Some("password");
        let has_nothing = node.first_child().is_none();
        let is_busy = node.attr("aria-busy") == Some("true");
        let is_placeholder = has_nothing
            && node.classes().any(|class| {
                let class = class.to_ascii_lowercase();
                [
                    "skeleton",
                    "shimmer",
                    "spinner",
                    "loader",
                    "loading",
                    "placeholder",
                ]
                .iter()
                .any(|word| class.contains(word))
            });
        self.placeholders += usize::from(is_busy || is_placeholder);
        let is_widget = names_any(node, WIDGETS);
        self.has_empty_heading |= node.is("h1") && is_elsewhere && !has_anything(node);
        self.is_to_come |= is_elsewhere && !is_widget && says_to_come(node);
        let is_container = matches!(
            node.tag(),
            "div" | "section" | "ul" | "ol" | "tbody" | "table" | "article"
        );
        // A list without entries waits for them, whatever it is called; one of the navigation does so until somebody searches.
        let is_list = matches!(node.tag(), "ul" | "ol" | "tbody");
        let is_container = is_container || node.tag().contains('-');
        if is_elsewhere && is_container && has_nothing && !is_widget {
            self.empty_elements += 1;
            self.empty_containers += usize::from(is_list || !node.id_attr().is_empty());
        }
    }
}

/// Whether a table has headings of columns, and no cell below them, or one that says that they are to come.
fn is_empty_table(table: Node<'_>) -> bool {
    let (mut headings, mut has_head, mut has_body, mut told) = (0, false, false, String::new());
    for node in table.descendants().take(MAX_TABLE) {
        headings += usize::from(node.is("th"));
        has_head |= node.is("thead");
        has_body |= node.is("tbody");
        if node.is("td") {
            let texts = node.descendants().take(MAX_NOTED).filter_map(Node::text_value);
            texts.for_each(|text| told.push_str(text.trim_start()));
        }
        if told.len() > PLACEHOLDER {
            return false;
        }
    }
    headings >= FEWEST_COLUMNS && has_head && has_body && (told.is_empty() || says_loading(&told))
}

/// Whether an element is a place for the content: the main one, one that frameworks render into, or an element of the
/// page's own making right in the body.
fn is_content_root(node: Node<'_>, body: Node<'_>) -> bool {
    is_landmark(node)
        || VIEW_ATTRIBUTES.iter().any(|name| node.attr(name).is_some())
        || is_mount(node)
        || node.attr("ng-version").is_some()
        || node.attr("data-reactroot").is_some()
        || node.attr("data-server-rendered").is_some()
        || (node.tag().contains('-') && node.parent().is_some_and(|parent| parent.id() == body.id()))
}

/// Whether next to nothing is seen within an element. A short text is what it is in a landmark; in an element that scripts render
/// into, they will replace it.
fn is_empty(root: Node<'_>, body: Node<'_>) -> bool {
    let mut shown = String::new();
    let mut has_more = false;
    let mut nodes = root.descendants();
    while let Some(node) = nodes.next() {
        if node.is_hidden_by_tag() || is_beside_content(node, body) {
            nodes.leave_out(node);
        } else if let Some(text) = node.text_value() {
            for word in text.split_whitespace() {
                shown.push_str(word);
                shown.push(' ');
            }
        } else if matches!(node.tag(), "img" | "video" | "iframe" | "form" | "input") {
            has_more = true;
        }
        if shown.len() > MAX_NOTICE {
            return false;
        }
    }
    if shown.len() > PLACEHOLDER {
        return is_mount(root) && says_loading_by_scripts(&shown);
    }
    let says_more = || {
        root.descendants()
            .any(|inner| is_landmark(inner) && has_anything(inner))
    };
    says_loading(&shown) || (!has_more && (shown.is_empty() || !(is_landmark(root) || says_more())))
}

/// Whether a notice says that an application loads, and that it needs scripts for that.
fn says_loading_by_scripts(notice: &str) -> bool {
    let names_scripts = notice.to_lowercase().replace(' ', "").contains("javascript");
    names_scripts && notice.split_inclusive(['…', '.', '!', '\n']).any(says_loading)
}

/// Whether an element has words or a picture.
fn has_anything(node: Node<'_>) -> bool {
    node.descendants().take(MAX_NOTED).any(|inner| {
        let is_text = inner.text_value().is_some_and(|text| !text.trim().is_empty());
        is_text || matches!(inner.tag(), "img" | "svg" | "picture")
    })
}

/// Whether all that an element says is that something is still to come, or it says so beside a place of another name.
fn says_to_come(node: Node<'_>) -> bool {
    if !matches!(
        node.tag(),
        "div" | "section" | "ul" | "tbody" | "main" | "article"
    ) {
        return false;
    }
    let mut shown = String::new();
    for text in node.descendants().take(MAX_NOTED).filter_map(Node::text_value) {
        shown.push_str(text.trim_start());
        if shown.len() > PLACEHOLDER {
            return false;
        }
    }
    says_loading(&shown)
}

/// Whether a short text says that there is nothing to show.
fn says_none(text: &str) -> bool {
    let folded = text.trim().to_lowercase();
    NONE_FOUND.iter().any(|words| folded.starts_with(words))
}

/// Bytes of text outside links that a main place with a heading says; 0 where a part of it is still to come.
fn told_in(landmark: Node<'_>, body: Node<'_>) -> usize {
    let (mut told, mut has_heading) = (0, false);
    let mut nodes = landmark.descendants();
    while let Some(node) = nodes.next() {
        if let Some(text) = node.text_value() {
            told += told_length(text);
            continue;
        }
        let is_place = matches!(node.tag(), "ul" | "ol" | "tbody")
            || (matches!(node.tag(), "div" | "section") && !node.id_attr().is_empty());
        let is_waiting = (is_place && node.first_child().is_none()) || says_to_come(node);
        if is_waiting && !names_any(node, WIDGETS) {
            return 0;
        }
        has_heading |= matches!(node.tag(), "h1" | "h2") && has_anything(node);
        if node.is_hidden_by_tag()
            || matches!(node.tag(), "a" | "button" | "select" | "label" | "fieldset")
            || is_beside_content(node, body)
        {
            nodes.leave_out(node);
        }
    }
    if has_heading { told } else { 0 }
}
