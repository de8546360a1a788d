//! The names that a source file imports and the paths that it uses, read from its tokens. Test code is left out.

use std::collections::BTreeSet;
use std::str::FromStr as _;

use anyhow::Context as _;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path as written, with the inline modules around it: `["super", "Page"]` within `mod reading`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UsedPath {
    /// Names of the inline modules that hold it, from the outermost.
    pub(super) inline: Vec<String>,
    pub(super) segments: Vec<String>,
}

/// One name that a `use` brings into scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// The name in this file; `*` for everything in the path.
    pub(super) alias: String,
    pub(super) path: UsedPath,
    /// Whether others may import it from here (`pub use`, `pub(crate) use`).
    pub(super) is_reexport: bool,
}

/// What one file says about other modules.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) imports: Vec<Import>,
    /// Paths with at least two segments outside `use`.
    pub(super) paths: Vec<UsedPath>,
    /// Every identifier outside `use`.
    pub(super) identifiers: BTreeSet<String>,
    /// Names of the items that the file defines.
    pub(super) definitions: BTreeSet<String>,
}

impl Source {
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let tokens = TokenStream::from_str(text)
            .map_err(|error| anyhow::anyhow!("{error}"))
            .context("no Rust tokens")?;
        let mut source = Self::default();
        source.read(tokens, &[]);
        Ok(source)
    }

    fn read(&mut self, tokens: TokenStream, inline: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        let mut is_public = false;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    at += 1;
                    let is_inner =
                        matches!(tokens.get(at), Some(TokenTree::Punct(sign)) if sign.as_char() == '!');
                    at += usize::from(is_inner);
                    let is_test = tokens.get(at).is_some_and(is_test_attribute);
                    at += 1;
                    if is_test && !is_inner {
                        at = end_of_item(&tokens, at);
                    }
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    match word.as_str() {
                        "pub" => {
                            is_public = true;
                            at += 1;
                            // `pub(crate)`
                            at += usize::from(is_group(tokens.get(at), Delimiter::Parenthesis));
                            continue;
                        }
                        "use" => {
                            let end = end_of_item(&tokens, at);
                            let tree = tokens.get(at + 1..end).unwrap_or_default();
                            self.read_use(tree, Vec::new(), inline, is_public);
                            at = end;
                        }
                        "mod" if is_group(tokens.get(at + 2), Delimiter::Brace) => {
                            if let (Some(name), Some(TokenTree::Group(body))) =
                                (tokens.get(at + 1), tokens.get(at + 2))
                            {
                                let inner = [inline, &[name.to_string()]].concat();
                                self.read(body.stream(), &inner);
                            }
                            at += 3;
                        }
                        _ => at = self.read_path(&tokens, at, inline),
                    }
                }
                TokenTree::Group(group) => {
                    self.read(group.stream(), inline);
                    at += 1;
                }
                _ => at += 1,
            }
            is_public = false;
        }
    }

    /// Reads the path that begins at an identifier, and gives the place after it.
    fn read_path(&mut self, tokens: &[TokenTree], start: usize, inline: &[String]) -> usize {
        let mut segments = Vec::new();
        let mut at = start;
        while let Some(TokenTree::Ident(word)) = tokens.get(at) {
            segments.push(word.to_string());
            at += 1;
            match (tokens.get(at), tokens.get(at + 1), tokens.get(at + 2)) {
                (
                    Some(TokenTree::Punct(first)),
                    Some(TokenTree::Punct(second)),
                    Some(TokenTree::Ident(_)),
                ) if first.as_char() == ':' && second.as_char() == ':' => {
                    at += 2;
                }
                _ => break,
            }
        }
        const ITEMS: [&str; 9] = [
            "fn",
            "struct",
            "enum",
            "trait",
            "type",
            "const",
            "static",
            "union",
            "macro_rules",
        ];
        if let [word] = segments.as_slice()
            && ITEMS.contains(&word.as_str())
        {
            let name = tokens.iter().skip(at).find_map(|token| match token {
                TokenTree::Ident(name) => Some(name.to_string()),
                _ => None,
            });
            self.definitions.extend(name);
        }
        self.identifiers.extend(segments.first().cloned());
        let is_extern = start >= 2 && is_colon(tokens.get(start - 1)) && is_colon(tokens.get(start - 2));
        if segments.len() > 1 && !is_extern {
            self.paths.push(UsedPath {
                inline: inline.to_vec(),
                segments,
            });
        }
        at
    }

    /// Reads a tree of `use`, such as `a::{b, c as d, e::*}`.
    fn read_use(&mut self, tokens: &[TokenTree], prefix: Vec<String>, inline: &[String], is_reexport: bool) {
        let mut path = prefix.clone();
        let mut alias = None;
        let mut tokens = tokens.iter().peekable();
        let is_extern = is_colon(tokens.peek().copied()) && prefix.is_empty();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) if *word == "as" => alias = tokens.next().map(ToString::to_string),
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(sign) if sign.as_char() == '*' => path.push("*".to_owned()),
                TokenTree::Group(group) => {
                    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
                    let is_comma =
                        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
                    for tree in trees
                        .split(is_comma)
                        .filter(|tree| !tree.is_empty() && !is_extern)
                    {
                        self.read_use(tree, path.clone(), inline, is_reexport);
                    }
                    return;
                }
                _ => {}
            }
        }
        if is_extern || path.len() == prefix.len() {
            return;
        }
        // `use a::{self}` brings `a` itself.
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let alias = alias.or_else(|| path.last().cloned()).unwrap_or_default();
        self.imports.push(Import {
            alias,
            path: UsedPath {
                inline: inline.to_vec(),
                segments: path,
            },
            is_reexport,
        });
    }
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':')
}

fn is_group(token: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
}

/// Whether an attribute such as `[cfg(test)]` or `[test]` makes the next item test code.
fn is_test_attribute(attribute: &TokenTree) -> bool {
    let TokenTree::Group(group) = attribute else {
        return false;
    };
    let text: String = group
        .stream()
        .to_string()
        .chars()
        .filter(|sign| !sign.is_whitespace())
        .collect();
    text == "test"
        || text.starts_with("cfg(test)")
        || text.starts_with("cfg(all(test")
        || text.starts_with("cfg(any(test")
}

/// The place after the item that begins at `at`: after its first `;`, or its first block.
fn end_of_item(tokens: &[TokenTree], mut at: usize) -> usize {
    let is_use = matches!(tokens.get(at), Some(TokenTree::Ident(word)) if *word == "use");
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => break,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !is_use => break,
            _ => {}
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_paths_are_read_and_test_code_is_not() {
        let source = Source::parse(
            "pub use a::{B, c::{self, D as E}};
             fn f() { let _ = format!(\"{}\", crate::x::y()); ::ext::z(); }
             #[cfg(test)] mod tests { use super::*; }
             mod inner { use super::G; }",
        )
        .unwrap();
        let aliases: Vec<(&str, String, bool)> = source
            .imports
            .iter()
            .map(|import| {
                (
                    import.alias.as_str(),
                    import.path.segments.join("::"),
                    import.is_reexport,
                )
            })
            .collect();
        assert_eq!(
            aliases,
            [
                ("B", "a::B".to_owned(), true),
                ("c", "a::c".to_owned(), true),
                ("E", "a::c::D".to_owned(), true),
                ("G", "super::G".to_owned(), false)
            ]
        );
        let paths: Vec<String> = source.paths.iter().map(|path| path.segments.join("::")).collect();
        assert_eq!(paths, ["crate::x::y"]);
        assert_eq!(source.imports[3].path.inline, ["inner"]);
        assert!(source.definitions.contains("f"));
    }
}
