//! `RowTable`: the CSV of a crawl or a batch, laid out as that of a scrape of several pages.

use std::io::{self, BufRead as _, BufReader, Seek as _, Write};

use agents::scrape::csv_table::{ColumnNames, CsvDoubt, CsvLayout, CsvSurvey};
use anyhow::Context as _;
use serde_json::{Value, json};
use tempfile::SpooledTempFile;

use crate::failure::Failure;

/// Most bytes of pages that are kept in memory until the columns are known; more are kept in a temporary file.
const MAX_IN_MEMORY: usize = 16 << 20;

/// What is said where rows cannot be kept until they are written.
const NOT_KEPT: &str = "cannot keep the rows in a temporary file";
/// What is said where kept rows cannot be read again.
const NOT_READ: &str = "cannot read the kept rows";

/// What the rows of a table are to be.
pub(super) struct TableShape {
    /// The columns that are asked for; those of the pages where there are none.
    pub(super) columns: Vec<String>,
    /// The shape of the items, where one is given.
    pub(super) schema: Option<Value>,
}

impl TableShape {
    fn layout(&self) -> CsvLayout<'_> {
        CsvLayout {
            columns: &self.columns,
            schema: self.schema.as_ref(),
            is_single: false,
            with_failures: true,
            with_status: true,
        }
    }
}

/// The CSV of a crawl or a batch. Under columns that are asked for, each page is written as it is finished; without them, the
/// columns are those of all pages, and the table is written at the end.
pub(super) struct RowTable {
    writer: Box<dyn Write>,
    shape: TableShape,
    /// The table under columns that are asked for.
    named: NamedTable,
    /// What the pages have, where no columns are asked for.
    survey: CsvSurvey,
    /// These pages, one on each line.
    pages: SpooledTempFile,
    /// Whether everything that was put is written.
    is_ended: bool,
}

/// What is known of a table whose columns are asked for.
struct NamedTable {
    /// Whether the line of the columns is written.
    is_begun: bool,
    /// Lines of the pages before the first one that was read and has any of the columns.
    held: SpooledTempFile,
    /// Of the columns, those that no page has yet; none before the first page that was read.
    missing: Option<Vec<String>>,
    /// The names that the rows have.
    known: ColumnNames,
}

impl RowTable {
    pub(super) fn new(writer: Box<dyn Write>, shape: TableShape) -> Self {
        Self {
            writer,
            shape,
            named: NamedTable {
                is_begun: false,
                held: SpooledTempFile::new(MAX_IN_MEMORY),
                missing: None,
                known: ColumnNames::default(),
            },
            survey: CsvSurvey::default(),
            pages: SpooledTempFile::new(MAX_IN_MEMORY),
            is_ended: true,
        }
    }

    /// Takes the result of a page.
    pub(super) fn put(&mut self, result: &Value) -> Result<(), Failure> {
        // A table that nothing was put into needs no line of columns when the command is interrupted.
        self.is_ended = false;
        if !self.shape.columns.is_empty() {
            return self.put_named(result);
        }
        let page = without_text(result);
        self.survey.add(&page, self.shape.layout());
        let line = serde_json::to_string(&page).context("cannot write a result")? + "\n";
        let kept = self.pages.write_all(line.as_bytes());
        Ok(kept.context(NOT_KEPT)?)
    }

    fn put_named(&mut self, result: &Value) -> Result<(), Failure> {
        let layout = self.shape.layout();
        let mut survey = CsvSurvey::default();
        survey.add(result, layout);
        let is_read = result["status"] == "ok";
        let doubt = survey.doubt(layout);
        if is_read {
            self.named.take(doubt.as_ref(), &self.shape.columns);
        }
        let form = survey.form(layout);
        let lines = match is_read || layout.tells_failures() {
            true => form.lines(result),
            false => String::new(),
        };
        if !self.named.is_begun {
            let has_columns = is_read && !matches!(doubt, Some(CsvDoubt::NoColumn { .. }));
            if !has_columns {
                let kept = self.named.held.write_all(lines.as_bytes());
                return Ok(kept.context(NOT_KEPT)?);
            }
            let header = form.header();
            self.begin_named(&header)?;
        }
        self.write(&lines)
    }

