//! Names of authors in a text such as "By Jane Doe | 3 May".

/// The most authors that are named.
pub(super) const MAX_AUTHORS: usize = 8;
/// Longer names are sentences.
const MAX_NAME: usize = 80;

locale::patterns! {
    static BY = concat!(
        r"(?i)^(?:an? (?:recipe|story|report) |une recette |una ric?etta |una receta |ein rezept |article |recipe |recette |receta |ricetta |rezept |story |recueilli |propos recueillis |post |photos? |words |text |posted |published |written |reviewed |submitted |created |reported |compiled |presented |medically reviewed |started |asked )*",
        r"(?:(?:an? |une |una |ein )?(?:recipe by|recette de|receta de|ricetta di|rezept von)|by|von|par|por|da|di|door|av|af|przez|",
        r"autor(?:in|a|zy)?(?:[/*:(]-?(?:autor|in\)?))?|authors?|auteur|autore|written by|",
        r"te(?:xt|kst|xte|xto)(?:\s*(?:&|\+|/|und|and|et|y|i)\s*(?:fotos?|photos?|bild(?:er)?|pictures|images|zdjęcia))?|",
        r"автор|от|作者|著者|筆者|執筆者|執筆|文|取材・文|記者|بقلم|מאת)(?:\s*[:：●]\s*|\s+)"
    );
    /// A word for "by" that lost the space before the name, as in `ByJane Doe`.
    static GLUED_BY = r"^(?:(?:[Ww]ritten |[Pp]osted )?[Bb]y|BY)(\p{Lu}\p{Ll})";
    /// A name that lost the space before what follows, as in `Jane DoeStaff Writer`.
    static GLUED_ROLE = concat!(
        r"\p{Ll}((?:Staff|Senior|Junior|Chief|Lead|Head|Editor|Reporter|Writer|Author|Contributor|Contributing|Correspondent|",
        r"Columnist|Freelance|Founder|Co-|CEO|CTO|CMO|Director|Manager|President|Professor|Former|Guest|Managing|Deputy|Executive|",
        r"Reviewed|Published|Updated|Posted|Written|Last |Follow|Share|Read |By ).*)$"
    );
    /// What an author is to the paper, before the name: "onze verslaggever Jan Bor".
    static ROLE_BEFORE = r"^(?:[Oo]nze|[Oo]ur|[Uu]nser(?:e[mr]?)?|[Nn]otre|[Nn]uestr[oa]|[Ii]l nostro|[Ll]a nostra|[Nn]asz(?:ego|ej)?|[Vv]år|[Vv]ores)\s+(?:\p{Ll}+\s+){1,2}(?:in\s+\p{Lu}\p{L}+\s+)?(\p{Lu}.*)$";
    /// An agency or a newspaper behind "of the", as in `Do UOL`.
    static OF_AGENCY = r"^D[oa]\s(\p{Lu}{2,})$";
    /// A name in parentheses between two others, as in `Jane (Mary) Doe`.
    static INNER_NAME = r"(\p{L}\s+)\((\p{L}[\p{L}.'’-]*)\)(\s+\p{Lu})";
    /// A name of several words before a day as seen from now: "Jane Doe Yesterday".
    static BEFORE_DAY = r"(?i)^(\S+\s+\S.*?),?\s+(?:yesterday|just now|gestern|vorgestern|wczoraj|przedwczoraj)\b";
    /// Dates, times, reading times and what follows a mark.
    static TAIL = concat!(
        r"(?i)\s*(?:[|•·–—→>»/]|\s-\s|\(|\bon\b\s|\bam\b\s|,?\s+(?:le|el|il|den|der|dnia|vom|em|op|du)\s+\d{1,2}\b|,?\s*\b(?:published|updated|posted|last|modified|reviewed|edited|follow|share|min read|minutes? read|veröffentlicht|publié|publicado)\b|",
        // The word before a day that stands in an element of its own.
        r"(?:,\s*|\s)(?-i:le|el|il|am|on|op|dnia|den|der|vom|em|du|del)\s*$|",
        r",?\s*\b(?:translated|illustrated|narrated|edited|übersetzt|illustriert|traduit|illustré|traducido|traducción|tradotto|traduzione|vertaald|tłumaczenie|przekład)\b|",
        r",\s*(?:em|en|in|aus)\s\p{Lu}|",
        r",\s*\p{L}[^,;|]*\s(?:to|of|at|for|in)\s(?:the\s)?\p{Lu}|",
        r",\s*(?:\p{L}[\p{L}.'’-]*\s+){1,4}(?:writer|reporter|editor|correspondent|columnist|producer|photographer|journalist|critic|analyst|redakteur(?:in)?|korrespondent(?:in)?)\s*$|",
        r",\s*(?:\d+\+?\s|(?:senior|junior|chief|lead|head|editor|reporter|writer|contributor|contributing|correspondent|columnist|founder|co-founder|ceo|director|manager|president|professor|managing|deputy|executive|vice|master|certified|registered|licensed|freelance|award[- ]winning|owner|co-owner)\b)|",
        r",?\s*\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?\s+\d|(?:,\s*|\s|^)\d{1,4}[./\s-]).*$"
    );
}

