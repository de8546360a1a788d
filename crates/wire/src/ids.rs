//! Names of runs and of questions to a person: unguessable when ours, strict in shape when a client's.

use std::fmt;

use data_encoding::HEXLOWER;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an id may look like: 8 to 64 of `[A-Za-z0-9_-]`, beginning with a letter or digit. Such an id is safe
/// in a path, a file name, a subject and a log line.
pub const PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_-]{7,63}$";

/// A text that is no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is 8 to 64 letters, digits, '-' or '_', beginning with a letter or digit")]
pub struct InvalidId;

fn is_id(text: &str) -> bool {
    (8..=64).contains(&text.len())
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_')
        && text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
}

fn spell(prefix: &str, random: [u8; 16]) -> String {
    format!("{prefix}{}", HEXLOWER.encode_display(&random))
}

macro_rules! id {
    ($name:ident, $prefix:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(extend("pattern" = PATTERN))]
        pub struct $name(String);

        impl $name {
            /// A new id from 128 random bits; the caller brings the randomness.
            #[must_use]
            pub fn from_random(random: [u8; 16]) -> Self {
                Self(spell($prefix, random))
            }

            /// Accepts a text of the right shape.
            ///
            /// # Errors
            /// When the shape is wrong.
            pub fn parse(text: &str) -> Result<Self, InvalidId> {
                if is_id(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(InvalidId)
                }
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                if is_id(&text) {
                    Ok(Self(text))
                } else {
                    Err(InvalidId)
                }
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

id!(
    RunId,
    "run_",
    "Names a run. Scrape clients know it as `session_id` and may choose it."
);
id!(
    RequestId,
    "req_",
    "Names one question to a person; whoever holds it may answer once."
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_safe_wherever_it_is_put() {
        let long = "a".repeat(65);
        for bad in [
            "",
            "short",
            "../../etc/passwd",
            "run 12345678",
            "run_1234567é",
            "-12345678",
            "a.b.c.d.e.f",
            long.as_str(),
        ] {
            assert_eq!(RunId::parse(bad), Err(InvalidId), "{bad:?}");
            assert!(
                serde_json::from_value::<RequestId>(bad.into()).is_err(),
                "{bad:?}"
            );
        }
        assert_eq!(
            RunId::parse("rq_12345").map(String::from),
            Ok("rq_12345".to_owned())
        );
    }

    #[test]
    fn a_new_id_spells_all_its_randomness() {
        let id = RunId::from_random(*b"0123456789abcdef");
        assert_eq!(id.as_str(), "run_30313233343536373839616263646566");
        assert_eq!(RunId::parse(id.as_str()), Ok(id));
    }
}
