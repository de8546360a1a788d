//! Recipes: lines that begin with an amount in a measure of the kitchen.

use std::collections::HashSet;

use super::short_lines;
use crate::rules::visible_page::VisiblePage;

locale::patterns! {
    /// An amount and a measure at the beginning of a line: a measure of any trade, or one of the household.
    static AMOUNT = r"(?i)^\W*(?:\d+(?:[.,/⁄]\d+)?(?: ?[½¼¾⅓⅔]| \d[/⁄]\d)?(?: ?[-–] ?\d+)?|[½¼¾⅓⅔]|half an?|an?|eine?)\s*(?:level |heaped |rounded |large |small |scant |gestr\w*\.? |geh\w*\.? |große |kleine )?(?:(g|kg|ml|cl|dl|l|oz|lbs?|pounds?|ounces?)|(tsps?|tbsps?|tbs|teaspoons?|tablespoons?|cups?|pinch(?:es)?|dash(?:es)?|cloves?|sticks?|sprigs?|bunch(?:es)?|handfuls?|knobs?|el|tl|prisen?|msp|zehen?|bund|würfel|becher|päckchen|esslöffel|teelöffel|tassen?|łyż\w+|szklank\w+|szczypt\w+|ząbk\w+|garść|cuill\w+|gousses?|pincée|sachets?|cucharad\w+|cdas?|cditas?|dientes?|pizca|tazas?|cucchiai\w*|spicchi\w*|eetlepels?|theelepels?))\b";
}

/// Fewest lines with an amount; more than the most are those of several recipes.
const LEAST: usize = 4;
const MOST: usize = 60;

/// Whether a page lists ingredients: amounts in several measures, one of them of the household, which a shop has not. Of 1,713
/// saved pages this makes recipes of three that were known as something else; one of them tells how to mix a spray for a garden.
pub(in crate::rules) fn has_ingredients(view: &VisiblePage<'_>) -> bool {
    let (mut lines, mut of_household, mut measures) = (0, 0, HashSet::new());
    for line in short_lines(view) {
        let Some(amount) = AMOUNT.captures(line.text) else {
            continue;
        };
        lines += 1;
        of_household += usize::from(amount.get(2).is_some());
        let measure = amount.get(1).or(amount.get(2)).map_or("", |found| found.as_str());
        measures.insert(measure.to_lowercase().trim_end_matches('s').to_owned());
    }
    (LEAST..=MOST).contains(&lines) && of_household >= 1 && measures.len() >= 2
}
