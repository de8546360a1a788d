//! What things may be long, large or thick by.

use crate::rows::measure_name::DISTANCE;

/// How far away things are, in the units that places are told in.
pub(super) const DISTANCE_IN_UNITS: &str = "distance in km or miles or m";
/// What rows may be long, large or thick by, where most do not tell the measure whose name begins so.
pub(super) const OTHER_MEASURES: [(&str, &[&str]); 4] = [
    (
        "duration in ",
        &["length in km or miles or m or ft or cm", DISTANCE_IN_UNITS],
    ),
    ("size in ", &["members", "capacity", "seats", "places"]),
    (DISTANCE, &[DISTANCE_IN_UNITS]),
    ("page count", &["thickness", "girth", "diameter"]),
];
/// Labels of the length of a thing.
pub(super) const LENGTHS: [&str; 4] = ["length", "distance", "länge", "długość"];
