//! `GeoTarget`: the country that a page is seen from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::strict::{Fields, RequestRefusal};

/// Which part of the world a page should be seen from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GeoTarget {
    /// ISO 3166-1 alpha-2.
    #[schemars(pattern(r"^[A-Za-z]{2}$"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

impl GeoTarget {
    /// Takes it out of a request. A field that is not known is refused, since it would change nothing.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub(crate) fn take(from: &mut Fields) -> Result<Option<Self>, RequestRefusal> {
        let Some(mut target) = from.object("geo_target")? else {
            return Ok(None);
        };
        let read = Self::read(&mut target)?;
        target.refuse_others()?;
        Ok(Some(read))
    }

    /// Takes it out of a request of the contract, whose unknown fields are told rather than refused.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub(crate) fn take_of_contract(from: &mut Fields) -> Result<Option<Self>, RequestRefusal> {
        let Some(mut target) = from.object("geo_target")? else {
            return Ok(None);
        };
        let read = Self::read(&mut target)?;
        from.ignore_rest_of(&target)?;
        Ok(Some(read))
    }

    fn read(target: &mut Fields) -> Result<Self, RequestRefusal> {
        let country = target.text("country", 2)?;
        match country {
            Some(code) if code.len() == 2 && code.bytes().all(|it| it.is_ascii_alphabetic()) => Ok(Self {
                country: Some(code.to_ascii_uppercase()),
            }),
            Some(_) => Err(target.refusal("country", "must be two letters (ISO 3166-1 alpha-2)")),
            None => Ok(Self::default()),
        }
    }
}
