//! Distances from somewhere: "within 2 km of the centre", "less than 300 yards from the beach".

use tools::words::concepts;

locale::patterns! {
    /// What a distance is from.
    static AWAY = r"(?i)^\s*(?:of\s+(?:the|my|our|a|an|(?-i:\p{Lu})\p{L}*)|away|from|vom|von|zum|zur|bis|entfernt|weg|ode?|do|to)\b";
    static METRES = r"(?i)^(?:m|met(?:re|er|r)(?:s|y|ów|a|n)?)$";
    static YARDS = r"(?i)^(?:yards?|yds?)$";
    static FEET = r"(?i)^(?:feet|ft)$";
    static MILES = r"(?i)^(?:mi|miles?|mil[ei]?|meilen?)$";
}

/// The field that an amount of a unit is of, where what stands behind says from where it is.
pub(super) fn field(unit: &str, after: &str) -> Option<&'static str> {
    if !AWAY.is_match(after) {
        return None;
    }
    if METRES.is_match(unit) {
        return Some("distance in m");
    }
    if YARDS.is_match(unit) {
        return Some("distance in yards");
    }
    if FEET.is_match(unit) {
        return Some("distance in feet");
    }
    if MILES.is_match(unit) {
        return Some("distance in miles");
    }
    (concepts::field(unit) == Some("mileage")).then_some("distance in km")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_from_somewhere_and_a_mileage_is_not() {
        assert_eq!(field("km", " vom Zentrum"), Some("distance in km"));
        assert_eq!(field("miles", " of the beach"), Some("distance in miles"));
        assert_eq!(field("m", " to the beach"), Some("distance in m"));
        assert_eq!(field("miles", " of Leeds"), Some("distance in miles"));
        assert_eq!(field("km", " of slopes"), None);
        assert_eq!(field("km", ""), None);
        assert_eq!(field("euros", " from the shop"), None);
    }
}
