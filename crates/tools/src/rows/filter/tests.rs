//! Filters over rows of invented lists.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::rows::row_texts::RowTexts;

#[rustfmt::skip]
const OPERATORS: [Operator; 18] = [
    Operator::Less, Operator::AtMost, Operator::More, Operator::AtLeast, Operator::Equal, Operator::NotEqual,
    Operator::Contains, Operator::NotContains, Operator::StartsWith, Operator::NotStartsWith, Operator::EndsWith,
    Operator::NotEndsWith, Operator::Present, Operator::Absent, Operator::InStock, Operator::NotInStock,
    Operator::Mentions, Operator::NotMentions,
];

fn rows() -> impl Strategy<Value = Vec<Value>> {
    let price = proptest::option::of(0u32..5);
    let colour = proptest::option::of("(red|blue|dark red)");
    let stock = proptest::option::of("(InStock|OutOfStock|perhaps)");
    let row = ("(lamp|red lamp|cable)", price, colour, stock).prop_map(|(name, price, colour, stock)| {
        json!({"name": name, "price": price, "colour": colour, "availability": stock})
    });
    proptest::collection::vec(row, 0..8).prop_map(|mut rows| {
        for (at, row) in rows.iter_mut().enumerate() {
            row["id"] = at.into();
        }
        rows
    })
}

fn condition() -> impl Strategy<Value = RowCondition> {
    let number = (Just("price"), 0usize..6, (0u32..5).prop_map(Value::from));
    let text = (
        proptest::sample::select(vec!["name", "colour"]),
        4usize..14,
        proptest::sample::select(vec!["red", "blue", "lamp"]).prop_map(Value::from),
    );
    let stock = (Just("availability"), 14usize..16, Just(Value::Null));
    let words = (
        Just(ANY_FIELD),
        16usize..18,
        proptest::sample::select(vec![
            json!("red"),
            json!("lamps"),
            json!(["red", "blue"]),
            json!(["red", "lamp"]),
        ]),
    );
    prop_oneof![number, text, stock, words].prop_map(|(field, operator, value)| RowCondition {
        field: field.to_owned(),
        operator: OPERATORS[operator],
        value,
    })
}

fn ids(rows: &[Value]) -> Vec<u64> {
    rows.iter().filter_map(|row| row["id"].as_u64()).collect()
}

proptest! {
    /// What meets a condition and what meets its negation have no row in common, and are all rows that decide it.
    #[test]
    fn a_condition_and_its_negation_part_the_rows(rows in rows(), condition in condition()) {
        let negated = RowCondition { operator: condition.operator.negated(), ..condition.clone() };
        let source = RowSource::default();
        let met = filter(rows.clone(), std::slice::from_ref(&condition), &[], &source);
        let unmet = filter(rows.clone(), std::slice::from_ref(&negated), &[], &source);
        // Things that are never together are read as alternatives, which is noted; their negation denies both at once.
        let mut notes = met.not_applied.iter().chain(&unmet.not_applied);
        prop_assume!(!notes.any(|reason| reason.contains("one of them")));
        prop_assert_eq!(met.not_applied.is_empty(), unmet.not_applied.is_empty());
        if met.not_applied.is_empty() {
            prop_assert_eq!(met.undecided, unmet.undecided);
            let mut both = [ids(&met.rows), ids(&unmet.rows)].concat();
            both.sort_unstable();
            prop_assert_eq!(both.len() + met.undecided, rows.len());
            both.dedup();
            prop_assert_eq!(both.len() + met.undecided, rows.len());
        } else {
            prop_assert_eq!(ids(&met.rows), ids(&rows));
        }
    }

    /// Alternatives keep what either condition keeps.
    #[test]
    fn alternatives_keep_what_each_keeps(rows in rows(), one in condition(), other in condition()) {
        let source = RowSource::default();
        let either = filter(rows.clone(), &[], &[vec![one.clone(), other.clone()]], &source);
        if either.not_applied.is_empty() {
            let of = |condition| ids(&filter(rows.clone(), &[condition], &[], &source).rows);
            let mut wanted = [of(one), of(other)].concat();
            wanted.sort_unstable();
            wanted.dedup();
            prop_assert_eq!(ids(&either.rows), wanted);
        }
    }
}

#[test]
fn words_of_one_field_are_alternatives_and_words_of_several_are_not() {
    let rows = vec![
        json!({"name": "Kettle", "brand": "Acme", "colour": "red"}),
        json!({"name": "Kettle", "brand": "Bolt", "colour": "blue"}),
        json!({"name": "Lamp", "brand": "Acme", "colour": "blue"}),
    ];
    let kept = |value: Value| {
        let condition = RowCondition {
            field: ANY_FIELD.into(),
            operator: Operator::Mentions,
            value,
        };
        filter(rows.clone(), &[condition], &[], &RowSource::default())
            .rows
            .len()
    };
    assert_eq!(kept(json!(["acme", "bolt"])), 3);
    assert_eq!(kept(json!(["acme", "blue"])), 1);
    assert_eq!(kept(json!(["kettle", "lamp"])), 3);
    assert_eq!(kept(json!("kettles")), 2);
}

#[test]
fn what_is_not_sold_out_need_not_say_that_it_can_be_had() {
    let rows = vec![
        json!({"name": "A", "availability": "InStock"}),
        json!({"name": "B", "availability": "OutOfStock"}),
        json!({"name": "C"}),
    ];
    let kept = |value: Value| {
        let condition = RowCondition {
            field: "availability".into(),
            operator: Operator::InStock,
            value,
        };
        filter(rows.clone(), &[condition], &[], &RowSource::default())
            .rows
            .len()
    };
    assert_eq!((kept(Value::Null), kept(json!(true))), (1, 2));
}

