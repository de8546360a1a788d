//! HTML source as a list of tags and texts, so that a page can be changed in one place and stay what it is elsewhere.

/// A piece of the source of a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    /// A tag, from `<` to `>`.
    Tag(String),
    /// Text between two tags that a reader may see.
    Text(String),
    /// Comments, scripts, styles and whatever else no reader sees.
    Raw(String),
}

/// Elements whose content is no text of the page.
const HIDDEN: [&str; 9] = [
    "script", "style", "noscript", "template", "textarea", "title", "svg", "iframe", "select",
];

impl Token {
    /// The source.
    pub(crate) fn source(&self) -> &str {
        match self {
            Self::Tag(source) | Self::Text(source) | Self::Raw(source) => source,
        }
    }

    /// The name of a start tag, in lower case.
    pub(crate) fn start(&self) -> Option<String> {
        match self {
            Self::Tag(source) => name(source).filter(|name| !name.starts_with('/')),
            Self::Text(_) | Self::Raw(_) => None,
        }
    }

    /// Whether it is the end tag of this name.
    pub(crate) fn ends(&self, wanted: &str) -> bool {
        match self {
            Self::Tag(source) => name(source).is_some_and(|name| name.strip_prefix('/') == Some(wanted)),
            Self::Text(_) | Self::Raw(_) => false,
        }
    }
}

fn name(tag: &str) -> Option<String> {
    let inner = tag.strip_prefix('<')?;
    let end = inner
        .find(|c: char| c.is_whitespace() || c == '>' || (c == '/' && !inner.starts_with('/')))
        .unwrap_or(inner.len());
    Some(inner[..end].to_ascii_lowercase())
}

/// The pieces of a page.
pub(crate) fn tokens(html: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let length = match rest.strip_prefix("<!--") {
            Some(comment) => comment.find("-->").map_or(rest.len(), |at| at + 7),
            None if rest.starts_with('<') => tag_length(rest),
            None => rest.find('<').unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        if piece.starts_with("<!") || piece.starts_with("<?") {
            tokens.push(Token::Raw(piece.to_owned()));
        } else if piece.starts_with('<') && piece.len() > 1 {
            tokens.push(Token::Tag(piece.to_owned()));
            let hidden = name(piece).filter(|name| HIDDEN.contains(&name.as_str()) && !piece.ends_with("/>"));
            if let Some(hidden) = hidden {
                let lower = rest.to_ascii_lowercase();
                let end = lower.find(&format!("</{hidden}")).unwrap_or(rest.len());
                tokens.push(Token::Raw(rest[..end].to_owned()));
                rest = &rest[end..];
            }
        } else {
            tokens.push(Token::Text(piece.to_owned()));
        }
    }
    tokens
}

/// The length of a tag, whose attributes may have `>` in quotes; a lone `<` is text of one byte.
fn tag_length(rest: &str) -> usize {
    let second = rest.as_bytes().get(1).copied().unwrap_or(b' ');
    if !second.is_ascii_alphabetic() && !matches!(second, b'/' | b'!' | b'?') {
        return 1;
    }
    let (mut quote, mut before) = (None, 0);
    for (at, byte) in rest.bytes().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'>' => return at + 1,
            None if matches!(byte, b'"' | b'\'') && before == b'=' => quote = Some(byte),
            None => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    rest.len()
}

/// The source of all pieces.
pub(crate) fn source(tokens: &[Token]) -> String {
    tokens.iter().map(Token::source).collect()
}

/// A text as it is compared: words with single spaces.
pub(crate) fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
