//! What single elements of a page are: navigation, widgets, hidden ones, ones that say that something loads.

use page::dom::Node;

/// Text of a place for content that still counts as empty, in bytes: "Loading, please wait ...".
pub(super) const PLACEHOLDER: usize = 60;

/// Beginnings of words that say that the content is still to come, in lower case.
#[rustfmt::skip]
const LOADING: &[&str] = &[
    "loading", "searching", "fetching", "please wait", "suche läuft", "wyszukiwanie", "recherche en cours", "buscando", "جار", "wird geladen", "lädt", "lade", "bitte warten", "ładowanie", "wczytywanie", "proszę czekać",
    "chargement", "veuillez patienter", "cargando", "carregando", "caricamento", "laden", "laster", "laddar", "indlæser",
    "загрузка", "завантаження", "yükleniyor", "読み込み中", "加载", "載入",
];

/// Words in the names of elements that are filled with something beside the content, or that stand beside it. An element of one of
/// these names is no place for the content.
#[rustfmt::skip]
pub(super) const WIDGETS: &[&str] = &[
    "map", "karte", "mapa", "chat", "widget", "ad", "ads", "advert", "banner", "captcha", "recaptcha", "comments", "comment", "toast",
    "toasts", "modal", "modals", "overlay", "cookie", "cookies", "consent", "fb", "gtm", "player", "countdown", "timer", "clock",
    "portal", "notifications", "newsletter", "related", "recommendations", "share", "social", "tracking", "analytics", "tooltip",
    "chart", "graph", "weather", "sparkline", "wetter", "meteo", "pogoda", "lecteur", "odtwarzacz",
];

/// Ids, and names of elements, that script frameworks render an application into.
#[rustfmt::skip]
const APPLICATIONS: &[&str] = &[
    "__next", "__nuxt", "___gatsby", "main-app", "app-root", "react-root", "reactroot", "react-app", "q-app", "ember-application",
    "single-spa-application",
];

/// Ids that these have by default, and that pages also give to elements with a clock or a form in them.
const PLACES: &[&str] = &["root", "app", "application", "svelte", "mount"];

/// Whether an element is called as those that script frameworks render an application into: `<div id="__next">`, `<app-root>`.
pub(super) fn is_application(node: Node<'_>) -> bool {
    is_called(node, APPLICATIONS) || (node.tag().contains('-') && APPLICATIONS.contains(&node.tag()))
}

/// Whether an element is called as those that script frameworks render into: `<div id="root">`.
pub(super) fn is_mount(node: Node<'_>) -> bool {
    is_application(node) || is_called(node, PLACES)
}

/// Whether the id of an element is one of some, up to a colon.
fn is_called(node: Node<'_>, ids: &[&str]) -> bool {
    let id = node.id_attr().to_ascii_lowercase();
    ids.contains(&id.split(':').next().unwrap_or_default())
}

/// Words in the names of elements that are navigation or the end of a page, whatever their tags.
#[rustfmt::skip]
const BESIDE: &[&str] = &["footer", "nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "menu", "topbar"];

/// Whether an element is marked as the place of the content in pages of every making.
pub(super) fn is_landmark(node: Node<'_>) -> bool {
    matches!(node.tag(), "main" | "article") || node.attr("role") == Some("main")
}

/// Whether an element is marked as hidden until scripts have made it.
pub(super) fn is_cloaked(node: Node<'_>) -> bool {
    let mut marks = ["v-cloak", "ng-cloak", "x-cloak"].iter();
    marks.any(|name| node.attr(name).is_some())
}

/// The length of a text in bytes, each word with one blank.
pub(super) fn told_length(text: &str) -> usize {
    text.split_whitespace().map(|word| word.len() + 1).sum()
}

/// Whether a short text says that something is still to come: it begins so, or leaves off with dots. "Loading graph…" says so of
/// something beside the content.
pub(super) fn says_loading(shown: &str) -> bool {
    let folded = shown.trim().to_lowercase();
    let mut words = folded.split(|c: char| !c.is_alphanumeric());
    if words.any(|word| WIDGETS.contains(&word)) {
        return false;
    }
    let leaves_off = folded.ends_with('…') || folded.ends_with("...");
    LOADING
        .iter()
        .any(|word| folded.starts_with(word) || (leaves_off && folded.contains(word)))
}

/// Whether a word of the id or the classes of an element is one of some words.
pub(super) fn names_any(node: Node<'_>, words: &[&str]) -> bool {
    let names = node.classes().chain(std::iter::once(node.id_attr()));
    names
        .flat_map(|name| name.split(['-', '_']))
        .any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)))
}

/// Whether an element is styled so that nobody sees it.
pub(in crate::fetch) fn is_not_displayed(node: Node<'_>) -> bool {
    let style = node.attr("style").unwrap_or_default();
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    style.to_ascii_lowercase().contains("display:none")
}

fn is_navigation(node: Node<'_>) -> bool {
    matches!(node.tag(), "nav" | "footer")
        || (matches!(node.tag(), "div" | "section" | "ul") && names_any(node, BESIDE))
        || matches!(
            node.attr("role"),
            Some("navigation" | "contentinfo" | "menu" | "menubar" | "search")
        )
}

/// Whether an element stands beside the content: navigation, the page's own header and footer, notices.
pub(super) fn is_beside_content(node: Node<'_>, body: Node<'_>) -> bool {
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
