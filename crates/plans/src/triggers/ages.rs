//! The age of the person that an instruction asks for: "for a 5-year-old", "für Vierjährige", "z pięciolatkiem".

use std::ops::Range;

use tools::rows::ages::{GREATEST_AGE, LEAST_AGE};
use tools::rows::condition::{Operator, RowCondition};

use super::list_labels::{HALF, ListLabels};
use super::numerals;

locale::patterns! {
    /// An age behind a word that says whom something is for, or before a word for a child.
    static AGE = r"(?ix)\b(?:(?P<for>for|suits?|suitable\s+for|für|dla)\s+|(?:with|mit|z|ze)\s+)?
        (?:(?:an?|my|our|one|the|kids?|children|einen?|einem|einer|mein(?:en|em|er|e)?|unsere[nmr]?|moj\p{Latin}+|mój|swoj\p{Latin}+|nasz\p{Latin}*|dzieck\p{Latin}+)\s+)*
        (?:(?P<n>\d{1,2})[\s-]*(?P<kind>years?[\s-]olds?|yr[\s-]olds?|jährige[nrms]?|latk\p{Latin}+|latek|letni\p{Latin}+)
        |(?P<word>one|two|three|four|five|six|seven|eight|nine|ten|twelve)[\s-]years?[\s-]olds?
        |(?P<part>dwu|trzy|cztero|pięcio|sześcio|siedmio|ośmio|dziewięcio|dziesięcio|dwunasto|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)(?P<end>latk\p{Latin}+|latek|letni\p{Latin}+|jährige[nrms]?))\b
        (?P<child>\s+(?:kids?|child(?:ren)?|boys?|girls?|son|daughter|kind(?:er|ern)?|sohn|tochter|jungen?|mädchen|dzieck\p{Latin}*|dzieci\p{Latin}*|syn\p{Latin}*|córk\p{Latin}+))?";
    /// The age from which things are for people: "recommended age of 8 or older", "Altersempfehlung ab 8 Jahren", "wiek od 8 lat".
    static FROM_AGE = r"(?ix)\b(?:with\s+(?:an?\s+)?|mit\s+|z\s+)?(?:
        (?:(?:recommended|suggested|minimum|min\.?)\s+)*(?:ages?|aged)\s*(?:is\s+|of\s+|from\s+|:\s*)?(?P<a>\d{1,2})\s*(?:(?:\+|(?:or|and)\s+(?:older|over|up|upwards|above)\b)(?:\s+(?:years?|yrs))?)
        |(?:altersempfehlung|altersfreigabe|alter|mindestalter)\s*:?\s*(?:ab|von)\s+(?P<b>\d{1,2})(?:\s+jahren?)?\b
        |(?:(?:zalecany|minimalny)\s+)?(?:wiek|wieku|wiekiem)\s*:?\s*(?:od|powyżej)\s+(?P<c>\d{1,2})(?:\s+lat)?\b
        )";
    /// The age of a person: "my daughter is 16", "mein Sohn ist 7 Jahre alt", "córka ma 5 lat".
    static IS_OLD = r"(?i)\b(?:(?:my|our|the|mein|meine|unser|unsere|unsere[rs]|moj\p{Latin}|mój|nasz|nasza|nasze)\s+)?(?:\p{Latin}+\s+)?(?:daughter|son|kid|child|niece|nephew|grandson|granddaughter|boy|girl|youngest|oldest|tochter|sohn|kind|neffe|nichte|enkel(?:in)?|junge|mädchen|córka|córeczka|syn|synek|dziecko|wnuk|wnuczka|siostrzeni\p{Latin}+|bratanek)\s+(?:is|just turned|turned|turns|ist|wird|ma|skończył\p{Latin}?)\s+(?:now\s+|jetzt\s+|schon\s+|już\s+|exactly\s+|genau\s+|dokładnie\s+)?(?P<n>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć)(?:\s+(?:years?(?:\s+old)?|jahre?(?:\s+alt)?|lat(?:a)?))?\b";
    /// An age that persons of a list are below or above.
    static LIMIT = r"(?i)\b(?:(?P<under>younger\s+than|aged\s+(?:under|below)|jünger\s+als|młods(?:zy|za|ze|zych|i)\s+(?:niż|od))|older\s+than|aged\s+(?:over|above)|älter\s+als|stars(?:zy|za|ze|zych|i)\s+(?:niż|od))\s+(?P<n>\d{1,2})(?:\s+(?:years?(?:\s+old)?|jahre?(?:\s+alt)?|lat(?:a)?))?\b";
    /// An age in its unit that entries of a list are below or above.
    static LIMIT_IN_UNITS = r"(?ix)\b(?:(?P<less>under|below|less\s+than|unter|weniger\s+als|poniżej|mniej\s+niż|(?P<younger>younger\s+than|jünger\s+als|młods\p{Latin}+\s+(?:niż|od)))
        |(?P<more>over|above|more\s+than|über|mehr\s+als|powyżej|ponad|więcej\s+niż|(?P<older>older\s+than|älter\s+als|stars\p{Latin}+\s+(?:niż|od)))
        |(?P<most>up\s+to|at\s+most|bis(?:\s+zu)?|höchstens|maximal|do|najwyżej|(?P<not_older>(?:no|not)\s+older\s+than|nicht\s+älter\s+als|nie\s+starsz\p{Latin}+\s+niż))
        |at\s+least|mindestens|co\s+najmniej|ab|od)\s+(?P<n>\d{1,2}|\p{Latin}{2,8})\s+(?P<unit>years?|months?|weeks?|jahren?|jahre|monaten?|monate|wochen?|lat|lata|roku|rok|miesi\p{Latin}+|tygodni\p{Latin}*)\b(?P<old>\s+(?:old|of\s+age|alt|życia)\b)?";
    /// Grown-up people or children, for whom something is.
    static GROUP = r"(?ix)\b(?:(?:for|für|dla)\s+(?:(?P<adults>adults|grown[-\s]?ups|erwachsene|dorosłych)|kids|children|kinder|dzieci)\b
        |(?P<said>(?P<grown>adults?['’]?|erwachsenen-?|dorosł\p{Latin}+)|(?:kids|children)['’]?s?|kinder-?|dziecięc\p{Latin}+)\s*(?:groups?|courses?|class(?:es)?|sessions?|training\p{Latin}*|gruppen?|kurse?|grup\p{Latin}*|zajęć|zajęcia)\b)";
    static GROUPS_OF_BOTH = r"(?ix)\b(?:adults?|erwachsene\p{Latin}?|dorosł\p{Latin}+)\b[^.;]*\b(?:kids|child\p{Latin}*|kinder\p{Latin}?|dzie\p{Latin}+)\b|\b(?:kids|child\p{Latin}*|kinder\p{Latin}?|dzie\p{Latin}+)\b[^.;]*\b(?:adults?|erwachsene\p{Latin}?|dorosł\p{Latin}+)\b";
    /// Ages from one on, or from one to another.
    static OF_GROUP = r"(?i)^\W*(?:(?:ab|from|od|ages?|wiek)\s+)?\d{1,2}\s*(?:\+|[-–—]\s*\d{1,2}|(?:to|bis|do)\s+\d{1,2})";
    /// The youngest or the oldest of a list, and how many of them.
    static ORDER = r"(?ix)(?:\b(?:the|die|den|der)\s+)?(?:\b(?P<n>\d{1,2}|two|three|four|five|six|ten|zwei|drei|vier|fünf|dwa|dwie|trzy|cztery|pięć)\s+)?
        \b(?:(?P<young>youngest|jüngste[nrms]?|najmłods\p{Latin}+)|oldest|eldest|älteste[nrms]?|najstars\p{Latin}+)\b(?P<first>\s+(?:ones\s+)?(?:first|zuerst|najpierw|at\s+the\s+top|on\s+top|oben|na\s+początku|na\s+górze))?";
    /// What is old by the day on which it was put into a list.
    static LISTED = r"(?i)^\s*(?:listings?|ads?|adverts?|offers?|posts?|articles?|entries|news|messages|anzeigen?|inserate?|angebote?|beiträge|artikel|meldungen|ogłosze\p{L}+|ofert\p{L}*|wpis\p{L}*|artykuł\p{L}*)\b";
    /// Two ages.
    static RANGE = r"(?i)\d\s*(?:[-–—]|to|bis|do)\s*\d|\d\s*\+";
    /// A value that is an age in less than years.
    static IN_PARTS = r"(?i)\d\s*(?:months?|mths?|weeks?|monate?n?|wochen?|miesi\p{L}+|mies\.?|tygodni\p{L}*)\b";
    /// A unit of time that is no year.
    static OTHER_UNIT = r"(?i)^\s*(?:days?|hours?|weeks?|months?|minutes?|tage?n?|stunden?|wochen?|monate?n?|dni|godzin\p{Latin}*|tygodni\p{Latin}*|miesi\p{Latin}+)\b";
    /// What is so many years old, and no person.
    static THING = r"(?i)^\s+(?:guarantee|warranty|experience|contract|garantie|gewährleistung|erfahrung|vertrag|gwarancj\p{Latin}+|doświadczeni\p{Latin}+|umow\p{Latin}+|car|whisk\p{Latin}+|rum|wine|cheese|wein|käse)";
}

