//! Suggestions for a misspelled tool name.

use locale::edit_distance;

/// `; did you mean a or b?` with the ids nearest to `name`, or a hint how to list all tools.
pub(super) fn hint<'n>(name: &str, ids: impl Iterator<Item = &'n String>) -> String {
    let mut ranked: Vec<(usize, &str)> = ids.map(|id| (id_distance(name, id), id.as_str())).collect();
    ranked.sort();
    let best = ranked.first().map_or(0, |(distance, _)| *distance);
    // Of a short name half of the letters make another word.
    let limit = (name.chars().count().min(80) / 3).min(best + 1).max(1);
    let suggestions: Vec<&str> = ranked
        .iter()
        .take_while(|(distance, _)| *distance <= limit)
        .take(3)
        .map(|(_, id)| *id)
        .collect();
    match suggestions.as_slice() {
        [] => "; `huntsman tools list` shows all".to_owned(),
        suggestions => format!("; did you mean {}?", suggestions.join(" or ")),
    }
}

/// The distance of a name to an id. A right name in a wrong category is nearer than a wrong name in a right one.
fn id_distance(name: &str, id: &str) -> usize {
    let tail = |id: &str| id.rsplit('.').next().unwrap_or_default().to_owned();
    edit_distance(name, id).min(edit_distance(&tail(name), &tail(id)) + usize::from(name.contains('.')))
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn a_misspelled_tool_is_suggested_whole_or_by_its_last_part() {
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
        let typing = ["browser.type".to_owned()];
        assert!(hint("nope", typing.iter()).contains("tools list"));
        assert!(hint("typ", typing.iter()).contains("browser.type"));
    }
}
