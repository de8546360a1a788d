//! Script need: whether a page as it came over the network lacks the content that its scripts would put there.
//!
//! What counts is the page's yield: its text outside of navigation and forms. A page that yields enough is static,
//! whatever scripts it has. Below that, a sign that scripts fill it decides.

use page::Page;
use page::dom::Node;

/// Text outside links, in bytes, from which a page with an empty place for its content is static: such a page has an
/// article beside an empty widget. About six lines.
const ENOUGH_BESIDE_EMPTY_ROOT: usize = 600;
/// Text, in bytes, from which a page without such a place is static: two sentences, as the notices of pages that
/// wait for their scripts have.
const ENOUGH: usize = 250;
/// Text of a place for content that still counts as empty, in bytes: "Loading, please wait ...".
const PLACEHOLDER: usize = 60;
/// Beginnings of words that say that the content is still to come, in lower case.
#[rustfmt::skip]
const LOADING: &[&str] = &[
    "loading", "please wait", "wird geladen", "lädt", "lade", "bitte warten", "ładowanie", "wczytywanie", "proszę czekać",
    "chargement", "veuillez patienter", "cargando", "carregando", "caricamento", "laden", "laster", "laddar", "indlæser",
    "загрузка", "завантаження", "yükleniyor", "読み込み中", "加载", "載入",
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

/// Most places for content that are looked into: one within the other is usual, more are no page.
const MAX_ROOTS: usize = 20;

/// Ids of the elements that script frameworks render into.
const MOUNT_IDS: &[&str] = &[
    "root",
    "app",
    "__next",
    "__nuxt",
    "___gatsby",
    "main-app",
    "application",
    "app-root",
    "react-root",
    "reactroot",
    "react-app",
    "svelte",
    "q-app",
    "mount",
    "ember-application",
    "single-spa-application",
];

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
    /// Pictures and the like.
    visuals: usize,
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
pub(super) fn needs_scripts(page: &Page) -> bool {
    let scripts = PageScripts::of(page);
    let Some(body) = page.dom().body().filter(|_| scripts.can_render) else {
        return false;
    };
    let found = PageYield::of(body);
    if found.all == 0 && found.visuals == 0 {
        return true;
    }
    let has_strong_sign = found.has_empty_root || found.templates >= 2;
    let has_sign = scripts.asks
        || scripts.state >= STATE
        || found.placeholders > 0
        || found.empty_containers > 0
        || scripts.inline > SCRIPT_WEIGHT * found.content.max(1);
    // A page of pictures shows what it is for.
    let is_gallery = found.visuals > 2 && !has_strong_sign;
    (has_strong_sign && found.prose < ENOUGH_BESIDE_EMPTY_ROOT)
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
                scripts.can_render |= node.attr("src").is_some() || code.len() > RENDERING_SCRIPT;
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
        let mut checked_roots = 0;
        let mut nodes = body.descendants();
        while let Some(node) = nodes.next() {
            if let Some(text) = node.text_value() {
                let length: usize = text.split_whitespace().map(|word| word.len() + 1).sum();
                found.all += length;
                if node.id() >= aside_end {
                    found.content += length;
                    if node.id() >= link_end {
                        found.prose += length;
                    }
                }
                found.templates += text.matches("{{").count();
                continue;
            }
            if node.is_hidden_by_tag() {
                nodes.leave_out(node);
                continue;
            }
            let is_elsewhere = node.id() >= root_end && node.id() >= aside_end;
            found.count_element(node, is_elsewhere);
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
        let is_cloaked = [
            "v-cloak",
            "ng-cloak",
            "x-cloak",
            "v-for",
            "ng-repeat",
            "data-ng-repeat",
            "x-for",
        ]
        .iter()
        .any(|name| node.attr(name).is_some());
        self.templates += usize::from(is_cloaked);
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
        let is_container = matches!(
            node.tag(),
            "div" | "section" | "ul" | "ol" | "tbody" | "table" | "article"
        );
        // A list without entries waits for them, whatever it is called; one of the navigation does so until somebody searches.
        let is_list = matches!(node.tag(), "ul" | "ol" | "tbody");
        if is_elsewhere && is_container && has_nothing && (is_list || !node.id_attr().is_empty()) {
            self.empty_containers += 1;
        }
    }
}

/// Whether an element is a place for the content: the main one, one that frameworks render into, or an element of the
/// page's own making right in the body.
fn is_content_root(node: Node<'_>, body: Node<'_>) -> bool {
    let id = node.id_attr().to_ascii_lowercase();
    is_landmark(node)
        || VIEW_ATTRIBUTES.iter().any(|name| node.attr(name).is_some())
        || MOUNT_IDS.contains(&id.as_str())
        || node.attr("ng-version").is_some()
        || node.attr("data-reactroot").is_some()
        || node.attr("data-server-rendered").is_some()
        || (node.tag().contains('-') && node.parent().is_some_and(|parent| parent.id() == body.id()))
}

/// Whether an element is marked as the place of the content in pages of every making.
fn is_landmark(node: Node<'_>) -> bool {
    matches!(node.tag(), "main" | "article") || node.attr("role") == Some("main")
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
        if shown.len() > PLACEHOLDER {
            return false;
        }
    }
    let folded = shown.to_lowercase();
    let is_to_come = LOADING.iter().any(|word| folded.starts_with(word));
    is_to_come || (!has_more && (shown.is_empty() || !is_landmark(root)))
}

fn is_navigation(node: Node<'_>) -> bool {
    matches!(node.tag(), "nav" | "footer")
        || matches!(
            node.attr("role"),
            Some("navigation" | "contentinfo" | "menu" | "menubar" | "search")
        )
}

/// Whether an element stands beside the content: navigation, the page's own header and footer, notices.
fn is_beside_content(node: Node<'_>, body: Node<'_>) -> bool {
    let is_page_header = node.is("header")
        && !node
            .ancestors()
            .take_while(|outer| outer.id() != body.id())
            .any(|outer| matches!(outer.tag(), "main" | "article" | "section"));
    is_navigation(node)
        || is_page_header
        || matches!(node.tag(), "dialog")
        || matches!(node.attr("role"), Some("banner" | "dialog" | "alertdialog"))
}