    /// Writes the line of the columns, and the lines that were held until one of the pages had any of them.
    fn begin_named(&mut self, header: &str) -> Result<(), Failure> {
        self.named.is_begun = true;
        self.write(header)?;
        let mut held = std::mem::replace(&mut self.named.held, SpooledTempFile::new(0));
        held.rewind().context(NOT_READ)?;
        io::copy(&mut held, &mut self.writer)?;
        Ok(self.writer.flush()?)
    }

    /// Writes lines; they are out when this returned.
    fn write(&mut self, lines: &str) -> Result<(), Failure> {
        self.writer.write_all(lines.as_bytes())?;
        Ok(self.writer.flush()?)
    }

    /// Writes what is left, and returns what is doubtful about the rows.
    pub(super) fn end(mut self) -> Result<Option<CsvDoubt>, Failure> {
        self.is_ended = true;
        self.finish()
    }

    fn finish(&mut self) -> Result<Option<CsvDoubt>, Failure> {
        if !self.shape.columns.is_empty() {
            let doubt = self.named.doubt(self.shape.columns.len());
            let is_answered = !matches!(doubt, Some(CsvDoubt::NoColumn { .. }));
            if is_answered && !self.named.is_begun {
                let header = CsvSurvey::default().form(self.shape.layout()).header();
                self.begin_named(&header)?;
            }
            return Ok(doubt);
        }
        let shape = std::mem::replace(
            &mut self.shape,
            TableShape {
                columns: Vec::new(),
                schema: None,
            },
        );
        let (layout, survey) = (shape.layout(), std::mem::take(&mut self.survey));
        let form = survey.form(layout);
        self.write(&form.header())?;
        self.pages.rewind().context(NOT_READ)?;
        let pages = std::mem::replace(&mut self.pages, SpooledTempFile::new(0));
        for line in BufReader::new(pages).lines() {
            let line = line.context(NOT_READ)?;
            let page = serde_json::from_str(&line).context(NOT_READ)?;
            self.write(&form.lines(&page))?;
        }
        Ok(survey.doubt(layout))
    }
}

impl Drop for RowTable {
    /// Writes the rows of the pages that were finished, where a signal or an error ends the command before the run.
    fn drop(&mut self) {
        if !self.is_ended {
            // The command tells how it ended, and that the run has the pages.
            let _ = self.finish();
        }
    }
}

impl NamedTable {
    /// Takes in what a page that was read lacks.
    fn take(&mut self, doubt: Option<&CsvDoubt>, columns: &[String]) {
        let (missing, known) = match doubt {
            Some(CsvDoubt::NoColumn { names, known } | CsvDoubt::EmptyColumns { names, known }) => {
                (names.as_slice(), known.as_slice())
            }
            Some(CsvDoubt::ManyColumns | CsvDoubt::EmptyRows) | None => (&[] as &[String], &[] as &[String]),
        };
        let before = self.missing.take().unwrap_or_else(|| columns.to_vec());
        self.missing = Some(before.into_iter().filter(|name| missing.contains(name)).collect());
        self.known.extend(known);
    }

    /// The columns that no page has.
    fn doubt(&self, asked: usize) -> Option<CsvDoubt> {
        let names = self.missing.clone().unwrap_or_default();
        let known = self.known.names().to_vec();
        match names.len() {
            0 => None,
            count if count == asked => Some(CsvDoubt::NoColumn { names, known }),
            _ => Some(CsvDoubt::EmptyColumns { names, known }),
        }
    }
}

