//! Edits of the main content of a page, as people make them.

use std::collections::HashMap;

use fastrand::Rng;

use crate::tokens::{Token, plain};

/// What an edit has done.
#[derive(Debug)]
pub(crate) struct Edit {
    /// Its kind.
    pub(crate) kind: &'static str,
    /// A text that a change has to name: what is new, else what is gone.
    pub(crate) mark: String,
    /// The first piece that is not where it was.
    from: usize,
    /// How many pieces were put in there; fewer than none are gone.
    shift: isize,
}

impl Edit {
    /// Where a piece of the page is after the edit; where it was when it is gone.
    pub(crate) fn moved(&self, at: usize) -> usize {
        let moved = at.checked_add_signed(self.shift).unwrap_or(0);
        if at >= self.from {
            moved.max(self.from.saturating_sub(1))
        } else {
            at
        }
    }
}

/// Words that replace others.
const WORDS: [&str; 8] = [
    "marigold",
    "copper",
    "sixteenth",
    "northern",
    "unripe",
    "velvet",
    "thimble",
    "orchard",
];
const SENTENCES: [&str; 4] = [
    "The committee withdrew its earlier approval on the same evening.",
    "Deliveries to the islands are suspended until the bridge is open again.",
    "Two of the original authors have since corrected this figure.",
    "The older model remains available with a smaller tank.",
];
/// Words beside a number that say that it counts what nobody edits.
const COUNTED: [&str; 8] = [
    "ago", "view", "like", "share", "follow", "online", "visit", "comment",
];
/// Shortest text that is taken for one of the page.
const SHORTEST: usize = 25;

/// Pages that are edited: the pieces, and the text that people have marked as main content.
pub(crate) struct Labelled<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) label: &'a str,
}

impl Labelled<'_> {
    /// Texts of the main content that stand once in the page.
    fn texts(&self, shortest: usize) -> Vec<usize> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for token in self.tokens {
            if let Token::Text(text) = token {
                *counts.entry(plain(text)).or_default() += 1;
            }
        }
        let is_content = |at: &usize| match &self.tokens[*at] {
            Token::Text(text) => {
                let text = plain(text);
                text.chars().count() >= shortest
                    && !text.contains('&')
                    && counts[&text] == 1
                    && self.label.contains(&text)
            }
            Token::Tag(_) | Token::Raw(_) => false,
        };
        let menus = self.menus();
        let is_in_menu = |at: &usize| menus.iter().any(|menu| menu.contains(at));
        (0..self.tokens.len())
            .filter(|at| is_content(at) && !is_in_menu(at))
            .collect()
    }

    /// Menus, footers, dialogs and what is hidden: no main content stands there, even where it says the same words.
    fn menus(&self) -> Vec<std::ops::Range<usize>> {
        let is_menu = |name: &str, tag: &str| {
            let marks = [
                "role=\"navigation\"",
                "role=\"menu\"",
                "role=\"menubar\"",
                "role=\"contentinfo\"",
                "role=\"dialog\"",
                "aria-hidden=\"true\"",
            ];
            name == "nav" || name == "footer" || marks.iter().any(|mark| tag.contains(mark))
        };
        let mut menus = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let Some(name) = token.start().filter(|name| is_menu(name, token.source())) else {
                continue;
            };
            let mut depth = 0_usize;
            let end = self.tokens[at..].iter().position(|token| {
                depth += usize::from(token.start().is_some_and(|other| other == name));
                depth -= usize::from(token.ends(&name) && depth > 0);
                depth == 0
            });
            menus.extend(end.map(|length| at..at + length));
        }
        menus
    }

    /// The last pieces of paragraphs and entries of the main content.
    pub(crate) fn paragraphs(&self) -> Vec<usize> {
        let elements = self.elements(&["p", "li", "dd"]);
        elements.into_iter().map(|(_, end)| end).collect()
    }

    /// Elements of these names whose whole text is main content: first and last piece.
    fn elements(&self, names: &[&str]) -> Vec<(usize, usize)> {
        let texts = self.texts(SHORTEST);
        let mut found = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let Some(name) = token.start().filter(|name| names.contains(&name.as_str())) else {
                continue;
            };
            let rest = self.tokens[at + 1..].iter();
            let Some(length) = rest.clone().position(|token| token.ends(&name)) else {
                continue;
            };
            let nested = rest
                .take(length)
                .any(|token| token.start().is_some_and(|other| other == name));
            let end = at + 1 + length;
            let inner: Vec<usize> = (at + 1..end)
                .filter(|it| matches!(&self.tokens[*it], Token::Text(text) if !text.trim().is_empty()))
                .collect();
            if !nested && inner.len() == 1 && inner.iter().all(|it| texts.contains(it)) {
                found.push((at, end));
            }
        }
        found
    }
}

