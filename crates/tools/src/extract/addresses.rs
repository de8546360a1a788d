//! Postal addresses in a text.

use std::ops::Range;
use std::sync::LazyLock;

use locale::patterns::Regex;
use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    /// "221 Baker Street"
    static ENGLISH = r"\d{1,5}[a-zA-Z]?\s+(?:\p{Lu}[\p{L}.'-]+\s+){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Square|Place)\b\.?";
    /// "ul. Długa 12/3"
    static POLISH = street(r"\b(?:(?i:ul|al|pl|os)\.\s*|(?:ul|al|pl|os|[Aa]leja|[Uu]lica|[Pp]lac|[Oo]siedle)\s+)[\p{Lu}\d][\p{L}0-9 .'-]{1,40}?\s<number>");
    /// "Hauptstraße 5", "Hauptstr. 5", "Karl-Marx-Allee 5", "Lange Straße 4", "Berliner Str. 5"
    static GERMAN = street(concat!(
        r"\b(?:\p{Lu}[\p{L}-]*(?i:straße|strasse|str\.|gasse|allee|weg|platz)",
        r"|(?:\p{Lu}[\p{L}.-]+\s+){1,3}(?:Straße|Strasse|Str\.|Allee|Gasse))\s*<number>",
    ));
    /// "12 bis, rue de Rivoli", "5 place de la République": `place` alone is a word of other languages.
    static FRENCH = street(concat!(
        r"\b\d{1,4}(?:\s?(?:bis|ter|quater)\b)?,?\s+(?:(?i:rue|avenue|av\.|boulevard|bd\.?|impasse|allée|chemin|quai|faubourg)\s+",
        r"|(?i:place|route|cours|square|passage)\s+(?:(?:de|du|des)\s+|d['’]))<name>",
    ));
    /// "Piazza Garibaldi 5", "Calle Mayor, 5"
    static ITALIAN_OR_SPANISH = street(concat!(
        r"\b(?:(?:Viale|V\.le|Piazza|P\.zza|Piazzale|Corso|C\.so|Largo|Vicolo|Lungomare|Lungotevere|Calle|Avenida|Avda\.|Plaza|Paseo)\s+|C/\s*)",
        r"<name>,?\s+(?:n[.º°]?\s*)?<number>",
    ));
    /// German streets of which other texts have the form, too: "Am Markt 3" and "Am Montag 3".
    static GERMAN_BY_CODE = street(concat!(
        r"\b(?:(?:Am|An|Im|In|Zum|Zur|Auf|Bei|Beim|Hinter|Unter|Vor)\s+(?:(?:der|dem|den)\s+)?(?:\p{Lu}[\p{L}-]+\s+){1,3}",
        r"|(?:\p{Lu}[\p{L}.-]+\s+){1,3}(?:Weg|Platz|Ring|Ufer|Damm|Markt|Chaussee|Hof|Steig|Graben)\s+)<number>",
    ));
    /// Streets of Italy, Belgium and Switzerland of which other texts have the form, too: "Via Roma 10" and "Via Email 24".
    static OTHER_BY_CODE = street(
        r"\b(?:[Vv]ia|Rue|Avenue|Boulevard|Place|Chaussée|Quai|Chemin|Route|Allée|Impasse)\s+<name>,?\s+<number>",
    );
    /// The code and the town right behind a street: "31-147 Kraków", "D-20095 Hamburg", "60311 Frankfurt am Main".
    static CODE_AND_TOWN = concat!(
        r"^,?\s*(?:\d{2}-\d{3}|(?:[A-Z]{1,2}-)?\d{4,5})\s+(?:St\.\s+)?\p{Lu}[\p{L}'’-]*",
        r"(?:\s+(?:(?:an|am|im|bei|ob|vor|der|den|dem|sur|sous|en|de|du|des|la|le|les|di|del|della|nad|pod)\s+){0,2}\p{Lu}[\p{L}'’-]*){0,3}",
    );
    /// Other ends of an address: the town, or the town and the county, with the codes of Britain ("CB2 1RX"), Canada ("K1A 0B1") and
    /// the United States, or the town alone.
    static TOWN = concat!(
        r"^(?:(?:(?:,\s*|\s+)\p{Lu}[\p{L} .'-]{1,30}?){1,2},?\s*",
        r"\b(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|[A-Z]{2}\s*\d{5}(?:-\d{4})?)\b",
        r"|,\s*\p{Lu}[\p{L} ]{1,30})",
    );
}