/// The names in a text such as "By Jane Doe and John Roe | 3 May 2019"; empty when it names no one.
pub(super) fn names(text: &str) -> Vec<String> {
    let text = page::meta::decode_entities(text);
    if text.contains("://") || text.contains("www.") {
        return Vec::new();
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = INNER_NAME.replace_all(&text, "$1$2$3");
    let mut rest = text.trim_matches(|c: char| c.is_whitespace() || ",;:|-–—•·".contains(c));
    let whole = rest;
    for _ in 0..3 {
        let Some(found) = BY.find(rest) else {
            break;
        };
        rest = rest.get(found.end()..).unwrap_or("").trim();
    }
    let is_told = rest.len() < whole.len();
    let role = ROLE_BEFORE.captures(rest).and_then(|found| found.get(1));
    let rest = role.map_or(rest, |name| name.as_str());
    let rest = match GLUED_BY.captures(rest).and_then(|found| found.get(1)) {
        Some(name) => rest.get(name.start()..).unwrap_or(""),
        None => rest,
    };
    let rest = match GLUED_ROLE.captures(rest).and_then(|found| found.get(1)) {
        Some(role) => rest.get(..role.start()).unwrap_or(""),
        None => rest,
    };
    let before_day = BEFORE_DAY.captures(rest).and_then(|found| found.get(1));
    let rest = before_day.map_or(rest, |name| name.as_str());
    let rest = match TAIL.find(rest) {
        Some(found) if found.start() > 0 => {
            let head = rest.get(..found.start()).unwrap_or("");
            if !is_told && is_label_of_day(head) {
                return Vec::new();
            }
            without_place(head, found.as_str())
        }
        Some(_) => return Vec::new(),
        None => rest,
    };
    let agency = OF_AGENCY.captures(rest).and_then(|found| found.get(1));
    let rest = agency.map_or(rest, |agency| agency.as_str());
    let mut out: Vec<String> = Vec::new();
    for part in rest
        .split([';', '\n'])
        .flat_map(each_of_several)
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" und "))
        .flat_map(each_whole)
    {
        let part = part
            .trim()
            .trim_matches(|c: char| c.is_whitespace() || ",;:|".contains(c));
        let part = unquoted(part);
        if is_name(part) && !out.iter().any(|known| known == part) {
            out.push(part.to_owned());
        }
    }
    out
}

/// Whether what stands before a day is a label of it, and no name: "Opublikowano", "Stand:", "Data publikacji:".
fn is_label_of_day(head: &str) -> bool {
    let words: Vec<&str> = head.trim_end_matches([':', ' ']).split(' ').collect();
    let is_label = words
        .first()
        .is_some_and(|word| DAY_LABELS.contains(&word.to_lowercase().as_str()));
    let is_small = |word: &str| word.starts_with(char::is_lowercase);
    let is_phrase = words.len() > 1 && words.iter().skip(1).all(|word| is_small(word));
    (words.len() == 1 && is_label) || (is_phrase && head.trim_end().ends_with(':'))
}

