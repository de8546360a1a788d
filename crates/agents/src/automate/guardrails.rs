//! From a person's rules in words to rules that are enforced, as far as the words allow it. The words themselves go to
//! the model all the same.

use std::sync::LazyLock;

use browser::snapshot::Element;
use regex::Regex;
use url::Url;

use super::grant::{Blocked, Site, named_in};

/// Rules read from words.
#[derive(Debug, Default)]
pub(super) struct Guardrails {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    /// The person's own words.
    words: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// No clicking of what is called so.
    NoClick(&'static Pattern),
    /// No clicking of what holds this text.
    NoName(String),
    /// No forms.
    NoForms,
    /// No typing of fields that are called so; all but search fields when absent.
    NoFilling(Option<&'static Pattern>),
    /// Nothing but links.
    ReadOnly,
    /// Not these sites.
    Never(Vec<Site>),
    /// Only these sites.
    Only(Vec<Site>),
}

/// A pattern that is compiled at its first use.
#[derive(Debug)]
struct Pattern(LazyLock<Option<Regex>>);

impl Pattern {
    fn is_match(&self, text: &str) -> bool {
        self.0.as_ref().is_some_and(|it| it.is_match(text))
    }

    /// What its first group has found.
    fn find<'a>(&self, text: &'a str) -> Option<&'a str> {
        Some(self.0.as_ref()?.captures(text)?.get(1)?.as_str())
    }
}

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: Pattern = Pattern(LazyLock::new(|| Regex::new($text).ok()));
    };
}

pattern!(
    NEGATIVE,
    r"\b(do not|don'?t|never|must not|mustn'?t|may not|should not|shouldn'?t|avoid|refrain|no|not allowed|cannot|can'?t|forbidden|without)\b"
);
pattern!(
    CONDITION,
    r"\b(unless|except|if|without (asking|my|approval|permission|confirmation)|more than|less than|over|above|under|below|until)\b"
);
pattern!(
    SAYS_BUY,
    r"\b(buy|buying|purchas\w*|order\w*|pay\w*|check ?out|book\w*|subscrib\w*|spend\w*|transaction\w*)\b"
);
pattern!(
    BUY,
    r"(?i)^\W*(buy|purchase|pay|order|order now|check ?out|book|subscribe|reserve|(go|proceed|continue) to (checkout|payment)|(place|complete|confirm|submit|finish) (your |the |my )?(order|purchase|payment|booking)|buy .*|pay .*|purchase .*|book now|subscribe .*|kaufen|jetzt kaufen|bestellen)\W*$"
);
pattern!(SAYS_LOGIN, r"\b(log ?in|sign ?in|log on|authenticat\w*)\b");
pattern!(
    LOGIN,
    r"(?i)^\W*(log ?in|sign ?in|log on|continue with .*|anmelden)\b"
);
pattern!(
    SAYS_REGISTER,
    r"\b(sign ?up|register\w*|creat\w+ (an |any |new )?accounts?)\b"
);
pattern!(
    REGISTER,
    r"(?i)^\W*(sign ?up|register|create (an |your )?account|join)\b"
);
pattern!(
    SAYS_DELETE,
    r"\b(delet\w*|remov\w*|eras\w*|cancel\w*|unsubscrib\w*)\b"
);
pattern!(
    DELETE,
    r"(?i)^\W*(delete|remove|erase|trash|discard|cancel (subscription|order|account|booking)|unsubscribe|close account)\b"
);
pattern!(
    SAYS_PUBLISH,
    r"\b(post\w*|publish\w*|comment\w*|repl(y|ies|ying)|send\w*|message\w*|e-?mail\w*|tweet\w*|shar(e|ing)|contact\w*)\b"
);
pattern!(
    PUBLISH,
    r"(?i)^\W*(post|publish|comment|reply|send|tweet|share|submit (comment|review|post)|forward)\b"
);
pattern!(
    SAYS_FORMS,
    r"\b(submit\w*|send\w*) (any |the |a )?(forms?|anything|data)\b|\bforms?\b"
);
pattern!(
    SUBMIT,
    r"(?i)^\W*(submit|send|save|apply|confirm|continue|next|finish|go|ok|register|sign ?up|log ?in|sign ?in|place order|check ?out|buy|pay|order)\b"
);
pattern!(SAYS_DOWNLOAD, r"\bdownload\w*\b");
pattern!(DOWNLOAD, r"(?i)\bdownload\b");
pattern!(
    SAYS_FILL,
    r"\b(enter\w*|fill\w*|typ(e|ing)|provid\w*|input\w*|giv(e|ing)|shar(e|ing)|disclos\w*)\b"
);
pattern!(
    SAYS_PERSONAL,
    r"\b(personal|private|payment|credit|card|password|address|phone|e-?mail|bank|sensitive)\b"
);
pattern!(
    PERSONAL,
    r"(?i)(name|mail|phone|tel|mobile|street|address|city|post ?code|zip|birth|card|iban|account|password|cvc|cvv|ssn|passport)"
);
pattern!(
    SAYS_VISIT,
    r"\b(visit\w*|go to|open\w*|navigat\w*|leav(e|ing)|browse|access\w*|follow\w*)\b"
);
pattern!(
    SAYS_HERE,
    r"\b(this|the|that|current|same|start\w*|given) (site|website|page|domain|host)\b"
);
pattern!(
    SAYS_STAY,
    r"\b(only (visit|use|open|browse|go to|access)|stay (on|within|at|inside)|remain (on|within)|(visit|use|open|browse|access) only|limit yourself to)\b"
);
pattern!(
    SAYS_LEAVE,
    r"\b(leav(e|ing)|(visit|open|go to|navigate to|follow\w*( links)?( to)?) (any )?(other|external|another|third[- ]party|outside|foreign))\b"
);
pattern!(
    SAYS_READ,
    r"\b(read[- ]only|only read|just read|browse only|only look|only browse)\b"
);
pattern!(SAYS_CLICK, r"\b(click\w*|press\w*|us(e|ing)|tap)\b");
pattern!(QUOTE, "[\"“‘'`«]([^\"”’'`»]{2,80})[\"”’'`»]");

