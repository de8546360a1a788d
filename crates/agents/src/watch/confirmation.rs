//! Confirmation of a change by a second reading: what differs between two readings at one time is noise, such as
//! advertisements, counters and tokens that no rule knows.

use std::ops::Range;

use super::alignment::{Gap, gaps};
use super::hunks::{Hunk, content_hunks};

/// Most words of two blocks that are aligned, apart from what both begin and end with.
const MAX_WORDS: usize = 600;
/// Words that a varying part of a block may have more than in the two readings.
const SPARE: usize = 2;

/// Leaves out of the differences between `old` and `new` those that also differ between `new` and `again`. `is_shown` says
/// whether both pages show a block, wherever that is.
pub(super) fn leave_out_unconfirmed(
    hunks: &mut [Hunk],
    old: &[String],
    new: &[String],
    again: &[String],
    is_shown: impl Fn(&str) -> bool,
) {
    let mut varying = content_hunks(new, again);
    for part in &mut varying {
        part.removed.retain(|at| !is_shown(&new[*at]));
        part.added.retain(|at| !is_shown(&again[*at]));
    }
    varying.retain(|part| !part.removed.is_empty() || !part.added.is_empty());
    varying.extend(varying_lists(&varying, new));
    let mut is_new = vec![false; new.len()];
    for at in hunks.iter().flat_map(|hunk| hunk.gap.new.clone()) {
        is_new[at] = true;
    }
    for hunk in hunks {
        let beside: Vec<&Hunk> = varying
            .iter()
            .filter(|part| touch(&part.gap.old, &hunk.gap.new))
            .collect();
        if beside.is_empty() {
            continue;
        }
        let room: usize = beside.iter().map(|part| free(part, &is_new)).sum();
        // What an earlier reading has left out took a part of it.
        let room = room.saturating_sub(hunk.matched);
        confirm(hunk, &beside, room, old, new, again);
    }
}

/// How many blocks of the earlier text may have stood in a varying place: as many as it has, less those that the earlier
/// text had there, too. `is_new` says of each block of the later text that it had no such counterpart.
fn free(part: &Hunk, is_new: &[bool]) -> usize {
    let known = part.removed.iter().filter(|at| !is_new[**at]).count();
    part.removed.len().max(part.added.len()).saturating_sub(known)
}

/// Lists of which most entries differ: each reading has a choice of many, so that the rest is there by chance.
fn varying_lists(varying: &[Hunk], new: &[String]) -> Vec<Hunk> {
    let is_entry = |text: &String| text.starts_with("- ") || text.starts_with("* ") || text.starts_with("1.");
    let mut lists = Vec::new();
    let mut from = 0;
    while from < new.len() {
        let length = new[from..].iter().take_while(|text| is_entry(text)).count();
        let list = from..from + length;
        let differing: usize = varying
            .iter()
            .filter(|part| lies_in(&part.gap.old, &list))
            .map(|part| part.removed.len().max(part.added.len()))
            .sum();
        if length > 1 && differing * 2 >= length {
            lists.push(Hunk::of(list.clone()));
        }
        from += length.max(1);
    }
    lists
}

fn confirm(
    hunk: &mut Hunk,
    beside: &[&Hunk],
    mut room: usize,
    old: &[String],
    new: &[String],
    again: &[String],
) {
    let mut kept = Vec::new();
    let mut is_template_left = false;
    for at in std::mem::take(&mut hunk.added) {
        // An entry that the second reading has as well, and that an earlier one said in other words, was edited: chance chooses
        // whole entries.
        let is_edit = || {
            hunk.removed
                .iter()
                .any(|before| is_alike(&new[at], &old[*before]))
        };
        if again.contains(&new[at]) && is_edit() {
            is_template_left = true;
            kept.push(at);
            continue;
        }
        let Some(part) = beside.iter().find(|part| part.removed.contains(&at)) else {
            kept.push(at);
            continue;
        };
        let twin = part
            .added
            .iter()
            .max_by_key(|other| shared(&new[at], &again[**other]));
        let twin = twin.map(|other| again[*other].as_str());
        let former = (0..hunk.removed.len())
            .filter(|place| is_noise(&old[hunk.removed[*place]], &new[at], twin))
            .max_by_key(|place| resemblance(&old[hunk.removed[*place]], &new[at]));
        match former {
            Some(former) => {
                hunk.removed.remove(former);
                hunk.matched += 1;
                room = room.saturating_sub(1);
            }
            None if twin.is_some_and(|twin| is_alike(&new[at], twin)) => {
                is_template_left = true;
                kept.push(at);
            }
            None => {}
        }
    }
    hunk.added = kept;
    if !is_template_left && hunk.removed.len() <= room && hunk.added.is_empty() {
        hunk.removed.clear();
    }
}

/// Whether what differs is a part of a list: blocks of the list, or a place in or at the ends of the list where other blocks
/// stand in another reading.
fn lies_in(part: &Range<usize>, list: &Range<usize>) -> bool {
    match part.is_empty() {
        true => touch(part, list),
        false => part.start < list.end && list.start < part.end,
    }
}

