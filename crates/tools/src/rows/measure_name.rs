//! The names of measures: what conditions and orders are about where it is no column.
//!
//! A name is what is measured, and may have units behind it: `noise`, `weight in kg`, `height in cm or m`. Of several units, the
//! first that most rows state counts. The day of something is called after it: `date of closing`.

use std::fmt;

/// What stands before the units.
const IN: &str = " in ";
/// What stands between two units.
const OR: &str = " or ";
/// What stands before that of which a day is.
const DATE_OF: &str = "date of ";

/// How long something takes.
pub const DURATION: &str = "duration";
/// How far away something is.
pub const DISTANCE: &str = "distance";
/// The units that distances of places are stated in.
pub const DISTANCE_UNITS: [&str; 3] = ["km", "miles", "m"];

/// The name of a measure. Each text is one, and is written as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureName<'n> {
    /// What is measured.
    pub measured: Measured<'n>,
    /// The units of its amounts; none where the rows may use any.
    pub units: Vec<&'n str>,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured<'n> {
    /// The day of something, which is the `closing` of "date of closing".
    DayOf(&'n str),
    /// Anything else, by its name.
    Named(&'n str),
}

impl<'n> MeasureName<'n> {
    /// Reads a name.
    pub fn parse(name: &'n str) -> MeasureName<'n> {
        let (measured, units) = match name.split_once(IN) {
            Some((measured, units)) => (measured, units.split(OR).collect()),
            None => (name, Vec::new()),
        };
        let day = measured.strip_prefix(DATE_OF).map(Measured::DayOf);
        MeasureName {
            measured: day.unwrap_or(Measured::Named(measured)),
            units,
        }
    }

    /// An amount in one of several units.
    pub fn in_units(measured: &'n str, units: &[&'n str]) -> MeasureName<'n> {
        MeasureName {
            measured: Measured::Named(measured),
            units: units.to_vec(),
        }
    }

    /// The day of something.
    pub fn day_of(event: &'n str) -> MeasureName<'n> {
        MeasureName {
            measured: Measured::DayOf(event),
            units: Vec::new(),
        }
    }

    /// What the day is of: `closing` in "date of closing".
    pub fn event(&self) -> Option<&'n str> {
        match self.measured {
            Measured::DayOf(event) => Some(event),
            Measured::Named(_) => None,
        }
    }

    /// Whether it is an amount of something in units: `duration in minutes` is one of `duration`.
    pub fn is_amount_of(&self, measured: &str) -> bool {
        self.measured == Measured::Named(measured) && !self.units.is_empty()
    }
}

impl fmt::Display for MeasureName<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.measured {
            Measured::DayOf(event) => write!(out, "{DATE_OF}{event}")?,
            Measured::Named(name) => out.write_str(name)?,
        }
        for (at, unit) in self.units.iter().enumerate() {
            write!(out, "{}{unit}", if at == 0 { IN } else { OR })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_by_its_parts() {
        assert_eq!(
            MeasureName::parse("height in cm or m"),
            MeasureName::in_units("height", &["cm", "m"])
        );
        assert_eq!(
            MeasureName::parse("date of closing"),
            MeasureName::day_of("closing")
        );
        assert_eq!(MeasureName::parse("noise"), MeasureName::in_units("noise", &[]));
        assert_eq!(MeasureName::parse("date of closing").event(), Some("closing"));
        assert!(MeasureName::parse("duration in hours").is_amount_of(DURATION));
        assert!(!MeasureName::parse("duration").is_amount_of(DURATION));
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        let parts = ["", "height", " in ", " or ", "date of ", "cm", "in", "or ", "m²"];
        for first in parts {
            for second in parts {
                for third in parts {
                    for fourth in parts {
                        let name = [first, second, third, fourth].concat();
                        let read = MeasureName::parse(&name);
                        assert_eq!(read.to_string(), name);
                        assert_eq!(MeasureName::parse(&read.to_string()), read);
                    }
                }
            }
        }
    }
}