/// The share of the ages of a list up to which those of another form say nothing of the others.
const FEW: f64 = 0.1;
/// The age from which on people are adults.
const GROWN_UP: usize = 18;
/// What lists call the age of persons.
const AGES: [&str; 3] = ["age", "alter", "wiek"];

/// The age that a text asks for, and where: rows are for it whose least age is not above it, and whose greatest not below.
///
/// An age from which on a thing is for people is none where the list has a label of ages, which are those of the things.
pub(super) fn age(text: &str, labels: &[String]) -> Option<(Range<usize>, Vec<RowCondition>)> {
    let is_label = |label: &String| AGES.contains(&label.to_lowercase().as_str());
    if let Some(found) = IS_OLD.captures(text) {
        let age = numerals::whole_number(found.name("n")?.as_str())?;
        return Some((found.get(0)?.range(), of_age(age)));
    }
    if let Some(found) = FROM_AGE.captures(text).filter(|_| !labels.iter().any(is_label)) {
        let mut numbers = ["a", "b", "c"].into_iter();
        let from: usize = numbers.find_map(|name| found.name(name))?.as_str().parse().ok()?;
        return Some((found.get(0)?.range(), vec![least_age(Operator::AtLeast, from)]));
    }
    AGE.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let group = |name: &str| found.name(name).map(|group| group.as_str().to_lowercase());
        let has = |name: &str| found.name(name).is_some();
        // "5-latek" is a person; "5-letnia" and "five years old" may be of anything.
        let kind = group("kind").or_else(|| group("end")).unwrap_or_default();
        let is_person = kind.starts_with("lat") || has("for") || has("child");
        if !is_person || THING.is_match(text.get(whole.end()..)?) {
            return None;
        }
        let named = group("word").or_else(|| group("part"));
        let of_word = || numerals::number_of_part(named.as_deref()?);
        let age = group("n")
            .and_then(|number| number.parse().ok())
            .or_else(of_word)?;
        Some((whole.range(), of_age(age)))
    })
}

