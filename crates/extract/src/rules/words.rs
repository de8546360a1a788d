//! What do class names and the words of a page say about the part they stand in?
//!
//! Both lists are written by hand from the vocabulary of common site generators, shop and forum
//! software, and of everyday page furniture in nine languages. A whole token must match: `widget`
//! says something, `widgetized-content` is read as `widgetized` and `content`, and no token alone
//! ever decides. Adding a word here changes what the learned weights see, so retrain afterwards
//! (`tools/train/content.py`).

use std::collections::HashMap;
use std::sync::OnceLock;

/// The name of a set of tokens and the tokens, parted by white space.
type Group = (&'static str, &'static str);

/// What a token of a class, an id or a role says about an element. The place in the list is the bit.
pub(crate) const MARKS: &[Group] = &[
    (
        "comment",
        "comment comments commentlist disqus respond kommentar kommentare commentaire commentaires comentario comentarios komentarz komentarze discussion",
    ),
    (
        "share",
        "share shares sharing sharebar social socials addthis addtoany sharedaddy tweet facebook twitter pinterest whatsapp telegram linkedin follow sns teilen partager",
    ),
    (
        "related",
        "related recommended recommendation recommendations recirc recirculation similar upsell upsells crosssell suggested suggestions popular trending latest mostread outbrain taboola zergnet revcontent also readmore youmay next more moreon readnext recent",
    ),
    (
        "sidebar",
        "sidebar sidebars side aside rail rightcol leftcol secondary widget widgets complementary sidenav",
    ),
    (
        "footer",
        "footer foot bottom colophon contentinfo footnote subfooter pagefooter",
    ),
    (
        "nav",
        "nav navigation navbar navi menu menus submenu megamenu mega dropdown topnav subnav menubar offcanvas drawer hamburger sitemap",
    ),
    (
        "header",
        "header masthead topbar top branding logo toolbar appbar skip",
    ),
    (
        "cookie",
        "cookie cookies consent gdpr ccpa onetrust privacy cmp cookiebot didomi usercentrics",
    ),
    (
        "overlay",
        "modal popup popover overlay dialog lightbox tooltip toast notice notification alert flyout",
    ),
    (
        "ad",
        "ad ads advert adverts advertisement advertising sponsor sponsored promo promos promotion promoted dfp adslot banner anzeige werbung publicite reklama",
    ),
    (
        "newsletter",
        "newsletter newsletters subscribe subscription signup optin mailchimp paywall donate donation email abo",
    ),
    ("breadcrumb", "breadcrumb breadcrumbs crumb crumbs"),
    (
        "byline",
        "meta byline author authors date timestamp published posted dateline info bio kicker time updated entrymeta postmeta credit credits",
    ),
    (
        "tags",
        "tags tag tagcloud topics categories category keywords labels",
    ),
    (
        "figure",
        "caption figure figcaption gallery image img photo photos slide slideshow video media thumbnail thumb picture",
    ),
    (
        "content",
        "content contents body text main copy richtext prose rte wysiwyg maincontent editor markdown wikitext",
    ),
    (
        "article",
        "article articlebody articletext story storybody entry post postbody postcontent entrycontent blogpost news",
    ),
    (
        "summary",
        "summary lead lede excerpt intro introduction description desc standfirst deck dek teaser abstract subtitle subheading subhead",
    ),
    ("title", "title headline heading hed titles"),
    ("product", "product products pdp sku woocommerce productdetails"),
    (
        "spec",
        "spec specs specification specifications details detail features feature attributes properties technical params ingredients nutrition",
    ),
    (
        "buy",
        "price prices pricing cart basket checkout buy wishlist quantity qty swatch swatches option options variant variants addtocart atc purchase",
    ),
    (
        "review",
        "review reviews rating ratings stars testimonial testimonials feedback",
    ),
    (
        "thread",
        "message messages thread topic reply replies bbcode answer answers question questions qa forum postrow messagebody",
    ),
    (
        "user",
        "user users username avatar profile member members signature reputation joined badge badges userinfo",
    ),
    (
        "list",
        "item items list grid listing listings results result cards card tile tiles feed archive collection catalog loop row",
    ),
    (
        "pagination",
        "pagination pager paging paginate loadmore prev previous pages",
    ),
    (
        "filter",
        "filter filters facet facets refine refinement refinements sort sorting sortby",
    ),
    (
        "search",
        "search searchbox searchform login signin register account form input",
    ),
    (
        "language",
        "language languages lang locale country region currency translation translations",
    ),
    (
        "hero",
        "hero jumbotron cta carousel slider swiper splide slick teasers",
    ),
    (
        "accordion",
        "faq faqs accordion collapse collapsible tab tabs tabpanel tabcontent panel",
    ),
    (
        "code",
        "highlight code codehilite prism sourcecode snippet pre syntaxhighlighter",
    ),
    ("toc", "toc tableofcontents outline onthispage anchors"),
    (
        "shipping",
        "shipping delivery returns warranty stock availability financing guarantee payment",
    ),
    (
        "hidden",
        "hidden hide invisible visually sr screenreader sronly visuallyhidden offscreen noprint",
    ),
    (
        "edit",
        "edit editsection print permalink anchor headerlink actions action controls button buttons btn votes vote voting like likes",
    ),
    (
        "aside",
        "infobox pullquote embed inset factbox box callout sidenote quote",
    ),
    ("site", "site page wrapper container layout app root global"),
    (
        "team",
        "team about contact map location address store stores locator partners clients logos",
    ),
];

