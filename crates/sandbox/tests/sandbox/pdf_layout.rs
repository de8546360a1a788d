//! The text of PDF pages: words, columns and tables by the places of their glyphs.

use sandbox::pdf;
use testkit::pdf::{HELVETICA, page, stream};

/// Content that shows texts at places, in points from the lower left corner.
fn placed(size: u32, texts: &[(u32, u32, &str)]) -> String {
    let shown = texts
        .iter()
        .map(|(x, y, text)| format!("BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n"));
    shown.collect()
}

async fn read(bytes: Vec<u8>) -> pdf::PdfDocument {
    pdf::read(&testkit::sandbox::sandbox(), bytes.into())
        .await
        .unwrap()
}

#[tokio::test]
async fn columns_are_read_one_after_the_other_and_tables_in_rows() {
    let rows = [
        (50, 700, "Region"),
        (200, 700, "Units"),
        (300, 700, "Revenue"),
        (50, 684, "North"),
        (200, 684, "1,200"),
        (300, 684, "59,880.00"),
        (50, 668, "West"),
        (300, 668, "0.00"),
    ];
    let columns = [
        (50, 600, "The left column tells about"),
        (320, 600, "The right one is of honey"),
        (50, 588, "bees and of their keepers in"),
        (320, 588, "and it ends with the price"),
        (50, 576, "the old town of Tollen."),
        (320, 576, "of one of the smaller jars."),
    ];
    let content = placed(18, &[(50, 760, "Annual report")]) + &placed(11, &rows) + &placed(10, &columns);
    let document = read(page("Report", &content, HELVETICA)).await;
    let expected = "Annual report\nRegion\tUnits\tRevenue\nNorth\t1,200\t59,880.00\nWest\t\t0.00\n\
        The left column tells about bees and of their keepers in the old town of Tollen.\n\
        The right one is of honey and it ends with the price of one of the smaller jars.";
    assert_eq!(document.pages, [expected]);
    let html = document.page(&"https://k.example/a.pdf".parse().unwrap());
    let shown = page::markdown::render_page(&html);
    assert!(shown.contains("| West |  | 0.00 |"), "{shown}");
    let source = html.html();
    for part in [
        "<html lang=\"de\">",
        "<meta name=\"author\" content=\"Ada Brown\">",
        "content=\"2024-03-04T10:15:00+01:00\"",
    ] {
        assert!(source.contains(part), "{part}: {source}");
    }
}

#[tokio::test]
async fn a_column_may_begin_above_the_one_to_its_left() {
    let texts = [
        (320, 612, "The right one begins higher"),
        (50, 600, "The left column tells about"),
        (320, 600, "up and it ends higher also,"),
        (50, 588, "bees and of their keepers in"),
        (320, 588, "with the price of some jars."),
        (50, 576, "the old town of Tollen, near"),
        (50, 564, "the river."),
    ];
    let document = read(page("Columns", &placed(10, &texts), HELVETICA)).await;
    assert_eq!(
        document.pages,
        [
            "The left column tells about bees and of their keepers in the old town of Tollen, near the river.\n\
          The right one begins higher up and it ends higher also, with the price of some jars."
        ]
    );
}

#[tokio::test]
async fn lines_of_a_cell_are_one_row() {
    let texts = [
        (50, 700, "Article"),
        (250, 700, "Price"),
        (50, 676, "Blue teapot with a name that"),
        (250, 670, "31.50"),
        (50, 664, "goes on"),
        (50, 640, "Mug"),
        (250, 640, "5.00"),
    ];
    let document = read(page("List", &placed(10, &texts), HELVETICA)).await;
    assert_eq!(
        document.pages,
        ["Article\tPrice\nBlue teapot with a name that goes on\t31.50\nMug\t5.00"]
    );
}

#[tokio::test]
async fn words_are_told_by_gaps_and_not_by_how_their_glyphs_are_shown() {
    // Kerned, spaced out, in pieces, and with gaps for spaces.
    let content = "BT /F1 10 Tf 50 700 Td [(T)120(okyo W)80(ave)] TJ ET\n\
        BT /F1 10 Tf 3 Tc 50 660 Td (Spaced out 12) Tj ET\n\
        BT /F1 10 Tf 50 620 Td [(Two)-300(words)] TJ ET\n\
        BT /F1 10 Tf 50 580 Td (15) Tj 11.12 0 Td (,030) Tj ET\n\
        BT /F1 10 Tf 14 TL 50 540 Td (ends in a hy-) Tj (phen) ' ET";
    let document = read(page("Words", content, HELVETICA)).await;
    assert_eq!(
        document.pages,
        ["Tokyo Wave\nSpaced out 12\nTwo words\n15,030\nends in a hyphen"]
    );
}

#[tokio::test]
async fn widths_in_ranges_keep_numbers_whole() {
    let map = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange \
        2 beginbfrange <0010> <0019> <0030> <0001> <0001> <FB03> endbfrange endcmap";
    let map = stream("", map);
    let font = "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 8 0 R /DescendantFonts [\
        << /Type /Font /Subtype /CIDFontType2 /BaseFont /A /FontDescriptor << >> /DW 0 /W [1 [900] 16 25 500] >>] >>";
    let digits = "BT /F1 10 Tf 50 700 Td <0012> Tj 5 0 Td <0010> Tj 5 0 Td <0012> Tj 5 0 Td <0015> Tj ET\n\
        BT /F1 10 Tf 50 650 Td <00120010> Tj <00120015> Tj <0001> Tj ET";
    let document = read(page("Digits", digits, &[font, "null", &map])).await;
    assert_eq!(document.pages, ["2025\n2025ffi"]);
}

#[tokio::test]
async fn forms_stand_in_their_places_and_images_are_no_text() {
    let form = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Matrix [1 0 0 1 0 100]",
        "BT /F1 10 Tf 0 0 Td (in the form) Tj ET",
    );
    let content = "/Strange cs 1 scn BT /F1 10 Tf 50 600 Td (below) Tj ET q 1 0 0 1 50 600 cm /X1 Do Q";
    let document = read(page("Form", content, &[HELVETICA[0], &form])).await;
    assert_eq!(document.pages, ["in the form\nbelow"]);
    let itself = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /X1 7 0 R >> >>",
        "/X1 Do /X1 Do",
    );
    let content = "BT /F1 10 Tf 50 600 Td (read) Tj ET /X1 Do";
    let document = read(page("Loop", content, &[HELVETICA[0], &itself])).await;
    assert_eq!(document.pages, ["read"]);
}
