//! Guardrails: a person's rules in words, read into rules that are enforced, as far as the words allow it.
//!
//! The words themselves go to the model all the same. A sentence with a condition ("unless", "more than 50 EUR") is left
//! to the model alone, because no rule here can tell whether the condition holds.

use locale::Regex;
use url::Url;

use crate::element::ElementFacts;
use crate::refused::Refused;
use crate::site::{Site, hosts_in};

locale::patterns! {
    static NEGATIVE = r"\b(do not|don'?t|never|must not|mustn'?t|may not|should not|shouldn'?t|avoid|refrain|no|not allowed|cannot|can'?t|forbidden|without)\b";
    /// What denies a deed that was named before it: "payments are not allowed".
    static DENIES_BEFORE = r"\b(?:not (?:be )?(?:allowed|permitted|acceptable|ok(?:ay)?)|forbidden|(?:must not|mustn'?t|may not|should not|shouldn'?t|cannot|can'?t|never) (?:be|happen|occur|take place))\b|\b(?:never|no|not)\W*$";
    /// Where a denial ends.
    static TURNS = r"\b(?:but|just|instead|rather)\b";
    static CONDITION = r"\b(unless|except|if|without (asking|my|approval|permission|confirmation)|until)\b|\b(more than|less than|over|above|under|below)\s+(?:[a-z]{3}\s?)?[$€£]?\s?\d";
    /// What denies every condition.
    static ALWAYS = r"\b(?:(?:under|in) (?:any|no) circumstances?|under (?:any|no) conditions?|in any case|until the end)\b";
    static SAYS_BUY = r"\b(buy|buying|purchas\w*|order\w*|pay\w*|check ?out|book\w*|subscrib\w*|spend\w*|transaction\w*)\b";
    static BUY = r"(?i)^\W*(buy|purchase|pay|order|order now|check ?out|book|subscribe|reserve|(go|proceed|continue) to (checkout|payment)|(place|complete|confirm|submit|finish) (your |the |my )?(order|purchase|payment|booking)|buy .*|pay .*|purchase .*|book now|subscribe .*|kaufen|jetzt kaufen|bestellen)\W*$";
    static SAYS_LOGIN = r"\b(log ?in|sign ?in|log on|authenticat\w*)\b";
    static LOGIN = r"(?i)^\W*(log ?in|sign ?in|log on|continue with .*|anmelden)\b";
    static SAYS_REGISTER = r"\b(sign ?up|register\w*|creat\w+ (an |any |new )?accounts?)\b";
    static REGISTER = r"(?i)^\W*(sign ?up|register|create (an |your )?account|join)\b";
    static SAYS_DELETE = r"\b(delet\w*|remov\w*|eras\w*|cancel\w*|unsubscrib\w*)\b";
    static DELETE = r"(?i)^\W*(delete|remove|erase|trash|discard|cancel (subscription|order|account|booking)|unsubscribe|close account)\b";
    static SAYS_PUBLISH = r"\b(post\w*|publish\w*|comment\w*|repl(y|ies|ying)|send\w*|message\w*|e-?mail\w*|tweet\w*|shar(e|ing)|contact\w*)\b";
    static PUBLISH = r"(?i)^\W*(post|publish|comment|reply|send|tweet|share|submit (comment|review|post)|forward)\b";
    static SAYS_FORMS = r"\b(submit\w*|send\w*) (any |the |a )?(forms?|anything|data)\b|\bforms?\b";
    static SUBMIT = r"(?i)^\W*(submit|send|save|apply|confirm|continue|next|finish|go|ok|register|sign ?up|log ?in|sign ?in|place order|check ?out|buy|pay|order)\b";
    static SAYS_DOWNLOAD = r"\bdownload\w*\b";
    static DOWNLOAD = r"(?i)\bdownload\b";
    static SAYS_FILL = r"\b(enter\w*|fill\w*|typ(e|ing)|provid\w*|input\w*|giv(e|ing)|shar(e|ing)|disclos\w*)\b";
    static SAYS_PERSONAL = r"\b(personal|private|payment|credit|card|password|address|phone|e-?mail|bank|sensitive)\b";
    static PERSONAL = r"(?i)(name|mail|phone|tel|mobile|street|address|city|post ?code|zip|birth|card|iban|account|password|cvc|cvv|ssn|passport)";
    static SAYS_VISIT = r"\b(visit\w*|go to|open\w*|navigat\w*|leav(e|ing)|browse|access\w*|follow\w*)\b";
    static SAYS_HERE = r"\b(?:this|the|that|current|same|start\w*|given) (?:site|website|page|domain|host|shop|store)\b|\bhere\b";
    static SAYS_STAY = r"\b(only (visit|use|open|browse|go to|access)|stay (on|within|at|inside)|remain (on|within)|(visit|use|open|browse|access) only|limit yourself to)\b";
    static SAYS_LEAVE = r"\b(leav(e|ing)|(visit|open|go to|navigate to|follow\w*( links)?( to)?) (any )?(other|external|another|third[- ]party|outside|foreign))\b";
    static SAYS_READ = r"\b(read[- ]only|only read|just read|browse only|only look|only browse)\b";
    static SAYS_CLICK = r"\b(click\w*|press\w*|us(e|ing)|tap)\b";
    /// A name within quotes. An apostrophe within a word opens none.
    static QUOTE = r#"(?:^|[\s(:,])(?:"(?P<double>[^"]{2,80})"|'(?P<single>[^'"]{2,80})'|`(?P<tick>[^`]{2,80})`)"#;
}

