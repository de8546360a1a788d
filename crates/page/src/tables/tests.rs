use super::*;

fn rows(html: &str) -> Vec<Vec<String>> {
    let page = Page::new(html, None);
    let mut table = grids(&page).remove(0);
    if !table.header.is_empty() {
        table.rows.insert(0, table.header);
    }
    table.rows
}

fn check(html: &str, expect: &[&[&str]]) {
    assert_eq!(rows(html), expect, "{html}");
}

#[test]
fn spans_fill_the_slots_they_cover() {
    check(
        "<table><tr><td colspan=2>a<td>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
        &[&["a", "a", "b"], &["c", "d", "e"], &["c", "f", "g"]],
    );
    check(
        "<table><tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d</table>",
        &[&["a", "b"], &["a", "c"], &["a", "d"]],
    );
}

#[test]
fn no_span_leaves_its_row_group() {
    check(
        "<table><thead><tr><th rowspan=9>a<th>b</thead><tr><td>c<td>d</table>",
        &[&["a", "b"], &["c", "d"]],
    );
}

#[test]
fn a_foot_comes_last_wherever_it_stands() {
    check(
        "<table><tfoot><tr><td>z</tfoot><tbody><tr><td>a</table>",
        &[&["a"], &["z"]],
    );
}

#[test]
fn short_rows_are_filled_up_and_empty_ones_stay() {
    check(
        "<table><tr><td>a<td>b<tr><tr><td>c</table>",
        &[&["a", "b"], &["", ""], &["c", ""]],
    );
}

#[test]
fn a_first_row_of_headings_is_the_header() {
    let header = |html: &str| grids(&Page::new(html, None)).remove(0).header;
    assert_eq!(header("<table><tr><th>a<th>b<tr><td>c<td>d</table>"), ["a", "b"]);
    assert_eq!(header("<table><thead><tr><td>a</thead><tr><td>c</table>"), ["a"]);
    assert!(header("<table><tr><th>a<td>b</table>").is_empty());
}

#[test]
fn nested_tables_are_tables_of_their_own() {
    let page = Page::new(
        "<table><caption> C </caption><tr><td>a<table><tr><td>b</table></table>",
        None,
    );
    let tables = grids(&page);
    assert_eq!(
        tables.iter().map(|it| it.caption.as_str()).collect::<Vec<_>>(),
        ["C", ""]
    );
    assert_eq!(
        (tables[0].rows.clone(), tables[1].rows.clone()),
        (vec![vec!["a b".to_owned()]], vec![vec!["b".to_owned()]])
    );
}

#[test]
fn pieces_of_a_cell_are_apart_or_as_shown() {
    let page = Page::new(
        "<table><tr><td><b>Maye</b><i>295</i><script>x</script></table>",
        None,
    );
    let node = page.dom().by_tag("table").next().expect("a table");
    assert_eq!(table(node, CellJoin::Apart).rows, [["Maye 295"]]);
    assert_eq!(table(node, CellJoin::Shown).rows, [["Maye295"]]);
}

#[test]
fn huge_spans_cost_little() {
    let html = format!("<table>{}", "<tr><td colspan=1000 rowspan=65534>x".repeat(2000));
    let slots: usize = rows(&html).iter().map(Vec::len).sum();
    assert!(slots <= 2 * MAX_SLOTS, "{slots}");
    let html = "<table><tr><td colspan=1000>x</table>".repeat(3000);
    assert!(grids(&Page::new(html, None)).len() <= 1000);
}

#[test]
fn a_tall_cell_behind_wide_ones_costs_little() {
    let wide = "<td colspan=1000>".repeat(100);
    let html = format!(
        "<table><tr>{wide}<td rowspan=0>{}</table>",
        "<tr><td>x".repeat(2000)
    );
    let slots: usize = rows(&html).iter().map(Vec::len).sum();
    assert!(slots <= MAX_SLOTS, "{slots}");
}

