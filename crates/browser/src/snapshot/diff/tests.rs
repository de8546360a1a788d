use super::*;
use crate::snapshot::SnapshotElement;

/// A page from lines like `link Home 3 checked`: role, name, ref, state, separated by commas; two blanks a level.
fn page(lines: &[&str]) -> Snapshot {
    let nodes = lines.iter().map(|line| {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let mut fields = line.trim_start().split(',');
        let mut next = || fields.next().unwrap_or_default().to_owned();
        SnapshotElement {
            depth: u16::try_from(depth).unwrap(),
            role: next(),
            name: next(),
            target: next().parse().ok().map(Ref),
            states: fields.map(str::to_owned).collect(),
            ..SnapshotElement::default()
        }
    });
    Snapshot {
        url: Some("https://a.example/list?page=1".parse().unwrap()),
        nodes: nodes.collect(),
        ..Snapshot::default()
    }
}

/// The update from the first page to the second.
fn then(first: &[&str], second: &[&str]) -> ViewUpdate {
    let mut shown = ViewDiff::default();
    assert!(shown.tell(&page(first), &ViewBudget::default(), false).whole);
    shown.tell(&page(second), &ViewBudget::default(), false)
}

const LIST: [&str; 8] = [
    "main",
    "  heading,List,,level=1",
    "  link,one,1",
    "  text,in stock",
    "  link,two,2",
    "  text,in stock",
    "  link,three,3",
    "  button,Buy,4",
];

/// The list with some lines put in place of others.
fn with(changes: &[(usize, &'static [&'static str])]) -> Vec<&'static str> {
    let mut lines = Vec::new();
    for (at, line) in LIST.iter().enumerate() {
        match changes.iter().find(|(line, _)| *line == at) {
            Some((_, instead)) => lines.extend(*instead),
            None => lines.push(*line),
        }
    }
    lines
}

/// The lines that a reader has after an update, by the documentation of `ViewUpdate` alone.
fn read(before: &str, told: &ViewUpdate) -> Vec<String> {
    let own = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    if told.whole {
        return own(&told.text);
    }
    let ref_of = |line: &str| {
        let (_, from) = line.split_once("[ref=")?;
        Some(from.split_once(']')?.0.to_owned())
    };
    let mut lines = own(before);
    let mut at = 0;
    if let Some(gone) = told.text.lines().find_map(|line| line.strip_prefix("gone: ")) {
        for name in gone.split(", ") {
            let (name, after) = name
                .strip_suffix(')')
                .and_then(|name| name.split_once(" (after "))
                .unwrap_or((name, ""));
            let from = lines
                .iter()
                .position(|line| ref_of(line).as_deref() == Some(after))
                .unwrap_or(0);
            let place = lines
                .iter()
                .skip(from)
                .position(|line| ref_of(line).as_deref() == Some(name) || line.trim_start() == name);
            lines.remove(from + place.unwrap());
        }
    }
    let mut again = false;
    for line in told.text.lines() {
        let (sign, rest) = line.split_at_checked(2).unwrap_or((line, ""));
        let place =
            |lines: &[String], wanted: &dyn Fn(&str) -> bool| lines.iter().position(|line| wanted(line));
        match sign {
            "= " => {
                let from = if again { at } else { 0 };
                at = from + place(&lines[from..], &|line| line == rest).unwrap() + 1;
            }
            "~ " => {
                if ref_of(rest).is_some() {
                    at = place(&lines, &|line| ref_of(line) == ref_of(rest)).unwrap();
                }
                lines[at] = rest.to_owned();
                at += 1;
            }
            _ if line.starts_with("gone: ") => {}
            _ => {
                let rest = if sign == "+ " { rest } else { line };
                if let Some(old) =
                    ref_of(rest).and_then(|name| place(&lines, &|line| ref_of(line).as_ref() == Some(&name)))
                {
                    lines.remove(old);
                    at -= usize::from(old < at);
                }
                lines.insert(at, rest.to_owned());
                at += 1;
            }
        }
        again = sign == "= ";
    }
    lines
}

