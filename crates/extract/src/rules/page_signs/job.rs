//! Job postings: headings over duties, over what is asked and over what is offered, and how to apply.

use super::{groups_with_a_line, is_in_frame, is_of_site, short_lines};
use crate::rules::visible_page::VisiblePage;

locale::patterns! {
    /// A heading over the work to be done.
    static DUTIES = r"(?i)\b(?:what|things) you(?:.?ll| will)?(?: be)? do(?:ing)?\b|responsibilit|^your (?:role|tasks|duties|mission|job)\b|^(?:the|about the) (?:role|job|position)$|^(?:key |main )?duties\b|^job description|(?:ihre|deine|die|unsere) (?:haupt)?(?:aufgaben|tätigkeit)|^aufgaben|aufgabengebiet|^tätigkeiten|stellenbeschreibung|obowiązk|czym (?:się )?będziesz|^(?:twoje zadania|twoja rola)|^(?:vos |tes |les )?missions?$|description du poste|^funciones|^tareas|descripción del puesto";
    /// A heading over what is asked of who applies.
    static REQUIREMENTS = r"(?i)^(?:\w+ )?(?:requirements|qualifications?)\b|\bwhat (?:we.?re|we are|we) (?:looking|seek|hope|expect|need)|\bwhat you(?:.?ll| will)? (?:bring|need|have)|^about you$|^who (?:you are|we.?re looking|we are looking)|^your (?:profile|skills|experience|background)|^(?:essential|desirable|required|preferred) (?:skills|criteria|experience)|person specification|^(?:ihr|dein|das) profil|anforderung|(?:das|was) (?:bringen sie|bringst du|sie|du) .*\bmit\b|bringst du mit|bringen sie mit|voraussetzungen|^qualifikation|^(?:\w+ )?wymagania|^(?:czego )?oczekujemy|oczekiwania|kogo szukamy|profil recherch|^(?:votre|ton) profil|^requisitos|^perfil\b";
    /// A heading over what is offered.
    static OFFER = r"(?i)^what (?:we offer|you(?:.?ll)? get|you can expect)|\bbenefits\b|^perks|^we offer|^(?:das|was|wir) .*\bbiete|unser angebot|(?:deine|ihre) vorteile|oferujemy|^co dajemy|nous (?:vous )?offrons|^(?:nos |vos )?avantages|ofrecemos";
    /// How to apply.
    static APPLY = r"(?i)\bapply (?:now|for|here|online|today|by)\b|^apply$|how to apply|(?:your|submit|send|start) (?:your |an? )?application|(?:\b|online|initiativ|kurz|direkt|sofort)bewerb|aplikuj|(?:wyślij|prześlij|jak) .*(?:zgłoszenie|zgłosić|\bcv\b)|postuler|candidature|inscribir|envía tu|\b(?:resume|résumé|cv)\b|lebenslauf";
    /// Terms of an employment.
    static TERMS = r"(?i)\b(?:full|part)[- ]?time\b|\bpermanent\b|fixed[- ]term|vollzeit|teilzeit|\b(?:un)?befristet|\betatu?\b|umowa o|\bcd[id]\b|temps (?:plein|partiel)|jornada (?:completa|parcial)|\bsalary\b|gehalt|wynagrodzenie|\bsalaire\b|\bsalario\b|closing date|bewerbungsfrist|\bvacanc|\bjob (?:code|ref|id)";
    /// A mark behind the name of a post that it is open to everybody, "(m/w/d)".
    static OPEN_TO_ALL = r"(?i)\((?:m|w|f|h|k)(?: ?[/|*] ?(?:m|w|f|d|x|h|k|i|divers|gn|all)){1,3}\)|\(all genders\)|\(gn\)";
}

/// Whether the short lines are those of one job posting. Of 1,713 saved pages this takes one,
/// which is a posting.
pub(in crate::rules) fn is_posting(view: &VisiblePage<'_>) -> bool {
    let [mut duties, mut requirements, mut offer, mut apply, mut terms] = [false; 5];
    for line in short_lines(view) {
        let own = |pattern: &locale::Regex| pattern.is_match(line.text) && !is_of_site(view, line);
        duties = duties || own(&DUTIES);
        requirements = requirements || own(&REQUIREMENTS);
        offer = offer || own(&OFFER);
        terms = terms || own(&TERMS);
        apply = apply || APPLY.is_match(line.text) && !is_in_frame(view, line);
    }
    let heading = view.heading.iter().map(|heading| heading.text.as_str());
    let is_open_to_all = heading
        .chain(view.titles.iter().map(String::as_str))
        .any(|title| OPEN_TO_ALL.is_match(title));
    let groups = groups_with_a_line(&[duties, requirements, offer, apply, terms]);
    if is_open_to_all {
        return groups >= 2;
    }
    duties && requirements && groups >= 4 || (duties || requirements) && offer && apply && terms
}
