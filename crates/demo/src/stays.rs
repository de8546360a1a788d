//! Rooms with the days they are free, which the date fields of the site filter.

/// One room with the days it is free, both ends included, as ISO dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stay {
    /// Its name.
    pub name: &'static str,
    /// The first free day.
    pub from: &'static str,
    /// The last free day.
    pub until: &'static str,
}

/// All rooms.
pub const ALL: [Stay; 8] = [
    stay("Attic room", "2027-03-01", "2027-03-20"),
    stay("Blue room", "2027-03-10", "2027-04-30"),
    stay("Cabin by the lake", "2027-05-01", "2027-08-31"),
    stay("Forge house", "2027-03-12", "2027-03-19"),
    stay("Garden flat", "2027-01-01", "2027-12-31"),
    stay("Mill", "2027-04-05", "2027-04-25"),
    stay("Tower room", "2027-03-18", "2027-06-02"),
    stay("Winter hut", "2026-11-01", "2027-02-28"),
];

const fn stay(name: &'static str, from: &'static str, until: &'static str) -> Stay {
    Stay { name, from, until }
}

/// The rooms that are free on all days of a span; the second day is the first when absent.
pub fn free(start: &str, end: Option<&str>) -> Vec<Stay> {
    let end = end.unwrap_or(start);
    ALL.into_iter()
        .filter(|stay| stay.from <= start && end <= stay.until)
        .collect()
}