#[test]
fn only_what_changed_is_told() {
    let told = then(&LIST, &LIST);
    assert_eq!((told.whole, told.text.as_str()), (false, ""));
    let told = then(
        &LIST,
        &with(&[
            (4, &["  link,two,2,current"]),
            (7, &["  button,Buy,4", "  status,saved"]),
        ]),
    );
    let expect = "~  link \"two\" [current] [ref=E2]\n=  button \"Buy\" [ref=E4]\n+  status \"saved\"\n";
    assert_eq!((told.whole, told.text.as_str()), (false, expect));
    let told = then(&LIST, &with(&[(3, &["  text,sold"]), (6, &[])]));
    let expect = "gone: E3\n=  link \"one\" [ref=E1]\n~  \"sold\"\n";
    assert_eq!((told.whole, told.text.as_str()), (false, expect));
}

/// Whatever happens to a page, a reader who does as the lines say has the page.
#[test]
fn a_reader_who_follows_the_changes_has_the_page() {
    let cases: &[Vec<&str>] = &[
        with(&[(0, &["main", "  alert,now,9"])]),
        with(&[(2, &["  link,two,2"]), (4, &["  link,one,1"])]),
        with(&[
            (2, &[]),
            (3, &[]),
            (7, &["  button,Buy,4", "  link,one,1", "  text,in stock"]),
        ]),
        with(&[(6, &["  link,3,3", "  text,new"])]),
        with(&[(4, &["  link,a,10", "  text,b", "  link,two,2"]), (5, &[])]),
        with(&[(7, &[])]),
        with(&[
            (1, &["  heading,Other,,level=1"]),
            (3, &[]),
            (5, &["  text,a", "  text,b"]),
        ]),
        vec!["main", "  link,x,20"],
        vec![],
    ];
    for case in cases {
        let mut shown = ViewDiff::default();
        let before = shown.tell(&page(&LIST), &ViewBudget::default(), false).text;
        let told = shown.tell(&page(case), &ViewBudget::default(), false);
        let mut expect = ViewDiff::default();
        let expect = expect.tell(&page(case), &ViewBudget::default(), false).text;
        assert_eq!(read(&before, &told).join("\n"), expect.trim_end(), "{told:?}");
    }
}

#[test]
fn focus_is_told_where_it_goes_and_not_where_it_leaves() {
    let mut shown = ViewDiff::default();
    let mut tell = |lines: &[&str]| shown.tell(&page(lines), &ViewBudget::default(), false).text;
    tell(&LIST);
    let first = tell(&with(&[(2, &["  link,one,1,focused"])]));
    assert_eq!(first, "~  link \"one\" [focused] [ref=E1]\n");
    let second = tell(&with(&[(4, &["  link,two,2,focused"])]));
    assert_eq!(second, "~  link \"two\" [focused] [ref=E2]\n");
    assert_eq!(tell(&LIST), "");
}

#[test]
fn another_page_is_told_whole_and_so_is_one_that_is_hardly_the_same() {
    let mut shown = ViewDiff::default();
    let mut tell = |page: &Snapshot, again| shown.tell(page, &ViewBudget::default(), again).whole;
    let mut here = page(&LIST);
    assert!(tell(&here, false) && !tell(&here, false) && tell(&here, true));
    here.url = Some("https://a.example/list?page=1#end".parse().unwrap());
    assert!(!tell(&here, false));
    here.url = Some("https://a.example/list?page=2".parse().unwrap());
    assert!(tell(&here, false));
    let mut other = page(&["main", "  link,a,11", "  link,b,12", "  link,c,13"]);
    other.url = here.url.clone();
    assert!(tell(&other, false));
}

/// A long list: a status above it, then a link and a text for each item.
fn long(view: (usize, usize), status: &str) -> Snapshot {
    let mut page = page(&["main", "  status"]);
    page.nodes[1].name = status.to_owned();
    for item in 0..1000_u32 {
        let mut link = page.nodes[0].clone();
        (link.depth, link.role, link.name) = (1, "link".into(), format!("Article {item}"));
        (link.target, link.link) = (Some(Ref(item)), Some(format!("/list/{item}")));
        let mut text = page.nodes[0].clone();
        (text.depth, text.role, text.name) = (1, "text".into(), "in stock".into());
        page.nodes.extend([link, text]);
    }
    page.in_view = Some(view);
    page
}