/// A generator of numbers that is the same in each run (Knuth's MMIX constants).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn table(&mut self) -> String {
        let mut html = "<table>".to_owned();
        for _ in 0..self.below(200) {
            html.push_str(["<tr>", "<tr>", "<tr>", "<tr>", "<tbody><tr>"][self.below(5) as usize]);
            for _ in 0..[1, 2, 3, self.below(100)][self.below(4) as usize] {
                let wide = [1, 1, 2, 1000][self.below(4) as usize];
                let tall = [1, 1, 0, self.below(300)][self.below(4) as usize];
                html.push_str(&format!("<td colspan={wide} rowspan={tall}>"));
            }
        }
        html
    }
}

#[test]
fn no_spans_make_more_slots_than_the_bound_and_one_for_each_cell() {
    let mut numbers = Numbers(45);
    for _ in 0..20 {
        let page = Page::new(numbers.table(), None);
        let node = page.dom().by_tag("table").next().expect("a table");
        let grid = Grid::of(node);
        let slots: usize = grid.rows.iter().map(Vec::len).sum();
        assert!(
            slots <= MAX_SLOTS + grid.cells.len(),
            "{slots} of {} cells",
            grid.cells.len()
        );
        assert_eq!(slots, grid.held);
    }
}

#[test]
fn nested_tables_repeat_the_text_of_a_page_only_so_often() {
    let text = "w".repeat(8 << 20);
    let html = format!("{}{text}", "<table><tr><td>".repeat(9));
    let tables = grids(&Page::new(html, None));
    let bytes: usize = tables
        .iter()
        .flat_map(|table| table.rows.iter().flatten())
        .map(String::len)
        .sum();
    assert!(
        bytes <= MAX_PAGE_TEXT && tables.len() < 9,
        "{bytes} in {}",
        tables.len()
    );
    let html = format!("{}{text}", "<table><caption>".repeat(9));
    let tables = grids(&Page::new(html, None));
    let bytes: usize = tables.iter().map(|table| table.caption.len()).sum();
    assert!(
        bytes <= MAX_PAGE_TEXT && tables.len() < 9,
        "{bytes} in {}",
        tables.len()
    );
}

fn read(html: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let table = grids(&Page::new(html, None)).remove(0);
    (table.header, table.rows)
}

#[test]
fn a_head_of_several_rows_names_the_columns_by_all_of_them() {
    let fares = "<tr><td>1<td>$2.50<td>$1.25<tr><td>2<td>$3.50<td>$1.75";
    let (header, rows) = read(&format!(
        "<table><tr><th rowspan=2>Zone<th colspan=2>Fare<tr><th>Adult<th>Child{fares}</table>"
    ));
    assert_eq!(header, ["Zone", "Fare Adult", "Fare Child"]);
    assert_eq!(rows, [["1", "$2.50", "$1.25"], ["2", "$3.50", "$1.75"]]);
    let (header, rows) = read(&format!(
        "<table><thead><tr><th colspan=3>Fares of 2027<tr><th>Zone<th>Adult<th>Child<tbody>{fares}</table>"
    ));
    // The title of a table stands above its columns, as on the page, and is no part of a name.
    assert_eq!(header, ["Fares of 2027"; 3]);
    assert_eq!(rows[0], ["Zone", "Adult", "Child"]);
    assert_eq!(rows.len(), 3);
    let (header, rows) = read(
        "<table><thead><tr><th>No.<th colspan=2>Season<tr><th><th>Games<th>Goals<tbody>\
         <tr><th colspan=3>Forwards<tr><td>9<td>14<td>11</table>",
    );
    assert_eq!(header, ["No.", "Season Games", "Season Goals"]);
    assert_eq!(rows, [["Forwards"; 3], ["9", "14", "11"]]);
}