/// Grown-up people or children that a text asks for, where the list has a label of the ages that its entries are for, and does not tell
/// most of them otherwise: from which age on adults are meant, and up to which children are.
pub(super) fn group(text: &str, labels: &ListLabels<'_>) -> Option<(Range<usize>, RowCondition)> {
    let field = locale::snake_case(age_label(&labels.names)?);
    let are_ages = labels.share_of_values(&field, |value| OF_GROUP.is_match(value))?;
    // "For children and adults" is for all.
    let found = GROUP
        .captures(text)
        .filter(|_| are_ages > HALF && !GROUPS_OF_BOTH.is_match(text))?;
    let condition = match found.name("adults").or_else(|| found.name("grown")) {
        Some(_) => least_age(Operator::AtLeast, GROWN_UP),
        None => RowCondition {
            field: LEAST_AGE.to_owned(),
            operator: Operator::Less,
            value: GROWN_UP.into(),
        },
    };
    // What the groups are called stays.
    let place = found.name("said").or_else(|| found.get(0))?;
    Some((place.range(), condition))
}

/// The limit of the ages of those whom a list names, where the list tells ages: "players younger than 26".
pub(super) fn limit(text: &str, labels: &[String]) -> Option<(Range<usize>, RowCondition)> {
    let found = LIMIT.captures(text)?;
    let rest = text.get(found.get(0)?.end()..).unwrap_or_default();
    let label = age_label(labels)?;
    // "Older than 30 days" is no age of a person.
    if OTHER_UNIT.is_match(rest) {
        return None;
    }
    let limit = RowCondition {
        field: label.clone(),
        operator: match found.name("under") {
            Some(_) => Operator::Less,
            None => Operator::More,
        },
        value: found.name("n")?.as_str().parse::<u64>().ok()?.into(),
    };
    Some((found.get(0)?.range(), limit))
}