impl Guardrails {
    /// Reads rules from words. What cannot be read for certain is left to the model.
    pub(super) fn read(text: &str, start: Option<&Url>) -> Self {
        let mut rules = Vec::new();
        for words in sentences(text) {
            let lower = words.to_lowercase();
            if CONDITION.is_match(&lower) {
                continue;
            }
            let named: Vec<Site> = named_in(&words).iter().filter_map(Site::of).collect();
            let home: Vec<Site> = start.and_then(Site::of).into_iter().collect();
            let mut add = |kind| {
                rules.push(Rule {
                    words: words.clone(),
                    kind,
                });
            };
            let leave = SAYS_LEAVE.is_match(&lower) && NEGATIVE.is_match(&lower);
            if SAYS_STAY.is_match(&lower) || leave {
                let mut sites = named.clone();
                if sites.is_empty() || SAYS_HERE.is_match(&lower) {
                    sites.extend(home.clone());
                }
                if !sites.is_empty() {
                    add(Kind::Only(sites));
                }
                continue;
            }
            if SAYS_READ.is_match(&lower) {
                add(Kind::ReadOnly);
                continue;
            }
            if !NEGATIVE.is_match(&lower) {
                continue;
            }
            if !named.is_empty() && SAYS_VISIT.is_match(&lower) {
                add(Kind::Never(named));
                continue;
            }
            if let Some(name) = QUOTE.find(&words)
                && SAYS_CLICK.is_match(&lower)
            {
                add(Kind::NoName(name.to_lowercase()));
                continue;
            }
            for (says, names) in [
                (&SAYS_BUY, &BUY),
                (&SAYS_LOGIN, &LOGIN),
                (&SAYS_REGISTER, &REGISTER),
                (&SAYS_DELETE, &DELETE),
                (&SAYS_PUBLISH, &PUBLISH),
                (&SAYS_DOWNLOAD, &DOWNLOAD),
            ] {
                if says.is_match(&lower) {
                    add(Kind::NoClick(names));
                }
            }
            if SAYS_FORMS.is_match(&lower) {
                add(Kind::NoForms);
            }
            if SAYS_FILL.is_match(&lower) {
                if SAYS_PERSONAL.is_match(&lower) {
                    add(Kind::NoFilling(Some(&PERSONAL)));
                } else if SAYS_FORMS.is_match(&lower)
                    || lower.contains("anything")
                    || lower.contains("any data")
                {
                    add(Kind::NoFilling(None));
                }
            }
        }
        Self { rules }
    }