#[test]
fn a_heading_of_a_part_and_rows_of_headers_are_no_second_row_of_the_head() {
    let (header, rows) = read("<table><tr><th>a<th>b<tr><th>c<th>d<tr><td>e<td>f</table>");
    assert_eq!(
        (header.len(), rows.len()),
        (2, 2),
        "no heading reaches over several columns"
    );
    let (header, rows) =
        read("<table><tr><th>a<th colspan=2>b<tr><th colspan=3>Part<tr><td>1<td>2<td>3</table>");
    assert_eq!(header, ["a", "b", "b"]);
    assert_eq!(rows, [["Part", "Part", "Part"], ["1", "2", "3"]]);
    let (header, rows) = read("<table><thead><tr><th>a<th>b<tr><th>c<th>d</thead></table>");
    assert_eq!(
        (header, rows.len()),
        (vec!["a".to_owned(), "b".to_owned()], 1),
        "not all of a table"
    );
}

#[test]
fn a_first_row_of_bold_words_is_the_header() {
    let league = "<tr><td>Halden<td>10<td>24<tr><td>Moss<td>10<td>19";
    let head = "<tr><td><b>Team</b><td><p><strong>Played</strong></p><td><b>2026</b>";
    let sum = "<tr><td><b>Sum</b><td><b>20</b><td><b>43</b>";
    let (header, rows) = read(&format!("<table>{head}{league}{sum}</table>"));
    assert_eq!(header, ["Team", "Played", "2026"]);
    assert_eq!(rows.len(), 3, "bold sums are a row");
    let has_header = |html: &str| !read(html).0.is_empty();
    assert!(!has_header(&format!("<table>{sum}{league}</table>")));
    assert!(!has_header(&format!("<table>{league}{sum}</table>")));
    assert!(!has_header(
        "<table><tr><td><b>Price</b><td><b>€20</b><tr><td>Size<td>M</table>"
    ));
    assert!(!has_header(
        "<table><tr><td><b>Brand:</b><td><b>Halden</b><tr><td>Size:<td>M</table>"
    ));
    assert!(!has_header(
        "<table><tr><td><b>a</b><td><b>b</b><tr><td><b>c</b><td><b>d</b></table>"
    ));
    assert!(!has_header(
        "<table><tr><td><b>Team</b><td><b>Played</b> so far<tr><td>Halden<td>10</table>"
    ));
}

#[test]
fn an_empty_corner_is_part_of_the_header() {
    let (header, rows) = read("<table><tr><td><th>2024<th>2025<tr><th>Visitors<td>12<td>13</table>");
    assert_eq!(header, ["", "2024", "2025"]);
    assert_eq!(rows, [["Visitors", "12", "13"]]);
}

#[test]
fn cells_that_span_rows_lie_in_their_columns() {
    let page = Page::new(
        "<table><tr><th><th>Sat<th>Sun<tr><th>8–10<td rowspan=2>Club<td>Open<tr><th>10–12<td>Families</table>",
        None,
    );
    let table = page.dom().by_tag("table").next().expect("a table");
    let columns = columns(table).expect("a head");
    let text = |cell: &Option<Node<'_>>| cell.map(|cell| cell.text()).unwrap_or_default();
    let rows: Vec<Vec<String>> = columns
        .rows
        .iter()
        .map(|(_, cells)| cells.iter().map(text).collect())
        .collect();
    assert_eq!(rows, [["8–10", "Club", "Open"], ["10–12", "Club", "Families"]]);
    assert!(!columns.is_plain && columns.head.len() == 1);
}

#[test]
fn a_cell_from_side_to_side_heads_a_part_of_the_table() {
    let html = "<table><tr><th>a<th>b<tr><td colspan=2>2024<tr><td>c<td>d<tr><td>2023<td>2023</table>";
    let table = grids(&Page::new(html, None)).remove(0);
    assert_eq!(table.part_headings, [0]);
    assert_eq!(table.rows[0], ["2024", "2024"]);
    assert_eq!(table.data_rows().count(), 2);
}

#[test]
fn a_picture_that_is_called_yes_is_the_answer_of_its_cell() {
    check(
        "<table><tr><td>Pro<td><img src=/i/yes.png alt=Yes><td><i class=icon aria-label=No></i><td><img src=/p/1.jpg alt='Oak chair'>",
        &[&["Pro", "Yes", "No", ""]],
    );
}