fn touch(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn differing(gaps: &[Gap]) -> usize {
    gaps.iter().map(|gap| gap.old.len()).sum()
}

/// How many words two blocks have in common, in order.
fn shared(one: &str, other: &str) -> usize {
    let (one, other) = (words(one), words(other));
    one.len() - differing(&gaps(&one, &other, MAX_WORDS))
}

/// How much two blocks look like texts for one place, whatever they say: by their signs, their links and their length.
fn resemblance(one: &str, other: &str) -> usize {
    /// What the signs, and the hosts of links, are worth beside the length.
    const SIGNS: usize = 100;
    let lead = |text: &str| {
        text.chars()
            .find(|c| !c.is_whitespace())
            .filter(|c| !c.is_alphanumeric())
    };
    let hosts = |text: &str| -> Vec<String> {
        let links = text.split("](").skip(1);
        links
            .filter_map(|link| link.split('/').nth(2))
            .map(str::to_owned)
            .collect()
    };
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    let length = SIGNS * shorter / longer.max(1);
    let signs = SIGNS * usize::from(lead(one) == lead(other));
    length + signs + SIGNS * usize::from(hosts(one) == hosts(other))
}

/// Whether at least half of the words of two readings are the same: a block of which parts vary, not another block.
fn is_alike(new: &str, again: &str) -> bool {
    shared(new, again) * 2 >= words(new).len().max(words(again).len())
}

/// Whether a block differs from the former one only where it differs from its second reading, too.
pub(super) fn is_noise(old: &str, new: &str, again: Option<&str>) -> bool {
    let Some(again) = again.filter(|again| is_alike(new, again)) else {
        return true;
    };
    let (old, new, again) = (words(old), words(new), words(again));
    let varying = gaps(&new, &again, MAX_WORDS);
    gaps(&old, &new, MAX_WORDS).iter().all(|gap| {
        varying.iter().any(|part| {
            let is_within = part.old.start <= gap.new.start && gap.new.end <= part.old.end;
            is_within && gap.old.len() <= part.old.len().max(part.new.len()) + SPARE
        })
    })
}

#[cfg(test)]
mod tests {
    use wire::monitors::ContentChange;

    use crate::watch::blocks::compare;
    use crate::watch::contents::Volatility;

    fn change(before: &[&str], after: &[&str], again: &[&str]) -> Option<ContentChange> {
        let text =
            |blocks: &[&str]| -> Vec<String> { blocks.iter().map(|block| (*block).to_owned()).collect() };
        compare(
            (&text(before), None),
            (&text(after), None),
            &[(&text(again), None)],
            &Volatility::new(),
        )
        .change
    }

    #[test]
    fn an_entry_that_is_added_behind_an_advertisement_is_told() {
        let (one, two, three) = ("Sleep well in Norway", "Winter tyres for you", "Invest one euro");
        let before = ["# Pumps", one, "- Loud pump", "It hums."];
        let after = |advertisement: &'static str| {
            [
                "# Pumps",
                advertisement,
                "- Loud pump",
                "- Small pump",
                "It hums.",
            ]
        };
        let told = change(&before, &after(two), &after(three));
        assert!(
            matches!(&told, Some(ContentChange::Text { added, .. }) if *added == ["- Small pump"]),
            "{told:?}"
        );
    }

    #[test]
    fn what_a_second_reading_does_not_confirm_is_noise_and_an_edit_beside_it_is_told() {
        let page = |advertisement: &'static str, price: &'static str| {
            ["# Shop", "Kettle", advertisement, price, "End"]
        };
        let (one, two, three) = ("Sleep well in Norway", "Winter tyres for you", "Invest one euro");
        assert_eq!(
            change(&page(one, "49"), &page(two, "49"), &page(three, "49")),
            None
        );
        let told = change(&page(one, "49"), &page(two, "39"), &page(three, "39"));
        let Some(ContentChange::Text {
            added,
            removed,
            changed,
        }) = told
        else {
            panic!("a change");
        };
        assert_eq!((added.len(), removed.len(), changed.len()), (0, 0, 1));
        assert_eq!(
            (changed[0].before.as_str(), changed[0].after.as_str()),
            ("49", "39")
        );
        // A place that is empty at times.
        let empty = ["# Shop", "Kettle", "49", "End"];
        assert_eq!(change(&page(one, "49"), &page(two, "49"), &empty), None);
        assert_eq!(change(&empty, &page(two, "49"), &page(three, "49")), None);
        assert_eq!(change(&page(one, "49"), &empty, &page(three, "49")), None);
        // A row that is gone beside such a place.
        assert!(
            change(
                &["# Shop", "Kettle", one, "49", "Pan", "End"],
                &page(two, "49"),
                &page(three, "49")
            )
            .is_some()
        );
        assert!(
            change(
                &["# Shop", "Kettle", "Pan", one, "49", "End"],
                &page(two, "49"),
                &page(three, "49")
            )
            .is_some()
        );
        // A row that is gone beside such a place, which showed the same then.
        assert!(
            change(
                &["# Shop", "Kettle", "Pan", one, "49", "End"],
                &page(one, "49"),
                &page(three, "49")
            )
            .is_some()
        );
        // A list by chance, of which one entry is the same.
        let list =
            |entries: [&'static str; 3]| ["# Shop", "Kettle", entries[0], entries[1], entries[2], "End"];
        assert_eq!(
            change(
                &list(["- mill", "- lamp", "- oven"]),
                &list(["- oven", "- fork", "- cup"]),
                &list(["- cup", "- bowl", "- mill"])
            ),
            None
        );
    }

    #[test]
    fn a_block_with_a_varying_part_is_told_when_the_rest_of_it_changes() {
        let block =
            |price: u32, seen: u32| format!("The kettle costs {price} EUR and {seen} of them are in baskets");
        let told = |one: (u32, u32), two: (u32, u32), three: (u32, u32)| {
            let (one, two, three) = (block(one.0, one.1), block(two.0, two.1), block(three.0, three.1));
            change(&["# Shop", &one], &["# Shop", &two], &["# Shop", &three]).is_some()
        };
        assert!(!told((49, 1), (49, 2), (49, 3)));
        assert!(told((49, 1), (39, 2), (39, 3)));
        assert!(told((49, 1), (39, 1), (39, 1)));
    }
}
