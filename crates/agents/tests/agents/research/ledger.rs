//! Thirty reports with citations that hold and citations that do not: which of them reach the reader?

use std::sync::Arc;

use serde_json::{Value, json};
use wire::research::ResearchMode;
use wire::tabstack::ResearchRequest;

use super::stand::{Asking, Stand, complete, honest};
use super::web::lake;

/// Reports.
const REPORTS: usize = 32;

/// One sentence of a report as the script writes it.
#[derive(Debug, Clone)]
struct Line {
    text: String,
    sources: Vec<u64>,
    /// Whether the sources support it.
    right: bool,
}

/// What a report of this number says: true sentences in the page's words and in others, altered numbers, altered names,
/// wrong sources, unknown ids, denials and opposites.
fn lines(report: usize, sources: &[(u64, usize)], most: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (at, (id, number)) in sources.iter().enumerate().take(most) {
        let it = lake(*number);
        let other = sources[(at + 1) % sources.len()].0;
        let mut say = |text: String, ids: Vec<u64>, right: bool| {
            lines.push(Line {
                text,
                sources: ids,
                right,
            })
        };
        let facts = it.facts();
        say(facts[0].clone(), vec![*id], true);
        say(facts[1].clone(), vec![*id], true);
        // The same in other words, in another order, and in part.
        say(
            format!(
                "At its deepest point, Lake {} reaches a depth of {} metres.",
                it.name, it.depth
            ),
            vec![*id],
            true,
        );
        say(
            format!("{} surveyed Lake {} in {}.", it.person, it.name, it.year),
            vec![*id],
            true,
        );
        say(
            format!(
                "With an area of {} square kilometres, Lake {} lies in the highlands.",
                it.area, it.name
            ),
            vec![*id],
            true,
        );
        say(
            format!(
                "From {} on the southern shore of Lake {}, a ferry leaves twice a day in summer.",
                it.town, it.name
            ),
            vec![*id],
            true,
        );
        match (report + at) % 8 {
            0 => say(
                format!(
                    "Lake {} is {} metres deep at its deepest point.",
                    it.name,
                    it.depth + 3
                ),
                vec![*id],
                false,
            ),
            1 => say(facts[2].clone(), vec![900 + *id], false),
            2 => say(facts[0].clone(), vec![other], false),
            3 => say(
                format!(
                    "Lake {} was surveyed in {} by {}.",
                    it.name,
                    it.year + 10,
                    it.person
                ),
                vec![*id],
                false,
            ),
            4 => say(
                format!("Lake {} was surveyed in {} by Gustav Ehrling.", it.name, it.year),
                vec![*id],
                false,
            ),
            5 => say(
                format!(
                    "{} counted {} species of fish in the waters of Lake {}.",
                    it.person,
                    it.fish * 10,
                    it.name
                ),
                vec![*id],
                false,
            ),
            6 => say(
                format!(
                    "The map of Lake {} does not hang in the town hall to this day.",
                    it.name
                ),
                vec![*id],
                false,
            ),
            _ => say(
                format!("Lake {} covers {} square kilometres.", it.name, it.depth),
                vec![*id],
                false,
            ),
        }
    }
    lines
}

/// Which lake each numbered source is about.
fn lakes_of(ask: &Asking) -> Vec<(u64, usize)> {
    let sources = ask.sources().into_iter();
    let about = |(id, title, _): (u64, String, Vec<String>)| {
        let number =
            (0..super::web::LAKES).find(|it| title.contains(&format!("\"Lake {}\"", lake(*it).name)))?;
        Some((id, number))
    };
    sources.filter_map(about).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_unsupported_citation_reaches_the_reader_and_hardly_a_right_one_is_lost() {
    let (mut right, mut lost, mut wrong, mut survived) = (0usize, Vec::new(), 0usize, Vec::new());
    for report in 0..REPORTS {
        let written: Arc<std::sync::Mutex<Vec<Line>>> = Arc::default();
        let script = Arc::clone(&written);
        let stand = Stand::start(move |ask| match ask.form.as_str() {
            "report" => {
                let all = lines(report, &lakes_of(ask), if report % 2 == 0 { 1 } else { 3 });
                let sentences: Vec<Value> = all.iter().map(|it| json!({"text": it.text, "sources": it.sources})).collect();
                *script.lock().unwrap() = all;
                let (first, rest) = sentences.split_at(3);
                json!({"sections": [{"heading": "", "sentences": first}, {"heading": "More", "sentences": rest}]})
            }
            // The writer insists on what it wrote.
            "revision" => json!({"sentences": []}),
            "answers" => json!({"answers": "no"}),
            // A model that says yes to everything is no help, and does no harm.
            "verdicts" => json!({"verdicts": (1..=8).map(|it| json!({"number": it, "supported": true})).collect::<Vec<_>>()}),
            "plan" => {
                let queries: Vec<String> = (0..3).map(|it| format!("Lake {}", lake((report * 3 + it) % 40 + 1).name)).collect();
                json!({"complexity": "simple", "objective": "o", "plan": "p", "questions": ["How deep are these lakes?"], "queries": queries})
            }
            _ => honest(ask),
        })
        .await;
        // Alone with the pages of three lakes, so that every source is a good one.
        let mut names: Vec<usize> = (0..3)
            .map(|it| (report * 3 + it) % 40)
            .map(|it| if it == super::web::ASKED { 41 } else { it })
            .collect();
        names.dedup();
        let request = ResearchRequest {
            // A fast report is short, and no model is asked about its citations.
            mode: if report % 2 == 0 {
                ResearchMode::Fast
            } else {
                ResearchMode::Balanced
            },
            sources: names
                .iter()
                .map(|it| stand.site.url(&format!("/lake/{it}")))
                .collect(),
            ..ResearchRequest::new("What is known of these lakes?")
        };
        let mut services = stand.services.clone();
        services.search = None;
        let stand = Stand { services, ..stand };
        let done = complete(&stand.whole(&request).await);
        let written = written.lock().unwrap().clone();
        assert!(written.len() >= 7, "{written:?}");
        // What the reader sees: each cited page with the sentences it is cited for.
        let cited = done.metadata.cited_pages.unwrap();
        let reaches = |line: &Line, id: u64| {
            let number = names.get(usize::try_from(id).unwrap_or(0).wrapping_sub(1));
            let page = number.map(|it| stand.site.url(&format!("/lake/{it}")));
            cited
                .iter()
                .any(|it| Some(&it.url) == page.as_ref() && it.claims.contains(&line.text))
        };
        for line in &written {
            let id = line.sources[0];
            let reached = reaches(line, id);
            if line.right {
                right += 1;
                if !reached {
                    lost.push(line.text.clone());
                }
            } else {
                wrong += 1;
                // A wrong source may be replaced by the right one; then the page says so.
                let anywhere: Vec<&wire::research::CitedPage> =
                    cited.iter().filter(|it| it.claims.contains(&line.text)).collect();
                let holds = |page: &wire::research::CitedPage| {
                    names.iter().any(|it| {
                        page.url == stand.site.url(&format!("/lake/{it}"))
                            && lake(*it).facts().contains(&line.text)
                    })
                };
                if reached || !anywhere.iter().all(|it| holds(it)) {
                    survived.push(line.text.clone());
                }
            }
        }
    }
    let share = lost.len() as f64 / right as f64 * 100.0;
    println!(
        "{REPORTS} reports: {} of {wrong} unsupported citations survived; {} of {right} right ones were dropped ({share:.2} %)",
        survived.len(),
        lost.len()
    );
    assert!(survived.is_empty(), "{survived:#?}");
    assert!(share <= 2.0, "{lost:#?}");
}
