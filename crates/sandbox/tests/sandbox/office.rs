//! Office documents and books, read by real children: what their pages say, and how bombs and damaged files end.

use page::markdown::render_page;
use sandbox::document::{is_document, read};
use sandbox::{Error, Sandbox};
use testkit::office::{archive, docx, epub, open_document, paragraph, pptx, xlsx};

async fn markdown(sandbox: &Sandbox, bytes: Vec<u8>) -> String {
    assert!(is_document(&bytes));
    let converted = read(sandbox, bytes.into()).await.unwrap();
    assert!(!converted.cut);
    render_page(&converted.page(&"https://k.example/file".parse().unwrap()))
}

fn run(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>")
}

fn item(list: usize, level: usize, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

#[tokio::test]
async fn a_docx_keeps_headings_lists_tables_links_and_notes() {
    let link = format!(
        "<w:hyperlink r:id=\"rLink\">{}</w:hyperlink>",
        run("", "the red one")
    );
    let field = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>HYPERLINK \"https://k.example/blue\"</w:instrText></w:r>\
        <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>the blue one</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let note = "<w:r><w:footnoteReference w:id=\"4\"/></w:r>";
    let hidden = run("<w:vanish/>", "HIDDEN");
    let deleted = "<w:del><w:r><w:delText>DELETED</w:delText><w:t>DELETED</w:t></w:r></w:del>";
    let cell = |text: &str| format!("<w:tc><w:p>{}</w:p></w:tc>", run("", text));
    let row = |left: &str, right: &str| format!("<w:tr>{}{}</w:tr>", cell(left), cell(right));
    let body = [
        paragraph("H1", "On kettles"),
        [
            "<w:p>".to_owned(),
            run("<w:b/>", "Ket"),
            run("<w:b/>", "tles"),
            run("<w:b w:val=\"0\"/>", " &amp; pots boil"),
            format!("{note}{hidden}{deleted}</w:p>"),
        ]
        .concat(),
        format!("<w:p>{link}{}{field}</w:p>", run("", " or ")),
        paragraph("Sub", "Steps"),
        item(1, 0, "Fill"),
        item(1, 0, "Boil"),
        item(2, 0, "red"),
        item(2, 1, "dark red"),
        format!(
            "<w:tbl>{}{}</w:tbl>",
            row("Kettle", "Price"),
            row("Red | round", "12.50")
        ),
    ]
    .concat();
    let shown = markdown(&testkit::sandbox::sandbox(), docx(&body)).await;
    let expected = "# On kettles\n\n**Kettles** & pots boil\\[1]\n\n[the red one](https://k.example/red) or \
        [the blue one](https://k.example/blue)\n\n## Steps\n\n1. Fill\n2. Boil\n\n- red\n  - dark red\n\n\
        | Kettle | Price |\n| --- | --- |\n| Red \\| round | 12.50 |\n\n\\[1] As measured.";
    assert_eq!(shown.trim(), expected);
}

#[tokio::test]
async fn a_docx_keeps_raised_text_symbols_and_merged_cells() {
    let cell = |properties: &str, text: &str| {
        format!(
            "<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{}</w:p></w:tc>",
            run("", text)
        )
    };
    let begins = "<w:vMerge w:val=\"restart\"/>";
    let rows = [
        cell("", "A") + &cell("", "B") + &cell("", "C"),
        cell("<w:gridSpan w:val=\"2\"/>", "Wide") + &cell("", "c1"),
        cell(begins, "Tall") + &cell("", "b2") + &cell("", "c2"),
        cell("<w:vMerge/>", "") + &cell("", "b3") + &cell("", "c3"),
    ];
    let rows: String = rows.iter().map(|row| format!("<w:tr>{row}</w:tr>")).collect();
    let raised = run("<w:vertAlign w:val=\"superscript\"/>", "99");
    let lowered = run("<w:vertAlign w:val=\"subscript\"/>", "2");
    let degrees = "<w:r><w:sym w:font=\"Symbol\" w:char=\"F0B0\"/></w:r>";
    let body = format!(
        "<w:p>{}{raised}{}{lowered}{}{degrees}{}</w:p><w:tbl>{rows}</w:tbl>",
        run("", "19"),
        run("", " EUR, H"),
        run("", "O, 20"),
        run("", "C")
    );
    let shown = markdown(&testkit::sandbox::sandbox(), docx(&body)).await;
    let expected = "19.99 EUR, H2O, 20°C\n\n| A | B | C |\n| --- | --- | --- |\n| Wide | Wide | c1 |\n\
        | Tall | b2 | c2 |\n| Tall | b3 | c3 |";
    assert_eq!(
        shown
            .split("\n\n")
            .skip(1)
            .collect::<Vec<_>>()
            .join("\n\n")
            .trim(),
        expected
    );
}

#[tokio::test]
async fn sheets_are_tables_under_their_names() {
    let rows: &[&[&str]] = &[
        &["Prices of kettles"],
        &["Kettle", "Price", "Since", "Share"],
        &["Red", "12.5", "45352@1", "0.25@2"],
        &[],
        &["Blue &amp; round", "0.30000000000000004", "", "1@2"],
    ];
    let sandbox = testkit::sandbox::sandbox();
    let shown = markdown(&sandbox, xlsx("Kettles", rows)).await;
    let table = "| Kettle | Price | Since | Share |\n| --- | --- | --- | --- |\n| Red | 12.5 | 2024-03-01 | 25% |\n\
        | Blue & round | 0.3 |  | 100% |";
    let expected = format!("# On kettles\n\n## Kettles\n\nPrices of kettles\n\n{table}\n\n## Notes\n\n");
    assert!(shown.starts_with(&expected), "{shown}");
    assert!(
        shown.contains("Prices without tax.") && !shown.contains("Secret"),
        "{shown}"
    );

    let cells = |texts: &[&str]| -> String {
        let cells = texts
            .iter()
            .map(|text| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>"));
        format!(
            "<table:table-row>{}<table:table-cell table:number-columns-repeated=\"16000\"/></table:table-row>",
            cells.collect::<String>()
        )
    };
    let body = format!(
        "<table:table table:name=\"Kettles\">{}{}<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell/></table:table-row></table:table>",
        cells(&["Kettle", "Price"]),
        cells(&["Red", "12.50"])
    );
    let shown = markdown(&sandbox, open_document("spreadsheet", &body)).await;
    assert_eq!(
        shown.trim(),
        "# On kettles\n\n## Kettles\n\n| Kettle | Price |\n| --- | --- |\n| Red | 12.50 |"
    );
}

#[tokio::test]
async fn slides_texts_and_books_are_read_in_order() {
    let sandbox = testkit::sandbox::sandbox();
    let shown = markdown(&sandbox, pptx()).await;
    let expected = "# On kettles\n\n## The red kettle\n\n- It boils\n  - in four minutes\n\n## Slide 2\n\n\
        | Kettle | Price |\n| --- | --- |\n| Red | 12.50 |";
    assert_eq!(shown.trim(), expected);

    let text = "<text:h text:outline-level=\"1\">Kettles</text:h><text:p>The <text:span text:style-name=\"B\">red</text:span>\
        <text:s text:c=\"2\"/>kettle <text:a xlink:href=\"https://k.example/red\">boils</text:a><text:note><text:note-body>\
        <text:p>Slowly.</text:p></text:note-body></text:note><office:annotation><text:p>ASIDE</text:p></office:annotation></text:p>\
        <text:list text:style-name=\"L\"><text:list-item><text:p>Fill</text:p></text:list-item></text:list>";
    let shown = markdown(&sandbox, open_document("text", text)).await;
    let expected =
        "# Kettles\n\nThe **red** kettle [boils](https://k.example/red)\\[1]\n\n1. Fill\n\n\\[1] Slowly.";
    assert_eq!(shown.trim(), expected);

    let slides = "<draw:page draw:name=\"page1\"><draw:frame presentation:class=\"title\"><draw:text-box><text:p>Tea</text:p>\
        </draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>Green</text:p></draw:text-box></draw:frame></draw:page>";
    let shown = markdown(&sandbox, open_document("presentation", slides)).await;
    assert_eq!(shown.trim(), "# On kettles\n\n## Tea\n\nGreen");
    let converted = read(&sandbox, pptx().into()).await.unwrap();
    for said in [
        "<title>On kettles</title>",
        "name=\"author\" content=\"Ann Smith\"",
        "published_time\" content=\"2024-03-01T10:00:00Z\"",
    ] {
        assert!(converted.html.contains(said), "{said}: {}", converted.html);
    }

    let book = epub(&[
        "<h1>One</h1><p>It was <em>red</em>&nbsp;&mdash; see <a href=\"c1.xhtml\">two</a>.</p><script>bad()</script>",
        "<h1>Two</h1><p onclick=\"bad()\"><a href=\"https://k.example/\">Blue</a><br/></p>",
    ]);
    let converted = read(&sandbox, book.clone().into()).await.unwrap();
    assert!(!converted.html.contains("bad()"), "{}", converted.html);
    assert!(
        converted.html.contains("<html lang=\"en\">") && converted.html.contains("content=\"Ann Smith\"")
    );
    let shown = markdown(&sandbox, book).await;
    // A chapter that is named and not there is left out, unless there is no other.
    let files = |chapters: &[&str]| {
        let container = "<container><rootfiles><rootfile full-path=\"book.opf\"/></rootfiles></container>";
        let package = "<package><manifest><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/>\
             <item id=\"b\" href=\"b.xhtml\" media-type=\"application/xhtml+xml\"/></manifest>\
             <spine><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>";
        let mut files = vec![
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", container),
            ("book.opf", package),
        ];
        files.extend(
            chapters
                .iter()
                .map(|name| (*name, "<html><body><p>There</p></body></html>")),
        );
        archive(&files)
    };
    let converted = read(&sandbox, files(&["b.xhtml"]).into()).await.unwrap();
    assert!(converted.cut && converted.html.contains("There"));
    assert!(
        !read(&sandbox, files(&["a.xhtml", "b.xhtml"]).into())
            .await
            .unwrap()
            .cut
    );
    assert!(read(&sandbox, files(&[]).into()).await.is_err());
    assert_eq!(
        shown.trim(),
        "# One\n\nIt was *red*\u{a0}— see two.\n\n# Two\n\n[Blue](https://k.example/)"
    );
}

#[tokio::test]
async fn what_is_damaged_protected_or_unknown_is_named() {
    let sandbox = testkit::sandbox::sandbox();
    let whole = docx(&paragraph("H1", "On kettles"));
    let half = whole[..whole.len() / 2].to_vec();
    let mut flipped = whole.clone();
    for byte in flipped.iter_mut().skip(600).take(200) {
        *byte ^= 0x55;
    }
    let manifest = "<manifest:manifest><manifest:encryption-data/></manifest:manifest>";
    let locked = archive(&[
        ("mimetype", "x"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", "??"),
    ]);
    let cases: [(Vec<u8>, &str); 7] = [
        (half, "damaged"),
        (flipped, "cannot be read"),
        (b"%PDF".to_vec(), "damaged"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more".to_vec(),
            "before 2007",
        ),
        (locked, "password"),
        (
            archive(&[("inner.docx", "PK"), ("a.txt", "a")]),
            "no document of a known kind",
        ),
        (
            archive(&[("[Content_Types].xml", "<Types/>")]),
            "no text, spreadsheet or presentation",
        ),
    ];
    for (bytes, expected) in cases {
        let error = read(&sandbox, bytes.into()).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error} is not {expected}");
        assert!(matches!(error, Error::Failed(_)), "{error:?}");
    }
}

#[tokio::test]
async fn bombs_end_at_a_limit_and_the_next_document_is_read() {
    let sandbox = testkit::sandbox::sandbox();
    let large = " ".repeat(65 << 20);
    let deep = "<w:p>".repeat(10_000);
    let wide = "<w:p/>".repeat(1_000_001);
    let many: Vec<String> = (0..10_001).map(|at| format!("f{at}")).collect();
    let mut files: Vec<(&str, &str)> = vec![("[Content_Types].xml", "<Types/>")];
    files.extend(many.iter().map(|name| (name.as_str(), "")));
    for (bytes, expected) in [
        (
            docx(&large),
            "unpacked size of the document is more than the limit of 64 MB",
        ),
        (
            docx(&deep),
            "nesting of the document is more than the limit of 250 levels",
        ),
        (
            docx(&wide),
            "number of elements of the document is more than the limit of 1000000",
        ),
        (
            archive(&files),
            "number of files in the document is more than the limit of 10000",
        ),
    ] {
        assert!(bytes.len() < 4 << 20);
        let error = read(&sandbox, bytes.into()).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
    }
    // A table of billions of cells, and text beyond what a page holds.
    let entity = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
    let text = format!("{entity}<text:p>&b;</text:p>");
    assert!(
        markdown(&sandbox, open_document("text", &text))
            .await
            .contains("&b;")
    );
    let repeated =
        "<table:table-cell table:number-columns-repeated=\"16384\"><text:p>x</text:p></table:table-cell>";
    let sheet = format!(
        "<table:table><table:table-row table:number-rows-repeated=\"1048576\">{repeated}</table:table-row></table:table>"
    );
    let converted = read(&sandbox, open_document("spreadsheet", &sheet).into())
        .await
        .unwrap();
    assert!(converted.cut && converted.html.len() < 5 << 20);
    // A row repeated more often than is written cuts that row, and not what stands behind it.
    let row = |times: u32, text: &str| {
        format!(
            "<table:table-row table:number-rows-repeated=\"{times}\"><table:table-cell><text:p>{text}</text:p></table:table-cell></table:table-row>"
        )
    };
    let sheets = format!(
        "<table:table table:name=\"One\">{}</table:table><table:table table:name=\"Two\">{}</table:table>",
        row(1_500, "kettle"),
        row(1, "teapot")
    );
    let converted = read(&sandbox, open_document("spreadsheet", &sheets).into())
        .await
        .unwrap();
    assert!(converted.cut && converted.html.contains("kettle") && converted.html.contains("teapot"));
    // Empty cells keep the place of those behind them, and what stands too far to the right is told to be cut.
    let apart = |empty: u32| {
        let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
        format!(
            "<table:table><table:table-row>{}<table:table-cell table:number-columns-repeated=\"{empty}\"/>{}</table:table-row></table:table>",
            cell("left"),
            cell("right")
        )
    };
    for (empty, columns) in [(3, Some(5)), (998, Some(1_000)), (999, None), (16_000, None)] {
        let converted = read(&sandbox, open_document("spreadsheet", &apart(empty)).into())
            .await
            .unwrap();
        assert_eq!(converted.cut, columns.is_none(), "{empty}");
        assert_eq!(converted.html.contains("right"), columns.is_some(), "{empty}");
        let cells = converted.html.matches("<td").count() + converted.html.matches("<th").count();
        assert!(columns.is_none_or(|columns| cells >= columns), "{empty}: {cells}");
    }
    let long = paragraph("H1", &"kettle ".repeat(1_000)).repeat(1_000);
    let converted = read(&sandbox, docx(&long).into()).await.unwrap();
    assert!(converted.cut && converted.html.len() < 5 << 20);
}