    /// The sentences that are enforced.
    pub(super) fn enforced(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.rules.iter().map(|it| it.words.as_str()).collect();
        words.dedup();
        words
    }

    /// Whether a page may be opened.
    pub(super) fn visit(&self, url: &Url) -> Result<(), Blocked> {
        let site = Site::of(url);
        self.check(|kind| match kind {
            Kind::Never(sites) => site.as_ref().is_some_and(|it| sites.contains(it)),
            Kind::Only(sites) => !site.as_ref().is_some_and(|it| sites.contains(it)),
            _ => false,
        })
    }

    /// Whether an element may be clicked or a form sent by it.
    pub(super) fn act(&self, by: &Element) -> Result<(), Blocked> {
        let name = by.name.trim();
        let form = by.role == "form" || matches!(by.role.as_str(), "textbox" | "searchbox");
        self.check(|kind| match kind {
            Kind::NoClick(names) => names.is_match(name),
            Kind::NoName(text) => name.to_lowercase().contains(text.as_str()),
            Kind::NoForms => form || (by.role == "button" && SUBMIT.is_match(name)),
            Kind::ReadOnly => !matches!(by.role.as_str(), "link" | "tab" | "treeitem" | "heading"),
            Kind::NoFilling(_) | Kind::Never(_) | Kind::Only(_) => false,
        })
    }

    /// Whether a field may be filled.
    pub(super) fn fill(&self, field: &Element, persons: bool) -> Result<(), Blocked> {
        self.check(|kind| match kind {
            Kind::NoFilling(Some(names)) => persons || names.is_match(&field.name),
            Kind::NoFilling(None) | Kind::NoForms => field.role != "searchbox",
            Kind::ReadOnly => true,
            _ => false,
        })
    }

    fn check(&self, breaks: impl Fn(&Kind) -> bool) -> Result<(), Blocked> {
        match self.rules.iter().find(|it| breaks(&it.kind)) {
            Some(rule) => Err(Blocked {
                why: format!("refused: a rule of the person forbids it: {:?}", rule.words),
                remedy: "change the guardrails to allow it".to_owned(),
            }),
            None => Ok(()),
        }
    }
}

/// The sentences of a text. A full stop within a host name ends none.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.split(['\n', ';', '!']) {
        for part in line.split(". ") {
            let part = part
                .trim()
                .trim_start_matches(['-', '*', '•'])
                .trim_end_matches('.')
                .trim();
            if !part.is_empty() {
                found.push(part.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(role: &str, name: &str) -> Element {
        Element {
            role: role.into(),
            name: name.into(),
            ..Element::default()
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
        ];
        for (words, name, blocked) in cases {
            assert_eq!(
                read(words).act(&element("button", name)).is_err(),
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
        let never = read("Never visit ads.example.net or tracker.example.org.");
        assert!(never.visit(&url("https://x.example.net/")).is_err());
        assert!(never.visit(&url("https://example.com/")).is_ok());
        let private = read("Do not enter any personal data");
        assert!(private.fill(&element("textbox", "Your e-mail"), false).is_err());
        assert!(private.fill(&element("textbox", "Colour"), false).is_ok());
        assert!(private.fill(&element("textbox", "Colour"), true).is_err());
        let reading = read("This is read-only work");
        assert!(reading.act(&element("link", "More")).is_ok());
        assert!(reading.act(&element("button", "More")).is_err());
        assert_eq!(reading.enforced(), ["This is read-only work"]);
    }
}
