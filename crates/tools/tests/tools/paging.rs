//! The bounds of a walk through the pages of a list, and what is said of the pages behind them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use browser::snapshot::SnapshotElement;
use browser::{
    Action, ActionEffect, Browser, Capability, Error, NotCapable, Profile, Ref, Snapshot, Tab, Visit,
};
use page::Page;
use serde_json::{Map, Value, json};
use tools::{Grant, Registry, ToolContext, ToolServices};
use url::Url;

/// How the list of the test goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By a link to the next address.
    Link,
    /// As one scrolls.
    Scroll,
    /// By a button.
    Button,
}

/// A list of pages with five entries each.
#[derive(Clone, Copy)]
struct List {
    pages: usize,
    way: Way,
    /// The time that each page takes, in seconds.
    seconds: u64,
    /// The page that cannot be opened.
    broken: usize,
}

const LIST: List = List {
    pages: 12,
    way: Way::Link,
    seconds: 0,
    broken: usize::MAX,
};

struct ListTab {
    list: List,
    at: usize,
}

impl ListTab {
    fn address(at: usize) -> Url {
        format!("https://list.example/all?page={at}").parse().unwrap()
    }

    fn html(&self) -> String {
        let first = match self.list.way {
            Way::Scroll => 1,
            Way::Link | Way::Button => self.at * 5 - 4,
        };
        let entry =
            |at: usize| format!("<li><a href='/e/{at}'>Entry number {at}</a> <b>{at}.50 EUR</b></li>");
        let entries: String = (first..=self.at * 5).map(entry).collect();
        let onward = match self.list.way {
            Way::Link if self.at < self.list.pages => {
                format!("<a rel=next href='{}'>Next</a>", Self::address(self.at + 1))
            }
            _ => "<script>load()</script>".to_owned(),
        };
        format!("<h1>Entries</h1><ul>{entries}</ul>{onward}")
    }
}

#[async_trait]
impl Tab for ListTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        tokio::time::sleep(Duration::from_secs(self.list.seconds)).await;
        let number = url
            .query()
            .and_then(|query| query.strip_prefix("page=")?.parse().ok());
        self.at = number.unwrap_or(1);
        if self.at == self.list.broken {
            return Err(Error::Net(net::Error::Dns));
        }
        Ok(Visit {
            url: url.clone(),
            status: Some(200),
            title: String::new(),
            warnings: Vec::new(),
        })
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        Err(Error::NoHistory("back"))
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        Err(Error::NoHistory("forward"))
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        Ok(Arc::new(Page::new(self.html(), self.url())))
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let node = |role: &str, name: String, target: Option<Ref>| SnapshotElement {
            role: role.to_owned(),
            name,
            target,
            ..SnapshotElement::default()
        };
        let mut nodes: Vec<SnapshotElement> = (self.at * 5 - 4..=self.at * 5)
            .map(|at| node("link", format!("Entry number {at}"), Some(Ref(1))))
            .collect();
        if self.list.way == Way::Button && self.at < self.list.pages {
            nodes.push(node("button", "Next".to_owned(), Some(Ref(2))));
        }
        Ok(Snapshot {
            nodes,
            ..Snapshot::default()
        })
    }

    async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        if matches!(action, Action::Scroll { .. } | Action::Click { .. }) {
            self.at = (self.at + 1).min(self.list.pages);
        }
        Ok(ActionEffect::default())
    }

    async fn screenshot(&mut self, _whole: bool) -> Result<Vec<u8>, Error> {
        Ok(Vec::new())
    }

    fn can(&self, capability: Capability) -> Result<(), NotCapable> {
        match capability {
            Capability::Scroll if self.list.way != Way::Scroll => Err(NotCapable {
                what: capability,
                advice: "read the page as it is",
            }),
            _ => Ok(()),
        }
    }

    fn url(&self) -> Option<Url> {
        match self.list.way {
            Way::Scroll => "https://list.example/all".parse().ok(),
            Way::Link | Way::Button => Some(Self::address(self.at)),
        }
    }

    async fn close(&mut self) {}
}

#[async_trait]
impl Browser for List {
    async fn open(&self, _profile: Profile) -> Result<Box<dyn Tab>, Error> {
        Ok(Box::new(ListTab { list: *self, at: 1 }))
    }

    fn name(&self) -> &'static str {
        "list"
    }
}

/// What a tool gives on the first page of a list, and the entries of all pages that are kept.
async fn call(id: &str, parameters: Value, list: List) -> (Value, usize) {
    let services = ToolServices {
        browser: Some(Arc::new(list)),
        ..ToolServices::default()
    };
    let mut context = ToolContext::new(services, Grant::default());
    context.goto(&ListTab::address(1)).await.unwrap();
    let parameters: Map<String, Value> = serde_json::from_value(parameters).unwrap();
    let registry = Registry::builtin();
    let walked = registry.run(id, &parameters, &mut context).await.unwrap();
    let rows = registry
        .run("extract.records", &Map::new(), &mut context)
        .await
        .unwrap();
    (walked.data, rows.data["rows"].as_array().unwrap().len())
}