/// The limit of the ages of what a list names, in its unit, where the list tells ages: "cats under two years old".
pub(super) fn limit_in_units(text: &str, labels: &ListLabels<'_>) -> Option<(Range<usize>, RowCondition)> {
    let label = age_label(&labels.names)?;
    // "6–10 years" are ages that things are for.
    let is_range = labels.share_of_values(&locale::snake_case(label), |value| RANGE.is_match(value));
    if is_range.is_some_and(|share| share > FEW) {
        return None;
    }
    let is_in_parts = labels
        .share_of_values(&locale::snake_case(label), |value| IN_PARTS.is_match(value))
        .is_some_and(|share| share > 0.0);
    LIMIT_IN_UNITS.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let number = numerals::whole_number(found.name("n")?.as_str())?;
        let has = |name: &str| found.name(name).is_some();
        // "A contract of at least 4 years" is no age.
        let is_age = ["old", "younger", "older", "not_older"].into_iter().any(has);
        if !is_age || THING.is_match(text.get(whole.end()..)?) {
            return None;
        }
        let unit = found.name("unit")?.as_str().to_lowercase();
        let unit = match () {
            () if unit.starts_with('m') => "months",
            () if unit.starts_with('w') || unit.starts_with("ty") => "weeks",
            () => "years",
        };
        // Of ages in years alone the number is compared.
        let value = match (is_in_parts, unit) {
            (false, "years") => number.into(),
            (true, _) => format!("{number} {unit}").into(),
            (false, _) => return None,
        };
        let limit = RowCondition {
            field: label.clone(),
            operator: match () {
                () if has("less") => Operator::Less,
                () if has("more") => Operator::More,
                () if has("most") => Operator::AtMost,
                () => Operator::AtLeast,
            },
            value,
        };
        Some((whole.range(), limit))
    })
}

/// A limit of age in years of a list that tells no ages: what is "not older than 5 years" may be so by the year in which it was made, or
/// by the day on which it was listed.
pub(super) fn unclear_limit(text: &str, labels: &[String]) -> Option<Range<usize>> {
    if age_label(labels).is_some() {
        return None;
    }
    LIMIT_IN_UNITS.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        found.name("not_older")?;
        numerals::whole_number(found.name("n")?.as_str())?;
        Some(whole.range())
    })
}

/// The order by age that a text asks for, where the list tells ages: where it stands, the label, whether the oldest come first, and how
/// many are asked for.
pub(super) fn order(text: &str, labels: &[String]) -> Option<(Range<usize>, String, bool, Option<usize>)> {
    let label = age_label(labels)?;
    ORDER.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let written = found.name("n");
        let count = written.and_then(|number| numerals::whole_number(number.as_str()));
        // "My youngest is five" is no order.
        let is_order = count.is_some() || found.name("first").is_some() || whole.as_str().contains(' ');
        let is_oldest_first = found.name("young").is_none();
        let is_listed = LISTED.is_match(text.get(whole.end()..).unwrap_or_default());
        (is_order && !is_listed).then(|| (whole.range(), label.clone(), is_oldest_first, count))
    })
}

fn age_label(labels: &[String]) -> Option<&String> {
    labels
        .iter()
        .find(|label| AGES.contains(&label.to_lowercase().as_str()))
}

/// The conditions on entries that are for somebody of an age.
fn of_age(age: usize) -> Vec<RowCondition> {
    let greatest = RowCondition {
        field: GREATEST_AGE.to_owned(),
        operator: Operator::AtLeast,
        value: age.into(),
    };
    vec![least_age(Operator::AtMost, age), greatest]
}