#[test]
fn a_long_page_is_told_in_parts_which_stay_known() {
    let mut shown = ViewDiff::default();
    let mut tell = |view, status: &str| shown.tell(&long(view, status), &ViewBudget::default(), false);
    let first = tell((0, 40), "");
    assert!(
        first.whole && first.terse && first.text.len() < 3_400,
        "{}",
        first.text.len()
    );
    assert!(!first.text.contains("url="), "{}", first.text);
    let (from, to, of) = first.part.unwrap();
    assert_eq!((from, of), (0, 2002));
    assert!(
        first
            .text
            .contains(&format!("(truncated: {} more elements; ", 2001 - to)),
        "{}",
        first.text
    );
    // Further down: what is in view, and from where on.
    let second = tell((1002, 1042), "");
    assert!(!second.whole && (7_000..8_400).contains(&second.text.len()));
    let last = first.text.lines().rev().nth(1).unwrap();
    let begin = format!(
        "= {last}\n+ ({} elements in between are not shown)\n link \"Article 500\" [ref=E500]\n",
        1001 - to
    );
    assert!(second.text.contains(&begin), "{begin}\n{}", second.text);
    assert_eq!(second.part.map(|part| part.0), Some(1002));
    // What is known is not told again, and changes of it are told wherever they are.
    let third = tell((0, 40), "");
    assert_eq!(
        (third.text.as_str(), third.part.map(|part| part.0)),
        ("", Some(0))
    );
    let fourth = tell((0, 40), "added");
    assert_eq!(fourth.text, "= main\n~  status \"added\"\n");
    assert_eq!(fourth.part, None);
    let fifth = tell((1002, 1042), "gone");
    assert_eq!(fifth.text, "= main\n~  status \"gone\"\n");
    // What can be seen at once is shown at once.
    assert_eq!(tell((300, 760), "gone").part, Some((300, 760, 2002)));
}

#[test]
fn links_within_the_site_are_told_briefly() {
    let mut page = page(&["link,a,1", "link,b,2", "link,c,3"]);
    for (node, link) in page
        .nodes
        .iter_mut()
        .zip(["/list?page=2", "/shop/x", "https://b.example/list"])
    {
        node.link = Some(link.to_owned());
    }
    let told = ViewDiff::default().tell(&page, &ViewBudget::default(), false);
    let expect = "link \"a\" [ref=E1] [url=?page=2]\nlink \"b\" [ref=E2] [url=shop/x]\nlink \"c\" [ref=E3] [url=https://b.example/list]\n";
    assert_eq!((told.text.as_str(), told.terse), (expect, false));
    let brief = ViewBudget {
        links: 100,
        ..ViewBudget::default()
    };
    let told = ViewDiff::default().tell(&page, &brief, false);
    let expect =
        "link \"a\" [ref=E1]\nlink \"b\" [ref=E2]\nlink \"c\" [ref=E3] [url=https://b.example/list]\n";
    assert_eq!((told.text.as_str(), told.terse), (expect, true));
}

#[test]
fn a_dialog_above_a_long_page_is_shown_wherever_that_is_scrolled_to() {
    let mut page = long((1003, 1043), "");
    let ask = |name: &str, depth, number: Option<u32>| SnapshotElement {
        depth,
        role: "button".into(),
        name: name.into(),
        target: number.map(Ref),
        pinned: true,
        ..SnapshotElement::default()
    };
    let mut shown = ViewDiff::default();
    let mut tell = |page: &Snapshot| shown.tell(page, &ViewBudget::default(), false).text;
    page.nodes.insert(1, ask("Menu", 1, Some(5000)));
    let first = tell(&page);
    let (top, part) = first.split_once("(the page is scrolled: ").unwrap();
    assert!(
        top.starts_with("main\n button \"Menu\" [ref=E5000]\n status\n link \"Article 0\""),
        "{top}"
    );
    assert!(
        top.len() <= 500 && part.contains("\n link \"Article 500\" [ref=E500]\n"),
        "{first}"
    );
    assert_eq!(first.matches("Menu").count(), 1);
    page.nodes.push(ask("Accept", 0, Some(5001)));
    let second = tell(&page);
    assert!(
        second.ends_with("elements in between are not shown)\nbutton \"Accept\" [ref=E5001]\n"),
        "{second}"
    );
    page.in_view = Some((300, 340));
    let third = tell(&page);
    assert!(
        !third.contains("Accept") && !third.contains("+  button"),
        "{third}"
    );
}
