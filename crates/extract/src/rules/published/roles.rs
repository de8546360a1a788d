//! What class names, ids and words say about a date and the zone it stands in.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use page::dom::Node;

use super::super::answers;
use super::super::comments::is_called_comments;
use super::super::vocabulary::REVIEWS;
use super::super::word_groups::WordGroups;

/// What the elements around a node say about it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct DateZone {
    /// Footers, menus and columns at the side.
    pub(super) aside: bool,
    /// Comments, related and recent pages: days of other texts.
    pub(super) others: bool,
    /// The text itself.
    pub(super) main: bool,
    /// An answer to the question of the page.
    pub(super) answer: bool,
    /// Below a heading that announces other pages, or among what members and customers wrote of a place or a thing.
    pub(super) foreign: bool,
}

/// What a class or a few words say about a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateRole {
    Published,
    Changed,
    Dated,
    None,
}

/// What a class and an id say.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClassRole {
    pub(super) role: DateRole,
    /// Whether the names call the element one of comments.
    pub(super) comments: bool,
    /// Whether the names call the element a question.
    pub(super) question: bool,
    zone: DateZone,
}

/// What the classes and ids of a page say; each is classified once.
#[derive(Debug, Default)]
pub(super) struct ClassRoles {
    known: HashMap<String, ClassRole, RandomState>,
    key: String,
}

impl ClassRoles {
    pub(super) fn of(&mut self, node: Node<'_>) -> ClassRole {
        self.key.clear();
        self.key.push_str(node.class());
        self.key.push(' ');
        self.key.push_str(node.id_attr());
        if let Some(known) = self.known.get(self.key.as_str()) {
            return *known;
        }
        let found = CLASS_WORDS.in_text(&self.key.to_ascii_lowercase());
        let class_role = ClassRole {
            role: role_of_class(found),
            comments: is_called_comments(node),
            question: answers::names_question(node),
            zone: DateZone {
                answer: answers::is_answer(node),
                ..zone_of_class(found)
            },
        };
        self.known.insert(self.key.clone(), class_role);
        class_role
    }
}

/// The zone inside of an element.
pub(super) fn entered(zone: DateZone, node: Node<'_>, mark: ClassRole) -> DateZone {
    let mut zone = zone;
    match node.tag() {
        "footer" if !zone.main => zone.aside = true,
        "nav" | "aside" => zone.aside = true,
        "article" | "main" => zone.main = true,
        // Their classes tell of the whole page.
        "body" | "html" => return zone,
        _ => {}
    }
    zone.others |= mark.zone.others;
    zone.aside |= mark.zone.aside;
    zone.main |= mark.zone.main;
    zone.answer |= mark.zone.answer;
    zone.foreign |= mark.zone.foreign;
    zone
}

/// Class names of comments and of lists of other pages.
#[rustfmt::skip]
const OTHER_PAGES: &[&str] = &[
    "comment", "related", "recent", "recommend", "teaser", "similar", "latest", "more-", "popular", "archive",
    "upcoming", "calendar", "respond", "discuss", "widget", "carousel", "read-next", "trending", "ticker",
];

/// Class names of the day of publication.
#[rustfmt::skip]
const CLASSED_PUBLISHED: &[&str] = &[
    "publish", "pubdate", "pub-date", "pub_date", "posted", "entry-date", "post-date", "post_date", "postdate",
    "article-date", "article_date", "articledate", "article__date", "post__date", "entry__date", "created",
];

/// Class names of dates of any kind.
#[rustfmt::skip]
const CLASSED_DATED: &[&str] = &[
    "date", "datum", "fecha", "timestamp", "time-stamp", "byline", "dateline", "submitted", "post-meta", "entry-meta",
    "article-meta", "meta-info", "post-info", "zeit",
];

/// Class names that only contain a word for dates.
#[rustfmt::skip]
const NOT_DATED: &[&str] = &[
    "update", "candidate", "validate", "mandate", "datepicker", "join", "regist", "birth", "member", "expir",
    "deadline", "weather",
];

/// Words beside a day of publication.
#[rustfmt::skip]
const PUBLISHED_WORDS: &[&str] = &[
    "publish", "posted", "erschienen", "veröffentlicht", "publié", "publicad", "pubblicat", "опубликован", "dodano",
    "opublikowan", "gepubliceerd", "geplaatst", "publicat", "publicerad", "udgivet", "julkaistu", "zveřejněno",
    "yayın", "first appeared", "started by", "asked by", "written on", "erstellt", "online seit", "online since", "listed on", "data publikacji", "créé le", "mis en ligne",
    "verfasst", "submitted", "released", "geschrieben", "publicado em", "eingestellt", "datum:", "date:", "veröff",
    "upplagd", "inlagd", "lagt ut", "lagd ut", "közzététel", "δημοσι", "đăng", "発表", "公開", "发布", "發布", "發表", "发表", "النشر", "نشر في", "نُشر", "تاریخ انتشار", "פורסם",
    "प्रकाशित", "first publication", "première publication", "primera publicación", "prima pubblicazione", "pierwsza publikacja",
];

