//! Small office documents and books: ZIP archives of XML files.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CORE: &str = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties";

/// An archive of these files; the first one is stored, the others are packed.
pub fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (index, (name, text)) in files.iter().enumerate() {
        let method = if index == 0 {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A file of relationships: identifier, kind and target of each; targets with a scheme lead out of the document.
fn relationships(all: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        let kind = if kind.contains(':') {
            (*kind).to_owned()
        } else {
            format!("{RELATIONS}/{kind}")
        };
        let mode = if target.contains(':') {
            " TargetMode=\"External\""
        } else {
            ""
        };
        format!("<Relationship Id=\"{id}\" Type=\"{kind}\" Target=\"{target}\"{mode}/>")
    };
    format!(
        "<Relationships>{}</Relationships>",
        all.iter().map(one).collect::<String>()
    )
}

/// An Office document: its main file, the relationships of that, and other files.
pub fn office(main: (&str, &str), related: &[(&str, &str, &str)], others: &[(&str, &str)]) -> Vec<u8> {
    let whole = relationships(&[
        ("r1", "officeDocument", main.0),
        ("r2", CORE, "docProps/core.xml"),
    ]);
    let (folder, name) = main.0.split_once('/').unwrap();
    let own = (format!("{folder}/_rels/{name}.rels"), relationships(related));
    let core = "<cp:coreProperties><dc:title>On kettles</dc:title><dc:creator>Ann Smith</dc:creator>\
        <dcterms:created>2024-03-01T10:00:00Z</dcterms:created><dcterms:modified>2024-04-02T10:00:00Z</dcterms:modified>\
        </cp:coreProperties>";
    let mut files = vec![
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", whole.as_str()),
        main,
        (own.0.as_str(), own.1.as_str()),
        ("docProps/core.xml", core),
    ];
    files.extend_from_slice(others);
    archive(&files)
}

/// A DOCX document with this body. Its styles have the heading `H1`, the list 1 is numbered and the list 2 is not; the
/// relationship `rLink` leads to `https://k.example/red`.
pub fn docx(body: &str) -> Vec<u8> {
    let main = format!("<w:document><w:body>{body}</w:body></w:document>");
    let styles = "<w:styles><w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/></w:style>\
        <w:style w:styleId=\"Sub\"><w:basedOn w:val=\"H2\"/></w:style>\
        <w:style w:styleId=\"H2\"><w:name w:val=\"Heading 2\"/></w:style></w:styles>";
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"decimal\"/></w:lvl>\
        </w:abstractNum><w:abstractNum w:abstractNumId=\"1\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/></w:lvl>\
        <w:lvl w:ilvl=\"1\"><w:numFmt w:val=\"bullet\"/></w:lvl></w:abstractNum>\
        <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId w:val=\"1\"/></w:num></w:numbering>";
    let notes = "<w:footnotes><w:footnote w:id=\"4\"><w:p><w:r><w:t>As measured.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    office(
        ("word/document.xml", &main),
        &[
            ("rS", "styles", "styles.xml"),
            ("rN", "numbering", "numbering.xml"),
            ("rF", "footnotes", "footnotes.xml"),
            ("rLink", "hyperlink", "https://k.example/red"),
        ],
        &[
            ("word/styles.xml", styles),
            ("word/numbering.xml", numbering),
            ("word/footnotes.xml", notes),
        ],
    )
}

