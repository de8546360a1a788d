//! Events: a day with a time of day, and lines about doors, tickets, the place and who takes part.

use super::{groups_with_a_line, is_of_site, short_lines};
use crate::rules::visible_page::VisiblePage;

locale::patterns! {
    /// A time of day.
    static TIME = r"(?i)\b(?:[01]?\d|2[0-3])[:.][0-5]\d(?:\b|\s?[ap]m)|\b\d{1,2} ?(?:am|pm|a\.m\.|p\.m\.|uhr)(?:\W|$)";
    /// A day.
    static DAY = r"(?i)\b\d{1,2}(?:st|nd|rd|th|\.)?(?: of| de)? ?(?:jan|feb|fév|mar|mär|apr|avr|may|maj|mai|jun|juin|jul|juil|aug|ago|août|sep|oct|okt|nov|dec|dez|dic|déc|ene|abr|sty|lut|kwi|cze|lip|sie|wrz|paź|lis|gru)|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d{1,2}\b|\b\d{1,2}\.\d{1,2}\.(?:20)?\d\d\b|\b20\d\d-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b";
    /// When it begins.
    static BEGINNING = r"(?i)\bdoors?\b.{0,12}\d|\beinlass\b|\bbeginn\b|^(?:date|dates|when|time|date (?:and|&) time|datum|termine?|wann|uhrzeit|kiedy|godzina|fecha|horario|quand|dates? et heures?|aanvang|wanneer|datum en tijd|quando|inizio|início|orario|när|tid|godziny)\s*(?::|$)|^start(?:s|zeit)?:";
    /// How to get in.
    static TICKETS = r"(?i)\btickets?\b|\bbook (?:now|your|a place)|\bpasses\b|register (?:now|here|for)\b|\brsvp\b|\badmission\b|free entry|^(?:cost|fee|entry|eintritt|koszt|precio|tarif|entree|toegang|ingresso|entré|inträde)s?\s*(?::|$)|\bbiglietti\b|\bbiljetter\b|\bbilhetes?\b|\beintritt|\bkarten\b|anmeldung|kurs buchen|\bbilet|zapisz się|\bzapisy\b|wstęp|\bentradas?\b|inscri[bp]|billet|waiting list|warteliste|vorverkauf|abendkasse|places left|freie plätze|wolnych miejsc";
    /// Where it is.
    static VENUE = r"(?i)^(?:venue|where|location|place|ort|wo|veranstaltungsort|treffpunkt|miejsce|gdzie|lugar|dónde|lieu|où|locatie|waar|zaal|luogo|dove|onde|plats)\s*(?::|$)|getting (?:here|there)|how to (?:find us|get here|get there)|anfahrt|cómo llegar|comment venir|dojazd";
    /// Who takes part, and the order of events.
    static PEOPLE = r"(?i)^(?:the )?(?:speakers?|line-?up|instructors?|performers?|cast|programme|schedule|besetzung|referent(?:in|en|innen)?|leitung|dozent(?:in)?|kursleitung|mitwirkende|prowadz\w+|prelegenci|program|wykonawcy|obsada|ponentes|programa|intervenants|who is playing|tutor|organi[sz]ers?|veranstalter(?:in)?|organizator)\s*(?::|$)";
    /// What else an event page offers.
    static CALENDAR = r"(?i)(?:add|save) to (?:my )?calendar|\bical\b|google calendar|kalender (?:eintragen|speichern)|do kalendarza|(?:all|related|upcoming|more) (?:events|classes|shows)|alle veranstaltungen|weitere termine|im spielplan|ajouter (?:à|au) .*(?:agenda|calendrier)|añadir al calendario|volver a la agenda";
}

/// Most words of a line that gives a day and a time.
const MOST_WORDS: usize = 16;

/// Whether the short lines are those of one event. Of 1,713 saved pages this takes one, which
/// lists the dates of several.
pub(in crate::rules) fn is_event(view: &VisiblePage<'_>) -> bool {
    let [mut beginning, mut tickets, mut venue, mut people, mut calendar] = [false; 5];
    for line in short_lines(view) {
        let own = |pattern: &locale::Regex| pattern.is_match(line.text) && !is_of_site(view, line);
        beginning = beginning || own(&BEGINNING);
        venue = venue || own(&VENUE);
        people = people || own(&PEOPLE);
        tickets = tickets || TICKETS.is_match(line.text);
        calendar = calendar || CALENDAR.is_match(line.text);
    }
    groups_with_a_line(&[beginning, tickets, venue, people, calendar]) >= 3
        && (beginning || tickets)
        && has_day_and_time(view)
}

/// Whether a day and a time of day stand in one line, or in two short lines with one line between them at most.
fn has_day_and_time(view: &VisiblePage<'_>) -> bool {
    let is_brief = |text: &str| text.split_whitespace().count() <= MOST_WORDS;
    let is_day = |text: &str| is_brief(text) && DAY.is_match(text);
    // Between the two may stand the place.
    let mut before = [""; 2];
    view.lines.iter().any(|line| {
        let text = view.lines.line_text(line);
        let found =
            is_brief(text) && TIME.is_match(text) && (DAY.is_match(text) || before.into_iter().any(is_day));
        before = [before[1], text];
        found
    })
}
