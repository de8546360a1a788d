//! A number as JSON means it: always finite, whole values without a fraction.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The largest magnitude below which every whole `f64` is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A finite number. `Num::new(3.0)` is written `3`, as JavaScript would; NaN and infinity cannot be held,
/// because one of them in a stream ends it for every JavaScript client.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd, JsonSchema)]
#[schemars(transparent)]
pub struct Num(f64);

impl Num {
    /// Wraps a value; what is not finite becomes 0.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Self(if value.is_finite() { value + 0.0 } else { 0.0 })
    }

    /// A value counted in hundredths, written without float noise (`15` is 0.15).
    #[must_use]
    pub fn hundredths(value: i64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "sums of rewards stay far below 2^53")]
        Self::new(value as f64 / 100.0)
    }

    /// The value.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl From<u32> for Num {
    fn from(value: u32) -> Self {
        Self(f64::from(value))
    }
}

impl fmt::Debug for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
            return to.serialize_i64(self.0 as i64);
        }
        to.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(from)?;
        if value.is_finite() {
            Ok(Self::new(value))
        } else {
            Err(D::Error::custom("number is not finite"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_has_no_fraction_and_none_is_infinite() {
        let cases = [
            (3.0, "3"),
            (-0.0, "0"),
            (0.15, "0.15"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
            (1e300, "1e+300"),
            (-2.5, "-2.5"),
        ];
        for (value, text) in cases {
            assert_eq!(serde_json::to_string(&Num::new(value)).unwrap(), text);
        }
        assert_eq!(serde_json::from_str::<Num>("3").unwrap(), Num::new(3.0));
        assert_eq!(
            serde_json::to_string(&Num::hundredths(15 + 10 + 5)).unwrap(),
            "0.3"
        );
    }
}