#[tokio::test]
async fn without_a_number_all_pages_of_a_list_are_read() {
    let (walked, rows) = call("navigation.pagination", json!({}), LIST).await;
    assert_eq!(walked["pages_visited"], 12);
    assert_eq!(
        (&walked["stopped_reason"], &walked["goes_on"]),
        (&json!("last_page"), &Value::Null)
    );
    // The address of the twelfth page leads to none behind it, although it has a number that could be raised.
    assert_eq!((rows, &walked["strategy"]), (60, &json!("next")));
}

#[tokio::test]
async fn a_walk_that_a_bound_ends_says_where_the_list_goes_on() {
    let (walked, rows) = call("navigation.pagination", json!({"max_pages": 3}), LIST).await;
    assert_eq!(walked["stopped_reason"], "max_pages");
    assert_eq!(walked["goes_on"], "at https://list.example/all?page=4");
    assert_eq!(rows, 15);
    // The number of pages of a list is no bound that cuts it.
    let (walked, _) = call("navigation.pagination", json!({"max_pages": 12}), LIST).await;
    assert_eq!(
        (&walked["stopped_reason"], &walked["goes_on"]),
        (&json!("last_page"), &Value::Null)
    );
    let by_button = List {
        way: Way::Button,
        ..LIST
    };
    let (walked, _) = call("navigation.pagination", json!({"max_pages": 2}), by_button).await;
    assert_eq!(walked["goes_on"], "behind the button \"Next\"");
}

#[tokio::test(start_paused = true)]
async fn a_walk_ends_in_time_and_keeps_what_was_read() {
    let slow = List { seconds: 50, ..LIST };
    let (walked, rows) = call("navigation.pagination", json!({}), slow).await;
    assert_eq!(
        (&walked["pages_visited"], &walked["stopped_reason"]),
        (&json!(6), &json!("time"))
    );
    assert_eq!(walked["goes_on"], "at https://list.example/all?page=7");
    assert_eq!(rows, 30);
}

#[tokio::test]
async fn a_page_that_cannot_be_opened_ends_a_walk_and_keeps_what_was_read() {
    let broken = List { broken: 4, ..LIST };
    let (walked, rows) = call("navigation.pagination", json!({}), broken).await;
    assert_eq!(
        (&walked["pages_visited"], &walked["stopped_reason"]),
        (&json!(3), &json!("failed"))
    );
    assert_eq!(walked["goes_on"], "at https://list.example/all?page=4");
    assert_eq!(rows, 15);
}

#[tokio::test]
async fn a_list_that_grows_by_scrolling_is_walked_by_scrolling() {
    let growing = List {
        way: Way::Scroll,
        ..LIST
    };
    let (walked, rows) = call("navigation.pagination", json!({}), growing).await;
    assert_eq!(
        (&walked["strategy"], &walked["stopped_reason"]),
        (&json!("scroll"), &json!("last_page"))
    );
    assert_eq!(rows, 60);
    let (scrolled, rows) = call("navigation.scroll_load", json!({}), growing).await;
    assert_eq!(scrolled["reached_end"], true);
    assert_eq!(
        (&scrolled["items_before"], &scrolled["items_after"]),
        (&json!(5), &json!(60))
    );
    assert_eq!(rows, 60);
    let (scrolled, _) = call("navigation.scroll_load", json!({"times": 3}), growing).await;
    assert_eq!(scrolled["reached_end"], false);
}

#[tokio::test]
async fn a_selector_that_matches_nothing_ends_the_list_with_its_first_page() {
    let one = List { pages: 1, ..LIST };
    let (walked, rows) = call(
        "navigation.pagination",
        json!({"next_selector": "a[rel=next]"}),
        one,
    )
    .await;
    assert_eq!(
        (&walked["pages_visited"], &walked["stopped_reason"]),
        (&json!(1), &json!("last_page"))
    );
    assert_eq!(rows, 5);
}

#[tokio::test]
async fn where_a_list_goes_on_is_found_in_links_and_in_buttons_below_it() {
    for (list, place) in [
        (LIST, Some("at https://list.example/all?page=2")),
        (
            List {
                way: Way::Button,
                ..LIST
            },
            Some("behind the button \"Next\""),
        ),
        (
            List {
                way: Way::Button,
                pages: 1,
                ..LIST
            },
            None,
        ),
    ] {
        let services = ToolServices {
            browser: Some(Arc::new(list)),
            ..ToolServices::default()
        };
        let mut context = ToolContext::new(services, Grant::default());
        context.goto(&ListTab::address(1)).await.unwrap();
        assert_eq!(tools::lists::onward(&mut context).await.as_deref(), place);
    }
}