/// A paragraph of a DOCX document, of a style or none.
pub fn paragraph(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// An XLSX workbook of one sheet with these rows. A number is a number, other text is shared; the style 1 is a date, the
/// style 2 a percentage. The sheet `Notes` after it holds a sentence, and a third one is hidden.
pub fn xlsx(sheet: &str, rows: &[&[&str]]) -> Vec<u8> {
    let mut strings = Vec::new();
    let mut written = String::new();
    for (at, row) in rows.iter().enumerate() {
        written.push_str(&format!("<row r=\"{}\">", at + 1));
        for (column, cell) in row.iter().enumerate() {
            let place = format!("{}{}", char::from(b'A' + u8::try_from(column).unwrap()), at + 1);
            let (number, style) = match cell.split_once('@') {
                Some((number, style)) => (number, format!(" s=\"{style}\"")),
                None => (*cell, String::new()),
            };
            if cell.is_empty() {
                continue;
            }
            if number.parse::<f64>().is_ok() {
                written.push_str(&format!("<c r=\"{place}\"{style}><v>{number}</v></c>"));
            } else {
                written.push_str(&format!("<c r=\"{place}\" t=\"s\"><v>{}</v></c>", strings.len()));
                strings.push(format!("<si><t>{cell}</t></si>"));
            }
        }
        written.push_str("</row>");
    }
    let main = format!(
        "<workbook><sheets><sheet name=\"{sheet}\" sheetId=\"1\" r:id=\"r1\"/><sheet name=\"Notes\" sheetId=\"2\" r:id=\"r2\"/>\
         <sheet name=\"Secret\" sheetId=\"3\" state=\"hidden\" r:id=\"r1\"/></sheets></workbook>"
    );
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy\"/></numFmts><cellXfs><xf numFmtId=\"0\"/>\
        <xf numFmtId=\"164\"/><xf numFmtId=\"9\"/></cellXfs></styleSheet>";
    let first = format!("<worksheet><sheetData>{written}</sheetData></worksheet>");
    let second = "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>Prices without tax.</t></is></c></row></sheetData></worksheet>";
    office(
        ("xl/workbook.xml", &main),
        &[
            ("r1", "worksheet", "worksheets/sheet1.xml"),
            ("r2", "worksheet", "/xl/worksheets/sheet2.xml"),
            ("r3", "sharedStrings", "sharedStrings.xml"),
            ("r4", "styles", "styles.xml"),
        ],
        &[
            ("xl/worksheets/sheet1.xml", &first),
            ("xl/worksheets/sheet2.xml", second),
            (
                "xl/sharedStrings.xml",
                &format!("<sst>{}</sst>", strings.concat()),
            ),
            ("xl/styles.xml", styles),
        ],
    )
}

/// A PPTX presentation of two slides, of which the second one has no title, and a hidden one.
pub fn pptx() -> Vec<u8> {
    let main = "<p:presentation><p:sldIdLst><p:sldId id=\"257\" r:id=\"r2\"/><p:sldId id=\"256\" r:id=\"r1\"/>\
        <p:sldId id=\"258\" r:id=\"r3\"/></p:sldIdLst></p:presentation>";
    let shape = |kind: &str, body: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr><p:ph {kind}/></p:nvPr></p:nvSpPr><p:txBody>{body}</p:txBody></p:sp>"
        )
    };
    let line = |level: usize, text: &str| {
        format!("<a:p><a:pPr lvl=\"{level}\"/><a:r><a:rPr b=\"0\"/><a:t>{text}</a:t></a:r></a:p>")
    };
    let slide = |shapes: String, shown: &str| {
        format!("<p:sld{shown}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>")
    };
    let cell = |text: &str| format!("<a:tc><a:txBody>{}</a:txBody></a:tc>", line(0, text));
    let row = |left: &str, right: &str| format!("<a:tr>{}{}</a:tr>", cell(left), cell(right));
    let table = format!(
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{}{}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
        row("Kettle", "Price"),
        row("Red", "12.50")
    );
    let body = line(0, "It boils") + &line(1, "in four minutes");
    let first = slide(
        shape("idx=\"1\"", &body)
            + &shape("type=\"title\"", &line(0, "The red kettle"))
            + &shape("type=\"sldNum\"", &line(0, "77")),
        "",
    );
    let second = slide(table, "");
    let hidden = slide(shape("type=\"title\"", &line(0, "Hidden")), " show=\"0\"");
    office(
        ("ppt/presentation.xml", main),
        &[
            ("r1", "slide", "slides/slide1.xml"),
            ("r2", "slide", "slides/slide2.xml"),
            ("r3", "slide", "slides/slide3.xml"),
        ],
        &[
            ("ppt/slides/slide2.xml", &first),
            ("ppt/slides/slide1.xml", &second),
            ("ppt/slides/slide3.xml", &hidden),
        ],
    )
}

/// An OpenDocument file of a kind (`text`, `spreadsheet`, `presentation`) with this body.
pub fn open_document(kind: &str, body: &str) -> Vec<u8> {
    let mimetype = format!("application/vnd.oasis.opendocument.{kind}");
    let content = format!(
        "<office:document-content><office:automatic-styles><style:style style:name=\"B\"><style:text-properties fo:font-weight=\"bold\"/>\
         </style:style><text:list-style style:name=\"L\"><text:list-level-style-number text:level=\"1\"/></text:list-style>\
         </office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    );
    let meta = "<office:document-meta><office:meta><dc:title>On kettles</dc:title><meta:initial-creator>Ann Smith\
        </meta:initial-creator><dc:creator>Bob</dc:creator><meta:creation-date>2024-03-01T10:00:00</meta:creation-date>\
        </office:meta></office:document-meta>";
    archive(&[
        ("mimetype", &mimetype),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        ("content.xml", &content),
        ("meta.xml", meta),
    ])
}

/// An EPUB book of these chapters, each the content of a body.
pub fn epub(chapters: &[&str]) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>";
    let names: Vec<String> = (0..chapters.len())
        .map(|at| format!("OEBPS/text/c{at}.xhtml"))
        .collect();
    let items: String = (0..chapters.len())
        .map(|at| {
            format!("<item id=\"i{at}\" href=\"text/c{at}.xhtml\" media-type=\"application/xhtml+xml\"/>")
        })
        .collect();
    let spine: String = (0..chapters.len())
        .map(|at| format!("<itemref idref=\"i{at}\"/>"))
        .collect();
    let package = format!(
        "<package><metadata><dc:title>On kettles</dc:title><dc:creator>Ann Smith</dc:creator><dc:language>en</dc:language>\
         <dc:date>2024-03-01</dc:date></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let texts: Vec<String> = chapters
        .iter()
        .map(|body| format!("<?xml version=\"1.0\"?><html><head><title/><script src=\"x\"/></head><body>{body}</body></html>"))
        .collect();
    let mut files = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", container),
        ("OEBPS/book.opf", package.as_str()),
    ];
    files.extend(
        names
            .iter()
            .map(String::as_str)
            .zip(texts.iter().map(String::as_str)),
    );
    archive(&files)
}
