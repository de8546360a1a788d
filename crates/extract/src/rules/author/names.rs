//! Names of authors in a text such as "By Jane Doe | 3 May".

/// Longer names are sentences.
const MAX_NAME: usize = 80;

locale::patterns! {
    static BY = concat!(
        r"(?i)^(?:article |story |post |photos? |words |text |posted |published |written |reviewed |submitted |created |reported |compiled |presented |medically reviewed |started |asked )*",
        r"(?:by|von|par|por|da|di|door|av|af|przez|autor(?:in|a|zy)?|authors?|auteur|autore|written by|text|автор|από|作者|文|記者)(?:\s*[:：]\s*|\s+)"
    );
    /// Dates, times, reading times and what follows a mark.
    static TAIL = concat!(
        r"(?i)\s*(?:[|•·–—→>»/]|\s-\s|\(|\bon\b\s|\bam\b\s|,?\s*\b(?:published|updated|posted|last|modified|reviewed|edited|follow|share|min read|minutes? read|veröffentlicht|publié|publicado)\b|",
        r",?\s*\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?\s+\d|,?\s*\d{1,4}[./\s-]).*$"
    );
}

/// The names in a text such as "By Jane Doe and John Roe | 3 May 2019"; empty when it names no one.
pub(super) fn names(text: &str) -> Vec<String> {
    let text = page::meta::decode_entities(text);
    if text.contains("://") || text.contains("www.") {
        return Vec::new();
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = text.trim_matches(|c: char| c.is_whitespace() || ",;:|-–—•·".contains(c));
    for _ in 0..3 {
        let Some(found) = BY.find(rest) else {
            break;
        };
        rest = rest.get(found.end()..).unwrap_or("").trim();
    }
    let rest = match TAIL.find(rest) {
        Some(found) if found.start() > 0 => rest.get(..found.start()).unwrap_or(""),
        Some(_) => return Vec::new(),
        None => rest,
    };
    let mut out: Vec<String> = Vec::new();
    for part in rest
        .split([';', '&', '\n'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" und "))
    {
        let part = part
            .trim()
            .trim_matches(|c: char| c.is_whitespace() || ",;:|".contains(c));
        if is_name(part) && !out.iter().any(|known| known == part) {
            out.push(part.to_owned());
        }
    }
    out
}

#[rustfmt::skip]
const WRITTEN_BY: &[&str] = &[
    "written by", "author", "geschrieben von", "verfasst von", "escrito por", "écrit par", "scritto da", "autor",
    "geschreven door", "skrevet af", "napisane przez", "by", "publié par", "автор",
];

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
    "editor", "webmaster", "view all posts", "read more", "home", "login", "share", "comments", "staff", "root", "n/a",
    "me", "about the author", "by", "default", "topic author", "thread starter", "original poster", "op",
    "member login", "log in", "sign in", "subscribe", "moderator", "contributor",
];

fn is_name(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.chars().count() >= 2
        && text.len() <= MAX_NAME
        && text.chars().any(char::is_alphabetic)
        && !NOT_NAMES.contains(&lower.as_str())
        && !["http:", "https:", "@", "{", "<", ": "]
            .iter()
            .any(|part| lower.contains(part))
        && text.split_whitespace().count() <= 9
        && text.chars().filter(|c| c.is_ascii_digit()).count() <= 4
}