/// Makes an edit of one kind by chance; none where the page has no place for it.
type EditKind = fn(&Labelled<'_>, &mut Rng) -> Option<(Vec<Token>, Edit)>;

/// An edit of a page, by chance; none where the page has no place for any.
pub(crate) fn edit(page: &Labelled<'_>, random: &mut Rng) -> Option<(Vec<Token>, Edit)> {
    let mut kinds: Vec<EditKind> = vec![word, number, sentence, removed, added, cell];
    random.shuffle(&mut kinds);
    kinds.into_iter().find_map(|kind| kind(page, random))
}

fn with_text(tokens: &[Token], at: usize, text: String) -> Vec<Token> {
    let mut tokens = tokens.to_vec();
    tokens[at] = Token::Text(text);
    tokens
}

fn text_at(tokens: &[Token], at: usize) -> &str {
    tokens[at].source()
}

/// What was written at a place of a text, with a little of what stands beside it in its line.
fn around(text: &str, from: usize, length: usize) -> String {
    const BESIDE: usize = 12;
    let start = text.floor_char_boundary(from.saturating_sub(BESIDE));
    let end = text.ceil_char_boundary((from + length + BESIDE).min(text.len()));
    let start = text[start..from].rfind('\n').map_or(start, |at| start + at + 1);
    let end = text[from + length..end]
        .find('\n')
        .map_or(end, |at| from + length + at);
    text[start..end].to_owned()
}

fn word(page: &Labelled<'_>, random: &mut Rng) -> Option<(Vec<Token>, Edit)> {
    let at = random.choice(page.texts(SHORTEST))?;
    let text = text_at(page.tokens, at);
    let is_plain = |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let words: Vec<&str> = text.split_whitespace().filter(is_plain).collect();
    let old = random.choice(words)?;
    let new = random.choice(WORDS)?;
    let from = text.find(old)?;
    let text = text.replacen(old, new, 1);
    let edit = Edit {
        kind: "word",
        mark: around(&text, from, new.len()),
        from: at,
        shift: 0,
    };
    Some((with_text(page.tokens, at, text), edit))
}

fn number(page: &Labelled<'_>, random: &mut Rng) -> Option<(Vec<Token>, Edit)> {
    let mut places = page.texts(10);
    places.retain(|at| {
        let text = text_at(page.tokens, *at).to_lowercase();
        text.bytes().any(|byte| byte.is_ascii_digit())
            && !text.contains(':')
            && !COUNTED.iter().any(|word| text.contains(word))
    });
    let at = random.choice(places)?;
    let text = text_at(page.tokens, at);
    let from = text.find(|c: char| c.is_ascii_digit())?;
    let length = text[from..]
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len() - from);
    let old = &text[from..from + length];
    let first = char::from(b'1' + (old.as_bytes()[0] - b'0' + random.u8(1..8)) % 9);
    let first = if old.starts_with(first) { '9' } else { first };
    let new = format!("{first}{}", &old[1..]);
    if new == old {
        return None;
    }
    let text = format!("{}{new}{}", &text[..from], &text[from + length..]);
    let edit = Edit {
        kind: "number",
        mark: around(&text, from, new.len()),
        from: at,
        shift: 0,
    };
    Some((with_text(page.tokens, at, text), edit))
}

fn sentence(page: &Labelled<'_>, random: &mut Rng) -> Option<(Vec<Token>, Edit)> {
    let at = random.choice(page.texts(60))?;
    let new = random.choice(SENTENCES)?;
    let edit = Edit {
        kind: "sentence",
        mark: new.to_owned(),
        from: at,
        shift: 0,
    };
    let text = format!("{} {new} ", text_at(page.tokens, at).trim_end());
    Some((with_text(page.tokens, at, text), edit))
}

fn removed(page: &Labelled<'_>, random: &mut Rng) -> Option<(Vec<Token>, Edit)> {
    let (from, to) = random.choice(page.elements(&["p", "li", "tr", "dd", "h2", "h3"]))?;
    let gone: String = page.tokens[from..=to]
        .iter()
        .filter(|token| matches!(token, Token::Text(_)))
        .map(Token::source)
        .collect();
    let mut tokens = page.tokens.to_vec();
    tokens.drain(from..=to);
    let edit = Edit {
        kind: "removed",
        mark: plain(&gone),
        from,
        shift: -isize::try_from(to + 1 - from).unwrap_or_default(),
    };
    Some((tokens, edit))
}

fn added(page: &Labelled<'_>, random: &mut Rng) -> Option<(Vec<Token>, Edit)> {
    let (from, to) = random.choice(page.elements(&["p", "li", "dd"]))?;
    let new = random.choice(SENTENCES)?;
    let mut tokens = page.tokens.to_vec();
    let copy = [
        page.tokens[from].clone(),
        Token::Text(new.to_owned()),
        page.tokens[to].clone(),
    ];
    tokens.splice(to + 1..to + 1, copy);
    let edit = Edit {
        kind: "added",
        mark: new.to_owned(),
        from: to + 1,
        shift: 3,
    };
    Some((tokens, edit))
}

fn cell(page: &Labelled<'_>, random: &mut Rng) -> Option<(Vec<Token>, Edit)> {
    let mut places = page.texts(6);
    places.retain(|at| {
        let cell = at.checked_sub(1).and_then(|before| page.tokens[before].start());
        cell.is_some_and(|name| name == "td")
    });
    let at = random.choice(places)?;
    let new = random.choice(WORDS)?;
    let edit = Edit {
        kind: "cell",
        mark: new.to_owned(),
        from: at,
        shift: 0,
    };
    Some((with_text(page.tokens, at, new.to_owned()), edit))
}