/// What the words of a text say about it, in all languages at once.
pub(crate) const SAYINGS: &[Group] = &[
    (
        "cookie",
        "cookie cookies consent gdpr privacy datenschutz datenschutzerklärung confidentialité privacidad prywatności ciasteczka конфиденциальности プライバシー クッキー",
    ),
    (
        "copyright",
        "copyright © rights_reserved alle_rechte rechte_vorbehalten droits_réservés derechos_reservados prawa_zastrzeżone impressum imprint agb terms nutzungsbedingungen mentions_légales aviso_legal regulamin права_защищены",
    ),
    (
        "share",
        "share tweet facebook twitter whatsapp pinterest linkedin telegram instagram teilen partager partagez compartir compartilhar udostępnij поделиться シェア follow_us folgen_sie suivez_nous síguenos",
    ),
    (
        "subscribe",
        "newsletter subscribe subscription abonnieren abonnez abonner suscríbete suscribirse subskrybuj zapisz_się подписаться подпишитесь 購読 sign_up abo email_address e-mail-adresse",
    ),
    (
        "comment",
        "comment comments moderated republished disqus kommentar kommentare kommentieren commentaire commentaires comentario comentarios komentarz komentarze комментарии комментарий コメント reply antworten répondre responder odpowiedz ответить leave_a leave_reply",
    ),
    (
        "related",
        "related recommended similar popular trending lea_también lea_más lea vea_también vea_más ver_también mira_también leggi_anche leia_também leia_mais lesen_sie_auch auch_lesen siehe_auch mehr_dazu mehr_lesen don't_miss more_on more_about more_coverage voir_aussi also_on más_información weitere_artikel weitere_themen przeczytaj_także читайте_по más_noticias more_from read_more see_also also_read you_may you_might may_also mehr_zum mehr_aus lesen_sie auch_interessant auch_interessieren ähnliche verwandte lire_aussi à_lire articles_similaires artículos_relacionados también_te leer_más czytaj_także zobacz_też zobacz_także podobne powiązane читайте_также похожие 関連 おすすめ latest_news recent_posts most_read meistgelesen les_plus neueste_beiträge",
    ),
    (
        "action",
        "click klicken cliquez tap download buy shop book order contact learn_more find_out view_all show_more load_more see_more see_all get_started read_more weiterlesen mehr_erfahren en_savoir_plus plus_d leer_más saber_más ver_más więcej подробнее もっと 続きを view_more show_all explore try",
    ),
    (
        "account",
        "login log_in sign_in signin logout register account password anmelden registrieren einloggen passwort connexion inscription iniciar_sesión registrarse zaloguj logowanie войти регистрация ログイン wishlist",
    ),
    (
        "byline",
        "by von par por przez autor author автор written_by posted published updated veröffentlicht aktualisiert publié actualizado publicado opublikowano опубликовано 公開 更新 redaktion",
    ),
    (
        "time",
        "january february march april may june july august september october november december januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia января февраля марта апреля мая июня июля августа сентября октября ноября декабря jan feb mar apr jun jul aug sep sept oct nov dec ago uhr hours_ago min_read minutes_ago days_ago",
    ),
    (
        "tags",
        "tags tag category categories filed_under posted_in schlagwörter schlagworte kategorie kategorien mots-clés étiquettes etiquetas categorías tagi kategorie теги タグ カテゴリ topics themen",
    ),
    (
        "photo",
        "photo photograph image credit courtesy getty reuters foto bild bildquelle symbolbild quelle crédit fotografía zdjęcie źródło fot фото 写真 shutterstock istock afp dpa ap",
    ),
    (
        "ad",
        "advertisement advertising sponsored anzeige werbung publicité publicidad reklama реклама 広告 affiliate promoted story_continues",
    ),
    (
        "buy",
        "cart add_to basket checkout warenkorb panier carrito koszyk корзину in_stock out_of price qty quantity shipping versand livraison envío wysyłka delivery returns",
    ),
    (
        "page",
        "next previous prev page nächste vorherige weiter zurück suivant précédent siguiente anterior następna poprzednia следующая предыдущая 次 前 next_page back_to skip_to",
    ),
    (
        "search",
        "search suche suchen rechercher recherche buscar szukaj поиск 検索 filter filters sort sort_by refine sortieren menu menü",
    ),
    (
        "error",
        "javascript browser enable loading please_enable captcha error",
    ),
    (
        "forum",
        "posts joined member posted_by quote likes views replies upvote downvote reputation moderator thread beiträge antworten",
    ),
    (
        "review",
        "review reviews rating ratings stars bewertung bewertungen avis reseñas opinie отзывы レビュー",
    ),
    (
        "faq",
        "faq faqs question questions frequently_asked fragen häufige preguntas",
    ),
    (
        "product",
        "description specifications specification features details beschreibung produktbeschreibung eigenschaften caractéristiques descripción opis описание dimensions material weight sku model brand ingredients",
    ),
    (
        "help",
        "helpful was_this feedback report edit_this print improve issue suggest contribute",
    ),
];

