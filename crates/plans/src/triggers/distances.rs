//! Distances from somewhere: "within 2 km of the centre", "less than 300 yards from the beach".

use tools::rows::measure_name::{DISTANCE, MeasureName};
use tools::words::concepts;

locale::patterns! {
    /// What a distance is from.
    static AWAY = r"(?i)^\s*(?:of\s+(?:the|my|our|a|an|(?-i:\p{Lu})\p{L}*)|away|from|vom|von|zum|zur|bis|entfernt|weg|ode?|do|to)\b";
    /// The centre of a place, and what says that something is away from it.
    static FROM_CENTRE = r"(?i)^\s*(?:of|from|to|away\s+from|vom|von(?:\s+der)?|zum|zur|od|do)\s+(?:the\s+)?(?:(?:city|town|village)\s+)?(?:centre|center|downtown|(?:stadt|orts)?zentrum|stadtmitte|innenstadt|centrum(?:\s+miasta)?)\b(?:\s+(?:entfernt|weg|away))?";
    /// What leads to the place from which a distance is.
    static FROM = r"(?i)^\s*(?:of|from|to|away\s+from|vom|von|zum|zur|od|do)\s+(?:the\s+|der\s+)?\p{L}{3,}";
    static METRES = r"(?i)^(?:m|met(?:re|er|r)(?:s|y|ów|a|n)?)$";
    static YARDS = r"(?i)^(?:yards?|yds?)$";
    static FEET = r"(?i)^(?:feet|ft)$";
    static MILES = r"(?i)^(?:mi|miles?|mil[ei]?|meilen?)$";
}

/// How much of what stands behind a distance says that it is one from the centre of the place, which lists mean where they say
/// nothing else: "from the city centre", "vom Zentrum entfernt".
pub(super) fn from_centre(after: &str) -> usize {
    FROM_CENTRE.find(after).map_or(0, |found| found.end())
}

/// Whether what stands behind a distance within the text of an entry says that it is from somewhere else than the centre: "from the
/// beach".
pub(super) fn is_elsewhere(after: &str) -> bool {
    FROM.is_match(after) && from_centre(after) == 0
}

/// The distance that an amount of a unit is of, where what stands behind says from where it is.
pub(super) fn distance(unit: &str, after: &str) -> Option<MeasureName<'static>> {
    if !AWAY.is_match(after) {
        return None;
    }
    let units = [
        (&METRES, "m"),
        (&YARDS, "yards"),
        (&FEET, "feet"),
        (&MILES, "miles"),
    ];
    let known = units.iter().find(|(pattern, _)| pattern.is_match(unit));
    let known = known.map(|(_, name)| *name);
    let name = known.or_else(|| (concepts::field(unit) == Some("mileage")).then_some("km"))?;
    Some(MeasureName::in_units(DISTANCE, &[name]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_from_somewhere_and_a_mileage_is_not() {
        let field = |unit, after| distance(unit, after).map(|name| name.to_string());
        assert_eq!(field("km", " vom Zentrum"), Some("distance in km".to_owned()));
        assert_eq!(
            field("miles", " of the beach"),
            Some("distance in miles".to_owned())
        );
        assert_eq!(field("m", " to the beach"), Some("distance in m".to_owned()));
        assert_eq!(field("miles", " of Leeds"), Some("distance in miles".to_owned()));
        assert_eq!(field("km", " of slopes"), None);
        assert_eq!(
            from_centre(" vom Zentrum entfernt?"),
            " vom Zentrum entfernt".len()
        );
        assert_eq!(from_centre(" from the beach"), 0);
        assert_eq!(field("km", ""), None);
        assert_eq!(field("euros", " from the shop"), None);
    }
}