/// Words beside a day of change.
#[rustfmt::skip]
const CHANGED_WORDS: &[&str] = &[
    "updated", "modified", "revised", "aktualisiert", "geändert", "mis à jour", "modifié", "actualizad", "atualizad",
    "aggiornat", "обновлен", "изменен", "aktualizac", "zaktualizowan", "bijgewerkt", "uppdaterad", "opdateret",
    "last edited", "last change", "last update", "letzte änderung", "last review", "güncelle", "stand:", "更新", "actualisé", "تحديث", "به‌روزرسانی",
    "עודכן", "अपडेट",
];

/// Class names that only look like those of other pages.
#[rustfmt::skip]
const NOT_OTHER_PAGES: &[&str] = &["comments-link", "comment-count", "no-comment", "elementor-widget"];

/// Class names of footers, menus and columns at the side.
#[rustfmt::skip]
const CLASSED_ASIDE: &[&str] = &["sidebar", "footer", "menu", "navbar", "copyright", "rail"];

/// Class names of the text itself.
#[rustfmt::skip]
const CLASSED_MAIN: &[&str] = &["article", "content", "post", "entry", "story"];

/// Class names of the day of the last change.
#[rustfmt::skip]
const CLASSED_CHANGED: &[&str] = &["updat", "modif", "lastmod", "last-mod", "changed"];

/// Class names of a day of publication that a theme also calls changed: WordPress has `entry-date updated`.
#[rustfmt::skip]
const NOT_CHANGED: &[&str] = &["publish", "entry-date", "post-date", "posted", "date "];

/// The lists of class names; the bits of what they find follow.
static CLASS_WORDS: LazyLock<WordGroups> = LazyLock::new(|| {
    WordGroups::new(&[
        OTHER_PAGES,
        NOT_OTHER_PAGES,
        CLASSED_ASIDE,
        CLASSED_MAIN,
        CLASSED_CHANGED,
        NOT_CHANGED,
        CLASSED_PUBLISHED,
        CLASSED_DATED,
        NOT_DATED,
        REVIEWS,
    ])
});
const IS_OTHER: u32 = 1;
const IS_NOT_OTHER: u32 = 1 << 1;
const IS_ASIDE: u32 = 1 << 2;
const IS_MAIN: u32 = 1 << 3;
const IS_CHANGED: u32 = 1 << 4;
const IS_NOT_CHANGED: u32 = 1 << 5;
const IS_PUBLISHED: u32 = 1 << 6;
const IS_DATED: u32 = 1 << 7;
const IS_NOT_DATED: u32 = 1 << 8;
const IS_REVIEW: u32 = 1 << 9;

fn zone_of_class(found: u32) -> DateZone {
    let has = |group: u32| found & group != 0;
    DateZone {
        others: has(IS_OTHER) && !has(IS_NOT_OTHER),
        aside: has(IS_ASIDE),
        main: has(IS_MAIN),
        answer: false,
        foreign: has(IS_REVIEW),
    }
}

/// What a class or id says.
fn role_of_class(found: u32) -> DateRole {
    let has = |group: u32| found & group != 0;
    if has(IS_CHANGED) && !has(IS_NOT_CHANGED) {
        DateRole::Changed
    } else if has(IS_PUBLISHED) {
        DateRole::Published
    } else if has(IS_DATED) && !has(IS_NOT_DATED) {
        DateRole::Dated
    } else {
        DateRole::None
    }
}

/// Words beside the day of the first of several publications.
#[rustfmt::skip]
const FIRST_PUBLISHED_WORDS: &[&str] = &[
    "originally published", "first published", "originally posted", "first posted", "ursprünglich veröffentlicht",
    "erstmals veröffentlicht", "zuerst veröffentlicht", "erstveröffentlich", "first publication", "première publication",
    "primera publicación", "prima pubblicazione", "pierwsza publikacja", "initialement publié", "publicado originalmente",
    "pubblicato originariamente", "oorspronkelijk gepubliceerd", "pierwotnie opublikowan",
];

/// Whether the words beside a date call it the day of the first publication.
pub(super) fn is_first_publication(text: &str) -> bool {
    let lower = text.to_lowercase();
    FIRST_PUBLISHED_WORDS.iter().any(|word| lower.contains(word))
}

static ROLE_WORDS: LazyLock<WordGroups> =
    LazyLock::new(|| WordGroups::new(&[PUBLISHED_WORDS, CHANGED_WORDS]));

/// What the words beside a date say, in the languages of most pages.
pub(super) fn role_of_words(text: &str) -> DateRole {
    let found = ROLE_WORDS.in_text(&text.to_lowercase());
    match (found & 1 != 0, found & 2 != 0) {
        (true, _) => DateRole::Published,
        (false, true) => DateRole::Changed,
        (false, false) => DateRole::None,
    }
}
