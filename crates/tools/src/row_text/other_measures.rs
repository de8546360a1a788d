//! What things may be long, large or thick by.

/// How the name of a measure begins by which things are long or short, where nothing says that it is their length.
pub(crate) const DURATION: &str = "duration in ";
/// What rows may be long, large or thick by, where most do not tell the measure whose name begins so.
pub(super) const OTHER_MEASURES: [(&str, &[&str]); 3] = [
    (
        DURATION,
        &[
            "length in km or miles or m or ft or cm",
            "distance in km or miles or m",
        ],
    ),
    ("size in ", &["members", "capacity", "seats", "places"]),
    ("page count", &["thickness", "girth", "diameter"]),
];
/// Labels of the length of a thing.
pub(super) const LENGTHS: [&str; 4] = ["length", "distance", "länge", "długość"];
