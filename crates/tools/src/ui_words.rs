//! Words of user interfaces in many languages: bounds, prices, search, paging; and their comparison.

/// A text as words in small letters with a space on both sides of each: `priceMax_2` is ` price max 2 `.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    let mut before = ' ';
    for c in text.chars() {
        let edge = (before.is_lowercase() && c.is_uppercase())
            || (before.is_alphabetic() && c.is_ascii_digit())
            || (before.is_ascii_digit() && c.is_alphabetic());
        if (edge || !(c.is_alphanumeric() || is_money(c))) && !out.ends_with(' ') {
            out.push(' ');
        }
        if c.is_alphanumeric() || is_money(c) {
            out.extend(c.to_lowercase());
        }
        before = c;
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

fn is_money(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹')
}

/// How many of the words (folded; a trailing `*` stands for any ending) are in a folded text.
pub(crate) fn hits(folded: &str, words: &[&str]) -> usize {
    let hit = |word: &&&str| match word.strip_suffix('*') {
        Some(stem) => folded.contains(&format!(" {stem}")),
        None => folded.contains(&format!(" {word} ")),
    };
    words.iter().filter(hit).count()
}

/// Whether one of the words is in a folded text.
pub(crate) fn has(folded: &str, words: &[&str]) -> bool {
    hits(folded, words) > 0
}

/// An upper bound.
pub(crate) const MAX: &[&str] = &[
    "max", "maximum", "maximal*", "to", "do", "high", "highest", "upper", "until", "most", "up", "under",
    "below", "bis", "hasta", "jusqu*", "tot", "till", "ate", "até", "do:", "end", "fino",
];
/// A lower bound.
pub(crate) const MIN: &[&str] = &[
    "min",
    "minimum",
    "minimal*",
    "from",
    "od",
    "low",
    "lowest",
    "lower",
    "least",
    "above",
    "over",
    "von",
    "ab",
    "desde",
    "de",
    "à partir",
    "da",
    "start",
    "van",
    "från",
];
/// Prices.
pub(crate) const PRICE: &[&str] = &[
    "price*", "cena", "ceny", "cenow*", "cen", "kwota", "preis*", "precio*", "prix", "prezz*", "preco*",
    "preço*", "prijs*", "pris", "hinta", "cost", "budget", "amount", "$", "€", "£", "zł", "zl", "pln", "eur",
    "usd", "ціна", "цена",
];
/// Buttons that apply a filter.
pub(crate) const APPLY: &[&str] = &[
    "apply",
    "filter*",
    "go",
    "show",
    "update",
    "refine",
    "set",
    "submit",
    "ok",
    "zastosuj",
    "filtruj",
    "pokaż",
    "pokaz",
    "zatwierdź",
    "anwenden",
    "anzeigen",
    "aplicar",
    "appliquer",
    "applica",
    "toepassen",
];
/// Search boxes and search buttons.
pub(crate) const SEARCH: &[&str] = &[
    "search*",
    "q",
    "query",
    "s",
    "k",
    "find*",
    "keyword*",
    "keywords",
    "szukaj*",
    "szukasz",
    "wyszuk*",
    "such*",
    "suchen",
    "buscar*",
    "busca",
    "buscador",
    "recherch*",
    "cerca",
    "zoek*",
    "sök*",
    "поиск",
    "пошук",
    "term",
    "phrase",
    "fraza",
];
/// The way to the next page or month.
pub(crate) const NEXT: &[&str] = &[
    "next",
    "następn*",
    "nastepn*",
    "dalej",
    "weiter",
    "nächst*",
    "naechste*",
    "siguiente*",
    "suivant*",
    "successiv*",
    "volgende",
    "nästa",
    "próxim*",
    "proxim*",
    "older",
    "forward",
    "avanti",
    "další",
    "следующ*",
    "далее",
];
/// The way to the previous month.
pub(crate) const PREVIOUS: &[&str] = &[
    "previous",
    "prev",
    "poprzedni*",
    "wstecz",
    "zurück",
    "vorherig*",
    "voriger",
    "anterior*",
    "précédent*",
    "precedent*",
    "vorige",
    "föregående",
    "back",
    "předchoz*",
    "предыдущ*",
    "назад",
];
/// Buttons that add more of a list to the page.
pub(crate) const MORE: &[&str] = &[
    "load more",
    "show more",
    "more results",
    "see more",
    "view more",
    "more",
    "pokaż więcej",
    "pokaz wiecej",
    "załaduj więcej",
    "wczytaj więcej",
    "więcej",
    "mehr laden",
    "mehr anzeigen",
    "ver más",
    "cargar más",
    "voir plus",
    "charger plus",
    "mostra altro",
    "meer laden",
    "meer tonen",
    "visa fler",
    "carregar mais",
    "ещё",
    "показать ещё",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_come_apart_into_words() {
        for (text, folded) in [
            ("priceMax_2", " price max 2 "),
            ("high-price", " high price "),
            ("Cena (zł)", " cena zł "),
            ("f[17][]", " f 17 "),
            ("", " "),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
        assert!(has(&fold("Price up to"), MAX) && !has(&fold("document"), MAX));
    }
}