/// Rules read from words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guardrails {
    rules: Vec<GuardrailRule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct GuardrailRule {
    /// The person's own words.
    words: String,
    ban: Ban,
}

/// What a rule forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ban {
    /// Clicking what is named after a deed.
    Deed(Deed),
    /// Clicking what holds this text.
    Name(String),
    /// Sending forms.
    Forms,
    /// Filling fields that hold personal data.
    PersonalFields,
    /// Filling any field but search fields.
    AllFields,
    /// Everything but following links.
    Acting,
    /// Visiting these sites.
    Sites(Vec<Site>),
    /// Visiting any but these sites.
    OtherSites(Vec<Site>),
}

/// A deed that rules speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Buy,
    LogIn,
    Register,
    Delete,
    Publish,
    Download,
}

impl Deed {
    const ALL: [Deed; 6] = [
        Deed::Buy,
        Deed::LogIn,
        Deed::Register,
        Deed::Delete,
        Deed::Publish,
        Deed::Download,
    ];

    /// How a rule speaks of it.
    fn in_rules(self) -> &'static Regex {
        match self {
            Deed::Buy => &SAYS_BUY,
            Deed::LogIn => &SAYS_LOGIN,
            Deed::Register => &SAYS_REGISTER,
            Deed::Delete => &SAYS_DELETE,
            Deed::Publish => &SAYS_PUBLISH,
            Deed::Download => &SAYS_DOWNLOAD,
        }
    }

    /// The names of elements that do it.
    fn in_names(self) -> &'static Regex {
        match self {
            Deed::Buy => &BUY,
            Deed::LogIn => &LOGIN,
            Deed::Register => &REGISTER,
            Deed::Delete => &DELETE,
            Deed::Publish => &PUBLISH,
            Deed::Download => &DOWNLOAD,
        }
    }
}

impl Guardrails {
    /// Reads rules from words; `start` is the page that "this site" means. What cannot be read for certain is left to
    /// the model.
    pub fn read(text: &str, start: Option<&Url>) -> Self {
        let rule = |words: String| {
            let bans = bans_of(&words, start);
            bans.into_iter().map(move |ban| GuardrailRule {
                words: words.clone(),
                ban,
            })
        };
        Self {
            rules: sentences(text).into_iter().flat_map(rule).collect(),
        }
    }

    /// The sentences that are enforced.
    pub fn enforced(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.rules.iter().map(|rule| rule.words.as_str()).collect();
        words.dedup();
        words
    }

    /// Whether a page may be opened.
    pub(crate) fn visit(&self, url: &Url) -> Result<(), Refused> {
        let site = Site::of(url);
        let is_among = |sites: &[Site]| site.as_ref().is_some_and(|site| sites.contains(site));
        self.check(|ban| match ban {
            Ban::Sites(sites) => is_among(sites),
            Ban::OtherSites(sites) => !is_among(sites),
            _ => false,
        })
    }

    /// Whether an element may be clicked or a form sent by it.
    pub(crate) fn act(&self, by: ElementFacts<'_>) -> Result<(), Refused> {
        let name = by.name.trim();
        let is_form = matches!(by.role, "form" | "textbox" | "searchbox");
        self.check(|ban| match ban {
            Ban::Deed(deed) => deed.in_names().is_match(name),
            Ban::Name(text) => name.to_lowercase().contains(text.as_str()),
            Ban::Forms => is_form || (by.role == "button" && SUBMIT.is_match(name)),
            Ban::Acting => !matches!(by.role, "link" | "tab" | "treeitem" | "heading"),
            Ban::PersonalFields | Ban::AllFields | Ban::Sites(_) | Ban::OtherSites(_) => false,
        })
    }

