//! Which known name did somebody mean?

/// Longest name that is compared, in characters.
const LONGEST: usize = 80;

/// `; did you mean a or b?` for the known names that are nearest, else a way to see them all.
pub(crate) fn hint<'n>(name: &str, known: impl Iterator<Item = &'n String>) -> String {
    let mut ranked: Vec<(usize, &str)> = known.map(|it| (distance_of(name, it), it.as_str())).collect();
    ranked.sort();
    let best = ranked.first().map_or(0, |(it, _)| *it);
    let far = (name.chars().count().min(LONGEST) / 2).min(best + 1);
    let near: Vec<&str> = ranked
        .iter()
        .take_while(|(it, _)| *it <= far.max(2))
        .take(3)
        .map(|(_, it)| *it)
        .collect();
    match near.as_slice() {
        [] => "; `huntsman tools list` shows all".to_owned(),
        near => format!("; did you mean {}?", near.join(" or ")),
    }
}

/// The nearest of some words, when it is near enough to be a slip.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let far = name.chars().count().min(LONGEST) / 2;
    known
        .map(|it| (distance(name, it), it))
        .filter(|(it, _)| *it <= far.max(1))
        .min()
        .map(|(_, it)| it)
}

/// The distance to an id, or to its part behind the dot when that is nearer and the name has no dot.
fn distance_of(name: &str, id: &str) -> usize {
    let whole = distance(name, id);
    let tail = |it: &str| it.rsplit('.').next().unwrap_or_default().to_owned();
    // A right name in a wrong category is nearer than a wrong name in a right one.
    whole.min(distance(&tail(name), &tail(id)) + usize::from(name.contains('.')))
}

/// Letters to add, drop or change, to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for (at, there) in other
        .chars()
        .take(LONGEST)
        .flat_map(char::to_lowercase)
        .enumerate()
    {
        let mut corner = at;
        let mut left = at + 1;
        let mut next = vec![left];
        for (here, above) in one.iter().zip(row.iter().skip(1)) {
            let changed = corner + usize::from(*here != there);
            left = changed.min(left + 1).min(above + 1);
            corner = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_with_the_fewest_changes() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        let known = [
            "forms.price_filter".to_owned(),
            "html.select".to_owned(),
            "html.select_one".to_owned(),
        ];
        assert_eq!(
            hint("form.price_filter", known.iter()),
            "; did you mean forms.price_filter?"
        );
        assert_eq!(
            hint("price_filer", known.iter()),
            "; did you mean forms.price_filter?"
        );
        assert!(hint("zzz.qqqqqqqqqqq", known.iter()).contains("tools list"));
        assert_eq!(
            nearest("max_prise", ["max_price", "limit"].into_iter()),
            Some("max_price")
        );
    }
}
