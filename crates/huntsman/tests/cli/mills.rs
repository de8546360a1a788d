//! A small web about windmills with its search engine, and a model that knows how a report on them is made.

use serde_json::{Value, json};
use testkit::{ProviderRequest, ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite, pdf};

/// Pages of mills.
pub(crate) const PAGES: usize = 4;
/// What is asked.
pub(crate) const QUESTION: &str = "How tall are the Harrow windmills?";
/// The title of the PDF document.
pub(crate) const PAPER: &str = "On the Quern windmill";

pub(crate) fn fact(page: usize) -> String {
    format!(
        "The Harrow {page} windmill was built in {} and is {} metres tall.",
        1801 + page,
        21 + page
    )
}

/// The document.
pub(crate) fn paper() -> Vec<u8> {
    pdf::document(
        PAPER,
        &[
            "The Quern windmill near Harrow was built in 1777.",
            "It is 33 metres tall.",
        ],
    )
}

/// The web: a page for each mill, a document, a page that only the mills lead to, and one that nothing leads to.
pub(crate) fn pages(asked: &SiteRequest) -> SiteReply {
    let host = asked.headers["host"].to_str().unwrap().to_owned();
    let path = asked.path.split('?').next().unwrap_or_default();
    let page = |title: &str, text: &str| {
        SiteReply::html(format!(
            "<html><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{text} It stands on a hill above the \
             village, and its sails turn on Sundays when the wind allows it.</p><p>See also <a href=/list>how tall the \
             Harrow windmills are</a>.</p></main></body></html>"
        ))
    };
    match (
        path,
        path.strip_prefix("/mill/")
            .and_then(|it| it.parse::<usize>().ok()),
    ) {
        ("/search", _) => {
            let hit = |url: String, title: String| json!({"url": format!("http://{host}{url}"), "title": title, "content": "a mill"});
            let mut hits: Vec<Value> = (0..PAGES)
                .map(|it| hit(format!("/mill/{it}"), format!("Harrow {it}")))
                .collect();
            hits.push(hit("/mill.pdf".into(), "Quern".into()));
            SiteReply::bytes("application/json", json!({"results": hits}).to_string())
        }
        ("/mill.pdf", _) => SiteReply::bytes("application/pdf", paper()),
        ("/list", _) => page(
            "A list of Harrow windmills",
            "All windmills of Harrow are taller than the church.",
        ),
        ("/named", _) => page(
            "The oldest mill",
            "The oldest windmill of Harrow was built of oak.",
        ),
        (_, Some(number)) => page(&format!("Harrow {number}"), &fact(number)),
        _ => SiteReply::html("gone").status(404),
    }
}

/// Which form the answer has to have.
pub(crate) fn form(exchange: &ProviderRequest) -> String {
    let name = &exchange.body["response_format"]["json_schema"]["name"];
    name.as_str().unwrap_or_default().to_owned()
}

/// What the model answers: true sentences with their sources, and one that no source supports.
pub(crate) fn answer(exchange: &ProviderRequest) -> Value {
    let text = exchange.body["messages"].to_string();
    // The number that a source has in the question.
    let number = |title: &str| {
        let before = text
            .split(&format!(": \\\"{title}\\\""))
            .next()
            .filter(|it| it.len() < text.len())?;
        before.rsplit("Source ").next()?.parse::<u64>().ok()
    };
    match form(exchange).as_str() {
        "plan" => {
            json!({"complexity": "simple", "objective": "o", "plan": "p", "questions": ["How tall are they?"], "queries": ["Harrow windmills"]})
        }
        "analysis" => json!({"relevance": "high", "reliability": "high", "summary": "A mill.", "claims": []}),
        "evaluation" => {
            json!({"assessments": [{"number": 1, "status": "answered", "findings": "known"}], "coverage": "Comprehensive", "gaps": "", "next_queries": [], "should_continue": false})
        }
        "outline" => {
            json!({"direct_answer": "a", "key_takeaways": ["b"], "headings": ["Mills"], "sources": [1, 2, 3, 4, 5, 6, 7]})
        }
        "report" => {
            let mills = (0..PAGES).map(|it| (format!("Harrow {it}"), fact(it)));
            let known = mills.chain([(
                PAPER.to_owned(),
                "The Quern windmill was built in 1777.".to_owned(),
            )]);
            let mut sentences: Vec<Value> = known
                .filter_map(|(title, fact)| Some(json!({"text": fact, "sources": [number(&title)?]})))
                .collect();
            sentences.push(json!({"text": "The Harrow 1 windmill is 99 metres tall.", "sources": [1, 42]}));
            json!({"sections": [{"heading": "", "sentences": sentences}]})
        }
        "revision" => json!({"sentences": []}),
        "answers" => json!({"answers": "no"}),
        "verdicts" => {
            let count = text.matches("Statement ").count();
            let verdicts: Vec<Value> = (1..=count)
                .map(|it| json!({"number": it, "supported": true}))
                .collect();
            json!({"verdicts": verdicts})
        }
        "judgment" => json!({"observation": "good", "score": 9, "approved": true, "feedback": ""}),
        other => panic!("nobody asks for {other:?}"),
    }
}

/// The model.
pub(crate) async fn writer() -> ScriptedProvider {
    ScriptedProvider::start(|it, _| ScriptedTurn::json(&answer(it)).into()).await
}

/// Settings under which this web is searched.
pub(crate) fn search(site: &TestSite) -> Vec<(&'static str, String)> {
    vec![
        ("HUNTSMAN_SEARCH_PROVIDER", "searxng".into()),
        ("HUNTSMAN_SEARCH_URL", site.url("/")),
    ]
}
