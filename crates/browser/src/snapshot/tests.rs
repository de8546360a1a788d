use super::*;

fn node(depth: u16, role: &str, name: &str, target: Option<u32>) -> SnapshotElement {
    SnapshotElement {
        depth,
        role: role.into(),
        name: name.into(),
        target: target.map(Ref),
        ..SnapshotElement::default()
    }
}

fn shop() -> Snapshot {
    let mut nodes = vec![node(0, "main", "", None)];
    nodes.push(node(1, "heading", "Shop", None));
    nodes.push(node(1, "list", "", None));
    for n in 0..100 {
        nodes.push(node(2, "listitem", "", None));
        nodes.push(SnapshotElement {
            link: Some(format!("/p/{n}")),
            ..node(3, "link", &format!("Lamp {n}"), Some(n))
        });
    }
    Snapshot {
        url: None,
        title: "Shop".into(),
        nodes,
        ..Snapshot::default()
    }
}

#[test]
fn refs_are_read_however_they_are_written() {
    for text in ["E42", "e42", "@E42", "[ref=E42]", " [E42] ", "ref=E42"] {
        assert_eq!(text.parse(), Ok(Ref(42)), "{text}");
    }
    for text in ["", "42", "E", "E-1", "F42", "E42x", "#id"] {
        assert!(text.parse::<Ref>().is_err(), "{text}");
    }
    assert_eq!(serde_json::to_string(&Ref(7)).unwrap(), "\"E7\"");
}

#[test]
fn an_element_is_one_line() {
    let field = SnapshotElement {
        value: Some("a\nb ".into()),
        states: vec!["multiline".into(), "required".into()],
        ..node(1, "textbox", "Your \"note\"", Some(7))
    };
    let snapshot = Snapshot {
        nodes: vec![field],
        ..Snapshot::default()
    };
    assert_eq!(
        snapshot.text(&SnapshotView::default()),
        " textbox \"Your \\\"note\\\"\" [multiline] [required] [ref=E7]: \"a\\nb \"\n"
    );
}

#[test]
fn plain_text_is_one_line_whatever_it_says() {
    let page = Snapshot {
        nodes: vec![node(1, "text", "say \"hi\"\nbutton \"Pay\"", None)],
        ..Snapshot::default()
    };
    assert_eq!(
        page.text(&SnapshotView::default()),
        " \"say \"hi\" button \"Pay\"\"\n"
    );
}

#[test]
fn a_long_page_is_cut_aloud_and_can_be_read_on() {
    let snapshot = shop();
    let whole = snapshot.text(&SnapshotView {
        bytes: usize::MAX,
        ..SnapshotView::default()
    });
    let (mut read, mut from) = (String::new(), 0);
    loop {
        let part = snapshot.text(&SnapshotView {
            bytes: 700,
            from,
            ..SnapshotView::default()
        });
        assert!(part.len() < 800);
        match part.split_once("(truncated: ") {
            Some((lines, rest)) => {
                read.push_str(lines);
                from = rest
                    .split("from ")
                    .nth(1)
                    .unwrap()
                    .split(',')
                    .next()
                    .unwrap()
                    .parse()
                    .unwrap();
            }
            None => {
                read.push_str(&part);
                break;
            }
        }
    }
    assert_eq!(read, whole);
}

#[test]
fn a_long_page_is_shown_where_it_is_scrolled_to() {
    let snapshot = Snapshot {
        in_view: Some((104, 110)),
        beyond: 7,
        ..shop()
    };
    let whole = snapshot.text(&SnapshotView::default());
    assert!(
        whole.starts_with("main\n")
            && whole.ends_with("(7 more elements of the page were not read: it is too large)\n")
    );
    let text = snapshot.text(&SnapshotView {
        bytes: 700,
        ..SnapshotView::default()
    });
    let expect = "(the page is scrolled: 104 elements above this are left out; scroll up, or search)\nmain\n list\n  link \"Lamp 50\" [ref=E50] [url=/p/50]\n";
    assert!(text.starts_with(expect), "{text}");
    let top = snapshot.text(&SnapshotView {
        bytes: 700,
        follow: false,
        ..SnapshotView::default()
    });
    assert!(top.starts_with("main\n heading"), "{top}");
}

#[test]
fn a_search_shows_what_matches_and_where_it_lies() {
    let text = shop().text(&SnapshotView {
        search: Some("LAMP 77".into()),
        ..SnapshotView::default()
    });
    assert_eq!(text, "main\n list\n  link \"Lamp 77\" [ref=E77] [url=/p/77]\n");
    let none = shop().text(&SnapshotView {
        search: Some("sofa".into()),
        ..SnapshotView::default()
    });
    assert_eq!(none, "(nothing on the page matches the search)\n");
}

#[test]
fn an_empty_page_says_so() {
    assert_eq!(
        Snapshot::default().text(&SnapshotView::default()),
        "(the page shows nothing)\n"
    );
}

#[test]
fn what_only_wraps_one_element_has_no_line() {
    let heading = SnapshotElement {
        states: vec!["level=2".into()],
        ..node(1, "heading", "", None)
    };
    let nodes = vec![
        node(0, "list", "", None),
        node(1, "listitem", "", None),
        SnapshotElement { depth: 2, ..heading },
        node(3, "link", "Lamp", Some(1)),
        node(1, "listitem", "", None),
        node(2, "link", "Rug", Some(2)),
        node(2, "text", "new", None),
        node(1, "listitem", "Plain", None),
        node(1, "listitem", "", None),
        node(2, "text", "alone", None),
    ];
    let page = Snapshot {
        nodes,
        ..Snapshot::default()
    };
    assert_eq!(
        page.text(&SnapshotView::default()),
        "list\n link \"Lamp\" [level=2] [ref=E1]\n listitem\n  link \"Rug\" [ref=E2]\n  \"new\"\n listitem \"Plain\"\n listitem\n  \"alone\"\n"
    );
    let bare = SnapshotView {
        refs: false,
        links: LinkStyle::Foreign,
        ..SnapshotView::default()
    };
    let text = shop().text(&bare);
    assert!(
        text.contains("  link \"Lamp 5\"\n") && !text.contains("ref="),
        "{text}"
    );
}