/// Looks tokens up; built once.
struct Book {
    marks: HashMap<&'static str, u64>,
    sayings: HashMap<&'static str, u32>,
}

fn book() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| {
        let mut book = Book {
            marks: HashMap::new(),
            sayings: HashMap::new(),
        };
        for (bit, (_, tokens)) in MARKS.iter().enumerate() {
            for token in tokens.split_whitespace() {
                *book.marks.entry(token).or_default() |= 1 << bit;
            }
        }
        for (bit, (_, words)) in SAYINGS.iter().enumerate() {
            for word in words.split_whitespace() {
                *book.sayings.entry(word).or_default() |= 1 << bit;
            }
        }
        book
    })
}

/// The bits of [`MARKS`] that the tokens of a class, id or role attribute set. A name is cut at
/// everything that is no letter and where a small letter meets a capital; each token is looked up
/// whole, and so are two neighbours written together (`read-more`, `readMore`).
pub(crate) fn marks(names: &str) -> u64 {
    let book = book();
    let mut bits = 0;
    let mut token = String::with_capacity(24);
    let mut pair = String::with_capacity(48);
    let mut flush = |token: &mut String, joined: bool| {
        if !token.is_empty() {
            bits |= book.marks.get(token.as_str()).copied().unwrap_or(0);
            pair.push_str(token);
            if pair.len() > token.len() {
                bits |= book.marks.get(pair.as_str()).copied().unwrap_or(0);
            }
            pair.clear();
            if joined {
                pair.push_str(token);
            }
            token.clear();
        }
        if !joined {
            pair.clear();
        }
    };
    let mut small = false;
    for c in names.chars().take(400) {
        if !c.is_alphabetic() {
            flush(&mut token, !c.is_whitespace());
            small = false;
            continue;
        }
        if c.is_uppercase() && small {
            flush(&mut token, true);
        }
        small = c.is_lowercase();
        token.extend(c.to_lowercase());
    }
    flush(&mut token, false);
    // A quoted post of another site is part of the text, whatever its class names share with share bars.
    if bits & mark("embed") != 0 {
        bits & !mark("share")
    } else {
        bits
    }
}

/// The bits of [`SAYINGS`] that one word sets, alone or with the word before it. Both are expected
/// in lower case and without the punctuation around them; `pair` is the two joined by `_`.
pub(crate) fn saying(word: &str, pair: &str) -> u32 {
    let book = book();
    book.sayings.get(word).copied().unwrap_or(0) | book.sayings.get(pair).copied().unwrap_or(0)
}

/// The bit of a mark by its name; 0 when there is no such mark.
pub(crate) fn mark(name: &str) -> u64 {
    MARKS
        .iter()
        .position(|(it, _)| *it == name)
        .map_or(0, |bit| 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_counts_whole_and_never_as_a_part_of_another() {
        assert_eq!(marks("widget") & mark("sidebar"), mark("sidebar"));
        assert_eq!(marks("elementor-widgetized") & mark("sidebar"), 0);
        assert_eq!(
            marks("adventure shared-header-less") & (mark("ad") | mark("share")),
            0
        );
    }

    #[test]
    fn names_are_cut_at_hyphens_underscores_and_capitals() {
        for names in ["article-body", "article_body", "articleBody", "c-article__body"] {
            assert_eq!(marks(names) & mark("article"), mark("article"), "{names}");
        }
        assert_ne!(marks("readMore") & mark("related"), 0);
    }

    #[test]
    fn two_words_of_a_text_are_looked_up_together() {
        assert_ne!(saying("more", "read_more"), 0);
        assert_eq!(saying("zebra", "read_zebra"), 0);
    }

    #[test]
    fn every_group_has_a_bit() {
        assert!(MARKS.len() <= 64 && SAYINGS.len() <= 32);
    }
}