    /// Whether a field may be filled; `is_personal` says that the value is one of the caller's.
    pub(crate) fn fill(&self, field: ElementFacts<'_>, is_personal: bool) -> Result<(), Refused> {
        self.check(|ban| match ban {
            Ban::PersonalFields => is_personal || PERSONAL.is_match(field.name),
            Ban::AllFields | Ban::Forms => field.role != "searchbox",
            Ban::Acting => true,
            _ => false,
        })
    }

    fn check(&self, forbids: impl Fn(&Ban) -> bool) -> Result<(), Refused> {
        match self.rules.iter().find(|rule| forbids(&rule.ban)) {
            Some(rule) => Err(Refused::new(
                "guardrail",
                format!("refused: a rule of the person forbids it: {:?}", rule.words),
                "change the guardrails to allow it",
            )),
            None => Ok(()),
        }
    }
}

/// What one sentence forbids.
fn bans_of(words: &str, start: Option<&Url>) -> Vec<Ban> {
    let words = with_plain_quotes(words);
    let lower = words.to_lowercase();
    if CONDITION.is_match(&ALWAYS.replace_all(&lower, " ")) {
        return Vec::new();
    }
    let named: Vec<Site> = hosts_in(&words).iter().filter_map(Site::of).collect();
    let is_negative = NEGATIVE.is_match(&lower);
    // "Stay within the budget" and "only use my card" speak of no place.
    let says_place = !named.is_empty() || SAYS_HERE.is_match(&lower);
    if (SAYS_STAY.is_match(&lower) && says_place) || (SAYS_LEAVE.is_match(&lower) && is_negative) {
        let mut sites = named;
        if sites.is_empty() || SAYS_HERE.is_match(&lower) {
            sites.extend(start.and_then(Site::of));
        }
        return match sites.is_empty() {
            true => Vec::new(),
            false => vec![Ban::OtherSites(sites)],
        };
    }
    if SAYS_READ.is_match(&lower) {
        return vec![Ban::Acting];
    }
    if !is_negative {
        return Vec::new();
    }
    if !named.is_empty() && is_denied(&SAYS_VISIT, &lower) {
        return vec![Ban::Sites(named)];
    }
    let denies_clicks = is_denied(&SAYS_CLICK, &lower);
    let quoted = QUOTE.captures_iter(&words).filter_map(|found| {
        let name = found
            .name("double")
            .or(found.name("single"))
            .or(found.name("tick"))?;
        let is_denied = denies_clicks
            || words
                .get(..name.start())
                .is_some_and(|before| NEGATIVE.is_match(&before.to_lowercase()));
        Some(name.as_str().trim().to_lowercase()).filter(|name| is_denied && !name.is_empty())
    });
    let names: Vec<Ban> = quoted.map(Ban::Name).collect();
    if !names.is_empty() && SAYS_CLICK.is_match(&lower) {
        return names;
    }
    let deeds = Deed::ALL
        .into_iter()
        .filter(|deed| is_denied(deed.in_rules(), &lower));
    let mut bans: Vec<Ban> = deeds.map(Ban::Deed).collect();
    let says_forms = is_denied(&SAYS_FORMS, &lower);
    if says_forms {
        bans.push(Ban::Forms);
    }
    if is_denied(&SAYS_FILL, &lower) {
        if SAYS_PERSONAL.is_match(&lower) {
            bans.push(Ban::PersonalFields);
        } else if says_forms || lower.contains("anything") || lower.contains("any data") {
            bans.push(Ban::AllFields);
        }
    }
    bans
}

/// Whether a sentence denies what `says` finds in it: "never log in" and "logins are not allowed" do, "log in, never with Google" and
/// "pay without saving the card" deny something else.
fn is_denied(says: &Regex, sentence: &str) -> bool {
    says.find_iter(sentence).any(|found| {
        let before = sentence.get(..found.start()).unwrap_or_default();
        let behind = sentence.get(found.end()..).unwrap_or_default();
        let denial = NEGATIVE.find_iter(before).last();
        let between = denial.and_then(|denial| before.get(denial.end()..));
        between.is_some_and(|between| !TURNS.is_match(between)) || DENIES_BEFORE.is_match(behind)
    })
}

/// A text with plain quotes and apostrophes in place of typographic ones.
fn with_plain_quotes(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '‘' | '’' | '‚' | '‹' | '›' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            other => other,
        })
        .collect()
}