/// What rows are made of: a result without the text of its page.
fn without_text(result: &Value) -> Value {
    let mut kept = json!({});
    for name in [
        "url",
        "final_url",
        "status",
        "depth",
        "item",
        "rows",
        "error",
        "duplicate_of",
        "similar_to",
    ] {
        if let Some(value) = result.get(name) {
            kept[name] = value.clone();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The table after all pages but the last, the whole table, and what is doubtful about it.
    fn table(columns: &[&str], pages: &[Value]) -> (String, String, Option<CsvDoubt>) {
        let shared = Shared::default();
        let shape = TableShape {
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            schema: None,
        };
        let text = || String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
        let mut table = RowTable::new(Box::new(shared.clone()), shape);
        let mut before = String::new();
        for page in pages {
            before = text();
            table.put(page).unwrap();
        }
        let doubt = table.end().unwrap();
        (before, text().replace("\r\n", "\n"), doubt)
    }

    fn pages() -> Vec<Value> {
        vec![
            json!({"url": "a", "status": "ok", "item": {"page_type": "product", "title": "Pot", "price": 3}}),
            json!({"url": "b", "status": "failed", "error": {"code": "X", "message": "gone"}}),
            json!({"url": "c", "status": "ok", "item": {"page_type": "listing", "title": "All"},
                   "rows": [{"title": "One", "price": 1}, {"title": "Two", "price": 2}]}),
        ]
    }

    #[test]
    fn rows_of_list_pages_stand_beside_pages_under_named_columns_as_they_come() {
        let (before, whole, doubt) = table(&["page", "title", "price"], &pages());
        assert_eq!(whole, "page,title,price\na,Pot,3\nc,One,1\nc,Two,2\n");
        assert!(!before.is_empty() && doubt.is_none(), "{before} {doubt:?}");
        let (_, whole, _) = table(&["url", "title", "error"], &pages());
        assert_eq!(whole, "url,title,error\na,Pot,\nb,,gone\nc,One,\nc,Two,\n");
    }

    #[test]
    fn without_columns_they_are_those_of_all_pages() {
        let (_, whole, doubt) = table(&[], &pages());
        let lines: Vec<&str> = whole.lines().collect();
        assert_eq!(
            lines[0],
            "page,url,page_type,title,price,currency,author,date_published,description"
        );
        assert_eq!(
            lines[1..],
            ["a,a,product,Pot,3,,,,", "c,,,One,1,,,,", "c,,,Two,2,,,,"]
        );
        assert_eq!(doubt, None);
        let (_, whole, _) = table(&[], &pages()[..2]);
        let lines: Vec<&str> = whole.lines().collect();
        assert!(
            lines[0].starts_with("url,status,page_type,title,") && lines[0].ends_with(",error"),
            "{whole}"
        );
        assert_eq!(lines[1..], ["a,ok,product,Pot,3,,,,,", "b,failed,,,,,,,,gone"]);
    }

    #[test]
    fn a_page_without_any_of_the_columns_keeps_its_lines() {
        let (before, whole, doubt) = table(
            &["price", "nosuch"],
            &[
                json!({"url": "n", "status": "ok", "item": {"page_type": "article", "title": "News"}}),
                pages()[2].clone(),
                pages()[0].clone(),
            ],
        );
        assert_eq!(whole, "price,nosuch\n,\n1,\n2,\n3,\n");
        assert_eq!(before.lines().count(), 4, "{before}");
        assert!(matches!(doubt, Some(CsvDoubt::EmptyColumns { .. })), "{doubt:?}");
        let (_, whole, doubt) = table(&["url", "status", "error"], &pages());
        assert_eq!(whole, "url,status,error\na,ok,\nb,failed,gone\nc,ok,\nc,ok,\n");
        assert_eq!(doubt, None);
    }

    #[test]
    fn a_table_that_is_given_up_has_the_rows_of_the_pages_before() {
        for (columns, lines) in [(vec![], 3), (vec!["url".to_owned(), "nosuch".to_owned()], 2)] {
            let shared = Shared::default();
            let shape = || TableShape {
                columns: columns.clone(),
                schema: None,
            };
            drop(RowTable::new(Box::new(shared.clone()), shape()));
            assert!(shared.0.lock().unwrap().is_empty(), "no page, no line");
            let mut table = RowTable::new(Box::new(shared.clone()), shape());
            for page in &pages()[..2] {
                table.put(page).unwrap();
            }
            drop(table);
            let text = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
            assert_eq!(text.lines().count(), lines, "{text}");
            assert!(text.contains("a,"), "{text}");
        }
    }

    #[test]
    fn columns_that_no_page_has_are_told_and_nothing_is_printed_where_none_has_any() {
        let (_, whole, doubt) = table(&["nosuch"], &pages());
        assert_eq!(whole, "");
        let text = doubt.as_ref().and_then(CsvDoubt::columns);
        assert_eq!(
            text.as_deref(),
            Some("no row has \"nosuch\"; the rows have page_type, title, price, page")
        );
        let (_, whole, doubt) = table(&["title", "nosuch"], &pages());
        assert_eq!(whole.lines().count(), 4, "{whole}");
        assert!(matches!(doubt, Some(CsvDoubt::EmptyColumns { .. })), "{doubt:?}");
        let (_, whole, doubt) = table(&["title"], &pages()[1..2]);
        assert_eq!((whole.as_str(), doubt), ("title\n", None), "nothing was read");
    }
}
