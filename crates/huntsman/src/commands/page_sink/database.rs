//! `PageDatabase`: pages as rows of an SQLite database.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context as _;
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::failure::Failure;

/// The table. `item` and `rows` are JSON, which SQLite's own functions read: `SELECT url, item ->> 'price' FROM pages`.
const SCHEMA: &str = "CREATE TABLE pages (
    url TEXT NOT NULL,
    status TEXT NOT NULL,
    depth INTEGER,
    page_type TEXT,
    title TEXT,
    content TEXT,
    item TEXT,
    rows TEXT,
    error_code TEXT,
    error TEXT,
    duplicate_of TEXT,
    similar_to TEXT,
    final_url TEXT
)";

const INSERT: &str = "INSERT INTO pages (url, status, depth, page_type, title, content, item, rows, error_code, \
    error, duplicate_of, similar_to, final_url) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

/// A database that is being written.
pub(super) struct PageDatabase {
    connection: Connection,
    /// How messages name the file.
    name: String,
}

impl PageDatabase {
    /// Begins a database. A file that is there and holds something else is left as it is.
    ///
    /// # Errors
    /// When the file is there and not empty, or cannot be written.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        match fs::metadata(path) {
            Ok(found) if found.len() > 0 => {
                let text = format!("-o: {name} is there already; name a new file, or delete it first");
                return Err(Failure::usage(text));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(anyhow::Error::new(error)
                    .context(format!("cannot write {name}"))
                    .into());
            }
            _ => {}
        }
        let opened = Connection::open(path).and_then(|connection| {
            connection.execute_batch(SCHEMA)?;
            Ok(connection)
        });
        let connection = opened.with_context(|| format!("cannot write {name}"))?;
        Ok(Self { connection, name })
    }

    /// Adds the row of a page; it is on disk when this returned.
    pub(super) fn put(&self, result: &Value) -> Result<(), Failure> {
        let item = &result["item"];
        let values = params![
            result["url"].as_str().unwrap_or_default(),
            result["status"].as_str().unwrap_or_default(),
            result["depth"].as_i64(),
            item["page_type"].as_str(),
            item["title"].as_str(),
            result["content"].as_str(),
            item.is_object().then(|| item.to_string()),
            result["rows"].is_array().then(|| result["rows"].to_string()),
            result["error"]["code"].as_str(),
            result["error"]["message"].as_str(),
            result["duplicate_of"].as_str(),
            result["similar_to"].as_str(),
            result["final_url"].as_str(),
        ];
        let added = self
            .connection
            .prepare_cached(INSERT)
            .and_then(|mut statement| statement.execute(values));
        added.with_context(|| format!("cannot write {}", self.name))?;
        Ok(())
    }

    /// Closes the file.
    pub(super) fn end(self) -> Result<(), Failure> {
        let closed = self.connection.close().map_err(|(_, error)| error);
        Ok(closed.with_context(|| format!("cannot write {}", self.name))?)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_are_rows_and_a_file_that_is_there_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.db");
        let database = PageDatabase::create(&path).unwrap();
        let item = json!({"title": "Kettles", "page_type": "product", "price": 12.5});
        database
            .put(&json!({"url": "https://a.example/", "status": "ok", "depth": 0, "item": item}))
            .unwrap();
        let error = json!({"code": "NOT_FOUND", "message": "gone"});
        database
            .put(&json!({"url": "https://a.example/b", "status": "failed", "error": error}))
            .unwrap();
        database.end().unwrap();
        let read = Connection::open(&path).unwrap();
        let row: (String, f64) = read
            .query_row(
                "SELECT title, item ->> 'price' FROM pages WHERE error_code IS NULL",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!(row, ("Kettles".to_owned(), 12.5));
        assert!(PageDatabase::create(&path).is_err());
        let count: i64 = read
            .query_row("SELECT count(*) FROM pages", [], |row| row.get(0))
            .unwrap();
        assert_eq!(count, 2);
    }
}