/// A name without the place of which the report is, where a day stands behind it: "Karin Stolz" of "Karin Stolz, Hamburg, am 5.
/// Februar". One word behind a whole name is a place, unless it is a degree.
fn without_place<'t>(head: &'t str, tail: &str) -> &'t str {
    let is_day = tail.trim_start().starts_with("am ") || tail.trim_start().starts_with("den ");
    let Some((name, place)) = head
        .trim_end_matches([',', ' '])
        .rsplit_once(", ")
        .filter(|_| is_day)
    else {
        return head;
    };
    let is_whole = name.contains(' ') && !name.contains(',');
    let mut letters = place.chars();
    let is_place = letters.next().is_some_and(char::is_uppercase)
        && place.chars().count() >= SHORTEST_PLACE
        && letters.all(char::is_lowercase);
    if is_whole && is_place { name } else { head }
}

/// Fewest letters of a place behind a name; degrees and parts of names are shorter.
const SHORTEST_PLACE: usize = 4;

/// A name without the quotation marks around the whole of it: some markup is quoted twice.
fn unquoted(name: &str) -> &str {
    const MARKS: [char; 6] = ['"', '“', '”', '„', '«', '»'];
    let inner = name.strip_prefix(MARKS).and_then(|name| name.strip_suffix(MARKS));
    inner
        .filter(|inner| !inner.contains(MARKS))
        .map_or(name, str::trim)
}

/// Words before the day of publication or of the last change.
#[rustfmt::skip]
const DAY_LABELS: &[&str] = &[
    "opublikowano", "dodano", "aktualizacja", "zaktualizowano", "data", "pubblicato", "aggiornato", "gepubliceerd", "geplaatst",
    "bijgewerkt", "publicerad", "uppdaterad", "udgivet", "opdateret", "publisert", "oppdatert", "julkaistu", "päivitetty",
    "zveřejněno", "publikováno", "aktualizováno", "publicat", "actualizat", "veröffentlicht", "erschienen", "aktualisiert",
    "erstellt", "stand", "datum", "publié", "publicado", "actualizado", "atualizado", "fecha", "date",
];

/// The names around "&"; one where each is a single word: "Oak & Avon" is a firm.
fn each_of_several(text: &str) -> impl Iterator<Item = &str> {
    let is_firm = text.split('&').all(|name| name.split_whitespace().count() == 1);
    let whole = Some(text).filter(|_| is_firm);
    let each = text.split('&').filter(move |_| !is_firm);
    whole.into_iter().chain(each)
}

#[rustfmt::skip]
const WRITTEN_BY: &[&str] = &[
    "written by", "author", "geschrieben von", "verfasst von", "escrito por", "écrit par", "scritto da", "autor",
    "geschreven door", "skrevet af", "napisane przez", "by", "publié par", "автор", "article by", "story by", "words by",
    "text by", "posted by", "published by", "contributor", "von", "par", "por", "przez",
];

/// Words for "and" that stand in surnames, too: "Ada Lis i Jan Bor" are two, "Josep Puig i Roca" is one.
const JOINTS: [&str; 4] = [" i ", " y ", " e ", " et "];

/// The names around a word for "and", where each has two words at least; else the text as it is.
fn each_whole(text: &str) -> Vec<&str> {
    let is_whole = |part: &&str| part.split_whitespace().count() >= 2;
    let parted = JOINTS
        .iter()
        .map(|joint| text.split(joint).collect::<Vec<&str>>());
    let mut whole = parted.filter(|parts| parts.len() > 1 && parts.iter().all(is_whole));
    whole.next().unwrap_or_else(|| vec![text])
}

/// True for the words that WordPress and others put before an author.
pub(super) fn is_written_by(text: &str) -> bool {
    let lower = text.to_lowercase();
    WRITTEN_BY
        .iter()
        .any(|word| lower.trim_end_matches([':', ' ', ')', '(', 's']) == *word)
}