fn least_age(operator: Operator, age: usize) -> RowCondition {
    RowCondition {
        field: LEAST_AGE.to_owned(),
        operator,
        value: age.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ages_of_a_list_are_compared_where_it_tells_them() {
        let labels = ["Club".to_owned(), "Age".to_owned()];
        let read = |text: &str| limit(text, &labels).map(|(_, condition)| condition.to_string());
        assert_eq!(read("players younger than 26").as_deref(), Some("Age < 26"));
        assert_eq!(read("młodsi niż 26 lat").as_deref(), Some("Age < 26"));
        assert_eq!(read("älter als 30").as_deref(), Some("Age > 30"));
        assert_eq!(limit("comments older than 30 days", &labels), None);
        assert_eq!(limit("cars older than 10 years", &["Price".to_owned()]), None);
    }

    #[test]
    fn ages_have_units_and_an_order() {
        let labels = ListLabels::named(&["Sex", "Age"]);
        let read = |text: &str| limit_in_units(text, &labels).map(|(_, condition)| condition.to_string());
        assert_eq!(read("cats under two years old").as_deref(), Some("Age < 2"));
        assert_eq!(
            read("Katzen, nicht älter als 3 Jahre").as_deref(),
            Some("Age <= 3")
        );
        assert_eq!(read("players with a contract of at least 4 years"), None);
        assert_eq!(read("dogs listed for over 5 months"), None);
        assert_eq!(read("over 5 years warranty"), None);
        assert_eq!(
            limit_in_units("under 2 years", &ListLabels::named(&["Price"])),
            None
        );
        let ordered =
            |text: &str| order(text, &labels.names).map(|(_, _, is_oldest, count)| (is_oldest, count));
        assert_eq!(ordered("dogs, youngest first"), Some((false, None)));
        assert_eq!(ordered("the 3 oldest dogs"), Some((true, Some(3))));
        assert_eq!(ordered("die ältesten"), Some((true, None)));
        assert_eq!(ordered("the oldest listings"), None);
    }

    #[test]
    fn an_age_that_a_list_does_not_tell_is_no_denial_of_its_words() {
        let said = "Autos, nicht älter als 5 Jahre";
        let place = unclear_limit(said, &["Preis".to_owned()]).unwrap();
        assert_eq!(&said[place], "nicht älter als 5 Jahre");
        assert_eq!(unclear_limit(said, &["Alter".to_owned()]), None);
        assert_eq!(unclear_limit("nicht größer als 5 Meter", &[]), None);
    }

    #[test]
    fn what_is_for_people_from_an_age_on_has_no_lower_least_age() {
        let read = |text: &str| age(text, &[]).map(|(_, conditions)| conditions[0].to_string());
        for text in [
            "items with a recommended age of 8 or older",
            "toys, age 8+",
            "games for ages 8 and up",
            "Spiele mit Altersempfehlung ab 8 Jahren",
            "zabawki, wiek od 8 lat",
        ] {
            assert_eq!(read(text).as_deref(), Some("least age >= 8"), "{text}");
        }
        assert_eq!(read("pages 8 and up"), None);
        assert_eq!(age("Whisky mit Alter ab 12", &["Alter".to_owned()]), None);
    }

    #[test]
    fn the_age_of_a_person_is_no_age_of_a_thing() {
        let read = |text: &str| age(text, &[]).map(|(_, conditions)| conditions[0].to_string());
        for text in [
            "anything for a 5 year old?",
            "games for my five-year-old daughter",
            "Kurse für Fünfjährige",
            "bajki, na które mogę iść z pięciolatkiem",
            "zajęcia dla 5-latka",
            "My daughter is 5. Which games would she like?",
            "mein Sohn ist fünf Jahre alt",
            "córka ma 5 lat",
        ] {
            assert_eq!(read(text).as_deref(), Some("least age <= 5"), "{text}");
        }
        for text in [
            "a 10-year-old whisky",
            "mit 5-jähriger Garantie",
            "10-letnia gwarancja",
            "5 year old bikes",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