/// The sentences of a text. A full stop within a host name ends none.
fn sentences(text: &str) -> Vec<String> {
    let lines = text.split(['\n', ';', '!']);
    let parts = lines.flat_map(|line| line.split(". ")).map(|part| {
        let part = part.trim().trim_start_matches(['-', '*', '•']);
        part.trim_end_matches('.').trim()
    });
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element<'a>(role: &'a str, name: &'a str) -> ElementFacts<'a> {
        ElementFacts {
            role,
            name,
            ..ElementFacts::default()
        }
    }

    fn read(text: &str) -> Guardrails {
        Guardrails::read(text, Some(&"https://shop.example.com/a".parse().unwrap()))
    }

    #[test]
    fn words_become_rules_about_what_is_clicked() {
        let cases = [
            ("Do not buy anything.", "Place order", true),
            ("Do not buy anything.", "Pay 12.50", true),
            ("Do not buy anything.", "Add to cart", false),
            ("Do not buy anything.", "Order history", false),
            ("Never delete anything; read the list", "Delete message", true),
            ("Never delete anything", "Read message", false),
            ("Don't log in", "Sign in", true),
            ("Do not register", "Create an account", true),
            ("Do not post comments", "Post", true),
            ("No downloads", "Download PDF", true),
            ("Do not submit any forms", "Submit", true),
            ("Do not click \"Subscribe now\"", "Subscribe now for free", true),
            ("Buy the cheapest one", "Buy now", false),
            ("Do not buy anything over 50 EUR", "Buy now", false),
            ("Do not buy anything above EUR 50", "Buy now", false),
            ("Don't click \"Keep it\"", "Keep it", true),
            ("Don’t click “Keep it”", "Keep it", true),
            ("Never click the seller's 'Report' button", "Report", true),
            ("Never click the seller's 'Report' button", "Sell", false),
            ("Don’t buy anything", "Buy now", true),
            ("Do not buy anything under any circumstances", "Buy now", true),
            ("Do not post the text below", "Post", true),
            ("Do not click \"Alpha\" or \"Beta\"", "Beta", true),
            ("Click \"Alpha\", never \"Beta\"", "Beta", true),
            ("Click \"Alpha\", never \"Beta\"", "Alpha", false),
            ("The \"Beta\" button must never be clicked", "Beta", true),
            ("Pay without saving the card", "Pay 12.50", false),
            ("Log in, never with Google", "Log in", false),
            ("Do not log in, but buy as a guest", "Buy now", false),
            ("Do not log in, but buy as a guest", "Log in", true),
            ("Without paying, look at the offer", "Pay 12.50", true),
            ("Purchases are not allowed", "Buy now", true),
            ("Orders must not be placed", "Place order", true),
            ("Payments: never", "Pay 12.50", true),
            ("Fill in the form without my phone number", "Submit", false),
        ];
        for (words, name, blocked) in cases {
            assert_eq!(
                read(words).act(element("button", name)).is_err(),
                blocked,
                "{words} / {name}"
            );
        }
    }

    #[test]
    fn words_become_rules_about_places_and_fields() {
        let url = |it: &str| it.parse::<Url>().unwrap();
        for stay in [
            "Do not leave this site",
            "Stay on shop.example.com",
            "Only visit this website",
            "Never follow links to other sites",
        ] {
            assert!(
                read(stay).visit(&url("https://www.example.com/b")).is_ok(),
                "{stay}"
            );
            assert!(
                read(stay).visit(&url("https://other.example.org/")).is_err(),
                "{stay}"
            );
        }
        for elsewhere in [
            "Stay within the budget of 100 EUR",
            "Only use my work e-mail",
            "Visit other.example.org without logging in",
        ] {
            assert!(
                read(elsewhere).visit(&url("https://other.example.org/")).is_ok(),
                "{elsewhere}"
            );
        }
        let never = read("Never visit ads.example.net or tracker.example.org.");
        assert!(never.visit(&url("https://x.example.net/")).is_err());
        assert!(never.visit(&url("https://example.com/")).is_ok());
        let private = read("Do not enter any personal data");
        assert!(private.fill(element("textbox", "Your e-mail"), false).is_err());
        assert!(private.fill(element("textbox", "Colour"), false).is_ok());
        assert!(private.fill(element("textbox", "Colour"), true).is_err());
        let reading = read("This is read-only work");
        assert!(reading.act(element("link", "More")).is_ok());
        assert!(reading.act(element("button", "More")).is_err());
        assert_eq!(reading.enforced(), ["This is read-only work"]);
    }
}