#[test]
fn a_kind_that_few_names_have_is_told_where_it_leaves_no_row() {
    let rows = vec![
        json!({"name": "Easter concert", "place": "church"}),
        json!({"name": "Carmina Burana", "place": "hall"}),
        json!({"name": "Jazz under the stars", "place": "park"}),
    ];
    let word = |word: &str| RowCondition {
        field: ANY_FIELD.into(),
        operator: Operator::Mentions,
        value: word.into(),
    };
    let found = filter(
        rows,
        &[word("concerts"), word("park")],
        &[],
        &RowSource::default(),
    );
    assert_eq!(found.rows.len(), 1, "{found:?}");
    assert_eq!(
        (found.applied.len(), found.not_applied.len()),
        (1, 1),
        "{found:?}"
    );
}

#[test]
fn entries_are_on_the_day_of_their_field_where_their_texts_leave_the_year_out() {
    let shows = [("Quartett", "06"), ("Requiem", "08"), ("Feuertanz", "20")];
    let mut texts = RowTexts::default();
    let rows: Vec<Value> = shows
        .iter()
        .map(|(name, day)| {
            let text = format!("Sa., {day}.11., 19:00 Uhr {name} Jazz\nsection: November 2025");
            texts.keep(Some(name), None, &text);
            json!({"name": name, "date": format!("2025-11-{day}T19:00")})
        })
        .collect();
    let source = RowSource {
        texts,
        now: jiff::civil::date(2026, 11, 30).at(12, 0, 0, 0),
        ..RowSource::default()
    };
    let bound = |operator, day: &str| RowCondition {
        field: "date".into(),
        operator,
        value: day.into(),
    };
    let between = |from: &str, to: &str| {
        let bounds = [bound(Operator::AtLeast, from), bound(Operator::AtMost, to)];
        let found = filter(rows.clone(), &bounds, &[], &source);
        let names = found.rows.iter().filter_map(|row| row.get("name")?.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(between("8 november 2025", "8 november 2025"), "Requiem");
    assert_eq!(between("8 november", "8 november"), "Requiem");
    assert_eq!(between("1 november", "12 november"), "Quartett, Requiem");
}

#[test]
fn yesterday_is_the_day_before_that_of_a_page_which_says_both() {
    let posts = [
        ("Ferry", "2025-05-15", "3 hours ago"),
        ("Mud", "2025-05-14", "Yesterday"),
        ("Pie", "2025-05-14", "Yesterday"),
        ("Keys", "2025-05-12", "12 May 2025"),
    ];
    let mut texts = RowTexts::default();
    let rows: Vec<Value> = posts
        .iter()
        .map(|(name, day, said)| {
            texts.keep(Some(name), None, &format!("{name} {said}"));
            json!({"name": name, "date": day})
        })
        .collect();
    let mut source = RowSource {
        texts,
        now: jiff::civil::date(2026, 11, 30).at(12, 0, 0, 0),
        ..RowSource::default()
    };
    source.count_from_present_of(&rows);
    let on = |day: &str| {
        let bound = |operator| RowCondition {
            field: "date".into(),
            operator,
            value: day.into(),
        };
        let bounds = [bound(Operator::AtLeast), bound(Operator::AtMost)];
        let found = filter(rows.clone(), &bounds, &[], &source);
        let names = found.rows.iter().filter_map(|row| row.get("name")?.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(on("today"), "Ferry");
    assert_eq!(on("yesterday"), "Mud, Pie");
}

#[test]
fn what_one_entry_speaks_of_is_no_name_of_the_others() {
    let mut texts = RowTexts::default();
    texts.keep(Some("Gift card"), None, "Gift card for 2 films");
    let mut rows: Vec<Value> = (0..24)
        .map(|at| json!({"name": format!("Title {at}"), "price": 10}))
        .collect();
    rows.push(json!({"name": "Gift card", "price": 1}));
    let source = RowSource {
        texts,
        ..RowSource::default()
    };
    let films = RowCondition {
        field: ANY_FIELD.into(),
        operator: Operator::Mentions,
        value: "films".into(),
    };
    let dear = RowCondition {
        field: "price".into(),
        operator: Operator::More,
        value: 5.into(),
    };
    let kept = |conditions: &[RowCondition]| {
        let found = filter(rows.clone(), conditions, &[], &source);
        (found.rows.len(), found.not_applied.len())
    };
    assert_eq!(kept(std::slice::from_ref(&films)), (1, 0));
    // The one that speaks of films does not meet the other condition.
    assert_eq!(kept(&[films, dear]), (24, 1));
}

#[test]
fn nothing_is_sold_out_where_no_row_says_so() {
    let rows = vec![json!({"name": "Coach 1", "availability": null})];
    let not_sold = RowCondition {
        field: "availability".into(),
        operator: Operator::InStock,
        value: true.into(),
    };
    let found = filter(rows, &[not_sold], &[], &RowSource::default());
    assert_eq!((found.rows.len(), found.applied.len()), (1, 1), "{found:?}");
}

#[test]
fn a_word_of_the_page_s_subject_holds_for_every_row() {
    let rows = vec![json!({"name": "Acme 200"}), json!({"name": "Bolt X"})];
    let condition = RowCondition {
        field: ANY_FIELD.into(),
        operator: Operator::Mentions,
        value: "kettle".into(),
    };
    let source = |subject: &str| RowSource {
        subject: subject.to_owned(),
        ..RowSource::default()
    };
    assert_eq!(
        filter(
            rows.clone(),
            std::slice::from_ref(&condition),
            &[],
            &source("Our kettles")
        )
        .rows
        .len(),
        2
    );
    let other = filter(rows, &[condition], &[], &source("Our lamps"));
    assert_eq!(other.not_applied, ["mentions kettle: no row says \"kettle\""]);
}
