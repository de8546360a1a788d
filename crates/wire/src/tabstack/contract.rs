//! Reading the bodies of `/v1`, whose contract lets clients send fields that are not known.

use crate::strict::{self, Fields, RequestRefusal};

/// A request body of the contract.
pub trait ContractRequest: Sized {
    /// Takes the fields that are known.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    fn take(from: &mut Fields) -> Result<Self, RequestRefusal>;
}

/// A request, and the names of the fields beside it that had no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedRequest<T> {
    /// What is asked for.
    pub request: T,
    /// Names of fields that are not known.
    pub ignored: Vec<String>,
}

/// Reads a body. Fields that are not known are told rather than refused: official clients let their callers add any
/// (`extra_body`). A misspelt name is refused: it stands for a field that has an effect, as do those that only the operator
/// may set.
///
/// # Errors
/// Naming the first field that is wrong.
pub fn parse<T: ContractRequest>(body: &[u8]) -> Result<ParsedRequest<T>, RequestRefusal> {
    let mut from = strict::object(body)?;
    let request = T::take(&mut from)?;
    let ignored = from.ignored()?;
    Ok(ParsedRequest { request, ignored })
}

#[cfg(test)]
mod tests {
    use super::super::MarkdownRequest;
    use super::*;

    #[test]
    fn a_field_that_is_not_known_is_told_and_a_misspelt_one_is_refused() {
        let parsed = parse::<MarkdownRequest>(br#"{"url": "https://a.example/", "team": 7, "trace": null}"#);
        assert_eq!(parsed.unwrap().ignored, ["team"]);
        let refusal =
            parse::<MarkdownRequest>(br#"{"url": "https://a.example/", "contnet": "full"}"#).unwrap_err();
        assert_eq!(refusal.text(), "contnet: is not known; did you mean content?");
    }
}
