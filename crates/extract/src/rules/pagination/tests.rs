use page::Page;
use url::Url;

use super::*;

fn read(url: &str, body: &str) -> PageLinks {
    links(&Page::new(body, Url::parse(url).ok()))
}

fn shown(url: Option<&Url>) -> &str {
    url.map_or("", Url::as_str)
}

#[test]
fn words_in_many_languages_lead_on() {
    let words = [
        "Next",
        "Next page »",
        "Nächste Seite",
        "Suivant ›",
        "Página siguiente",
        "Successiva",
        "Volgende",
        "Następna",
        "Следующая",
        "下一页",
        "次へ",
        "다음",
        "Sonraki",
        "»",
        "→",
    ];
    for word in words {
        let found = read(
            "https://a.test/list?page=3",
            &format!("<div class='pager'><a href='?page=2'>x</a> <a href='?page=4'>{word}</a></div>"),
        );
        assert_eq!(shown(found.next.as_ref()), "https://a.test/list?page=4", "{word}");
        assert_eq!(found.prev, None, "{word}");
    }
}

#[test]
fn words_in_many_languages_lead_back() {
    for word in [
        "Prev",
        "« Previous",
        "Vorherige",
        "Précédent",
        "Anterior",
        "Poprzednia",
        "Предыдущая",
        "上一页",
        "前へ",
        "‹",
    ] {
        let found = read(
            "https://a.test/list?page=3",
            &format!("<div class='pager'><a href='?page=2'>{word}</a></div>"),
        );
        assert_eq!(shown(found.prev.as_ref()), "https://a.test/list?page=2", "{word}");
    }
}

#[test]
fn numbered_pages_are_listed_in_order() {
    let found = read(
        "https://a.test/l/page/2/",
        "<ul class='pagination'><li><a href='/l/'>1</a><li class=active>2<li><a href='/l/page/3/'>3</a><li><a href='/l/page/4/'>4</a></ul>",
    );
    let numbers: Vec<(u32, &str)> = found
        .numbered
        .iter()
        .map(|numbered| (numbered.0, numbered.1.path()))
        .collect();
    assert_eq!(numbers, [(1, "/l/"), (3, "/l/page/3/"), (4, "/l/page/4/")]);
}

#[test]
fn older_posts_lead_on_through_a_blog() {
    let found = read(
        "https://a.test/",
        "<div class='nav-links'><a href='/page/2/'>← Older posts</a></div>",
    );
    assert_eq!(shown(found.prev.as_ref()), "https://a.test/page/2/");
    assert_eq!(shown(found.onward()), "https://a.test/page/2/");
}

#[test]
fn a_link_that_stays_or_leaves_leads_nowhere() {
    let found = read(
        "https://a.test/x",
        "<a href='#' class='next'>Next</a> <a href='https://b.test/y' class='slide'>›</a> <a href='javascript:void(0)'>Next</a>",
    );
    assert_eq!((found.next, found.prev), (None, None));
}