/// The name of a street: words with capitals, with short words between them ("de la Paix", "dell'Orso"), or a day ("du 8 mai 1945").
const NAME: &str = r"(?:\p{Ll}{1,5}(?:\s+|['’]))*<word>(?:\s+(?:\p{Ll}{1,5}(?:\s+|['’]))*<word>)*";
/// A word of the name of a street.
const WORD: &str = r"(?:\p{Lu}[\p{L}.'’-]*|\d{1,2}\s+\p{L}{3,}(?:\s+1[89]\d\d)?)";
/// The number of a house: "5", "5a", "12/3", "10-14".
const NUMBER: &str = r"\d{1,4}[a-zA-Z]?(?:\s?[/–-]\s?(?:\d{1,4}[a-zA-Z]?|[a-zA-Z]))?\b";

/// The pattern of a street with its number: `<name>` stands for [`NAME`], and `<number>` for [`NUMBER`].
fn street(form: &str) -> String {
    form.replace("<name>", NAME)
        .replace("<word>", WORD)
        .replace("<number>", NUMBER)
}

/// The tool `extract.addresses`.
pub struct ExtractAddresses;

impl Tool for ExtractAddresses {
    type Params = TextSearchParams;
    type Output = Value;

    async fn run(&self, params: TextSearchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let line = lines.join(", ");
        let mut found = addresses(&line);
        found.truncate(params.limit);
        Ok(json!({"count": found.len(), "addresses": found}))
    }
}

/// The addresses in a line.
fn addresses(line: &str) -> Vec<&str> {
    let sure = [&ENGLISH, &POLISH, &GERMAN, &FRENCH, &ITALIAN_OR_SPANISH];
    let by_code = [&GERMAN_BY_CODE, &OTHER_BY_CODE];
    let streets = |forms: &[&'static LazyLock<Regex>], needs_code: bool| -> Vec<(Range<usize>, bool)> {
        let found = forms.iter().flat_map(|form| form.find_iter(line));
        found.map(|street| (street.range(), needs_code)).collect()
    };
    let mut streets = [streets(&sure, false), streets(&by_code, true)].concat();
    streets.sort_by_key(|(street, needs_code)| (street.start, *needs_code));
    let (mut found, mut from) = (Vec::new(), 0);
    for (street, needs_code) in streets {
        let rest = line.get(street.end..).unwrap_or_default();
        let code = CODE_AND_TOWN.find(rest);
        if street.start < from || (needs_code && code.is_none()) {
            continue;
        }
        let town = code.or_else(|| TOWN.find(rest));
        from = street.end + town.map_or(0, |town| town.end());
        found.push(line.get(street.start..from).unwrap_or_default().trim());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streets_are_read_in_the_forms_of_their_countries() {
        for address in [
            "221B Baker Street, London NW1 6XE",
            "Hauptstr. 5, 10115 Berlin",
            "Hauptstraße 5a, 10115 Berlin",
            "Karl-Marx-Allee 5, 10178 Berlin",
            "Lange Straße 4-6, D-20095 Hamburg",
            "Berliner Str. 12",
            "Am Markt 3, 20095 Hamburg",
            "An der Alster 12, 20099 Hamburg",
            "Unter den Linden 5, 60311 Frankfurt am Main",
            "Alter Markt 5, 50667 Köln",
            "12 rue de Rivoli, 75001 Paris",
            "3 bis, avenue des Champs-Élysées, 75008 Paris",
            "5 place de la République, 69001 Lyon",
            "10 rue du 8 mai 1945, 94110 Arcueil",
            "Rue de la Loi 16, 1000 Bruxelles",
            "Via Roma 10, 00184 Roma",
            "via XX Settembre, 12/A, 10121 Torino",
            "Piazza Garibaldi 5, Napoli",
            "Corso Italia 12",
            "Calle Mayor, 5, 28013 Madrid",
            "ul. 3 Maja 5, 00-401 Warszawa",
            "os. Młodych 12/3, 31-908 Kraków",
        ] {
            let text = format!("Besuchen Sie uns: {address}; tel.");
            assert_eq!(addresses(&text), [address]);
        }
    }

    #[test]
    fn what_has_a_number_is_not_always_an_address() {
        for text in [
            "Am Montag 3 Stunden",
            "Im Jahr 2020 kamen 12345 Besucher",
            "Via Email 24 hours a day",
            "a natural open 20 hours",
            "They finished in 5 place Winners",
            "12 routes in 3 days",
            "Team Berlin Platz 3, Team Köln Platz 4",
        ] {
            assert_eq!(addresses(text), [""; 0], "{text}");
        }
    }
}