/// Texts in the place of a name that name no one.
#[rustfmt::skip]
const NOT_NAMES: &[&str] = &[
    "admin", "administrator", "user", "guest", "anonymous", "unknown", "null", "none", "undefined", "author", "authors",
    "editor", "webmaster", "view all posts", "read more", "home", "login", "share", "comments", "bio", "full bio", "staff", "root", "n/a",
    "me", "about the author", "by", "default", "topic author", "thread starter", "original poster", "op",
    "member login", "log in", "folgen", "follow", "abonnieren", "news", "nachrichten", "aktualności", "noticias", "sign in", "subscribe", "moderator", "contributor", "written by", "posted by", "guide by",
    "the author", "the authors", "site admin", "super user", "bluesky", "mastodon", "twitter", "facebook", "github",
    "linkedin", "instagram", "youtube", "discord", "threads", "reddit", "tiktok", "pinterest", "rss", "whatsapp", "telegram",
];
/// Small words inside names.
#[rustfmt::skip]
const PARTICLES: &[&str] = &[
    "de", "del", "della", "der", "den", "des", "di", "da", "do", "dos", "du", "la", "le", "el", "al", "bin", "ibn", "van", "von",
    "vom", "zu", "ter", "ten", "y", "e", "i", "und", "and", "et", "av", "af", "the", "of", "for", "at", "d", "abu", "ben",
];
/// First words of what asks the reader to do something.
#[rustfmt::skip]
const REQUESTS: &[&str] = &[
    "join", "sign", "log", "login", "subscribe", "request", "book", "schedule", "get", "read", "view", "see", "learn", "contact", "click", "share", "follow", "find",
    "show", "shop", "buy", "browse", "explore", "discover", "start", "try", "download", "watch", "listen", "more", "all", "about",
    "written", "reviewed", "posted", "published", "updated", "please", "add", "leave", "ask", "how", "why", "what", "when", "where",
];

/// Whether a text on the page can be a name: one word, or words that begin with capitals, and no request.
pub(super) fn is_shown_name(text: &str) -> bool {
    // What follows a comma may be a degree or a role.
    let name = text.split(',').next().unwrap_or(text);
    let words: Vec<&str> = name
        .split_whitespace()
        .filter(|word| word.starts_with(char::is_alphabetic))
        .collect();
    let is_capital = |word: &&&str| !word.starts_with(char::is_lowercase);
    let is_particle = |word: &str| PARTICLES.contains(&word.trim_end_matches(['.', '\'', '’']));
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    if words.len() > 1 && REQUESTS.contains(&first.as_str()) {
        return false;
    }
    words.len() < 2
        || words.iter().filter(is_capital).count() > 0
            && words.iter().all(|word| is_capital(&word) || is_particle(word))
}

/// Whether a name in small letters is that of an account of the site's own: "admin2", "adminn", "webadmin".
fn is_account(name: &str) -> bool {
    let rest = name.strip_prefix("admin");
    rest.is_some_and(|rest| rest.len() <= 3 && !rest.starts_with(char::is_whitespace))
        || name.ends_with("admin") && !name.contains(char::is_whitespace)
}

/// Fewest letters of a name with the sign of a currency in it.
const BESIDE_SIGN: usize = 3;

/// Whether a text is the sign of a currency: "R$", "US$".
fn is_currency(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    text.contains(locale::price::is_sign) && letters < BESIDE_SIGN
}

/// Whether a text is one name of two or three words with capitals, and nothing else.
pub(super) fn is_plain(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_word = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '.' | '’' | '\'' | '-'))
    };
    (2..=3).contains(&words.len()) && words.iter().all(is_word) && is_name(text)
}

fn is_name(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.chars().count() >= 2
        && !is_currency(text)
        && text.len() <= MAX_NAME
        && text.chars().any(char::is_alphabetic)
        && !NOT_NAMES.contains(&lower.as_str())
        && !is_account(&lower)
        && !["http:", "https:", "@", "{", "<", ": "]
            .iter()
            .any(|part| lower.contains(part))
        && text.split_whitespace().count() <= 9
        && text.chars().filter(|c| c.is_ascii_digit()).count() <= 4
}
