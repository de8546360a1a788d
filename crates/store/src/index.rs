//! Local full-text index of pages: one SQLite file beside the database of runs.
//!
//! It is a file of its own, so that filling it never holds up a run, and so that it can be thrown away.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::{Error, private_files};

/// The file's name within the data folder.
const FILE: &str = "index.db";
/// How long a writer waits for another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// How much more a word of the title counts than one of the text.
const TITLE: f64 = 4.0;
/// Most words of one query.
const WORDS: usize = 48;
/// The layout of the file; one of another layout is refused.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX origins ON pages (origin);
CREATE VIRTUAL TABLE words USING fts5(
    title, text, content='pages', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER pages_in AFTER INSERT ON pages BEGIN
    INSERT INTO words (rowid, title, text) VALUES (new.id, new.title, new.text);
END;
CREATE TRIGGER pages_out AFTER DELETE ON pages BEGIN
    INSERT INTO words (words, rowid, title, text) VALUES ('delete', old.id, old.title, old.text);
END;
";

/// A page of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedPage {
    /// Its address; of a file, a `file:` URL. There is one document of an address.
    pub url: String,
    /// What it was added under: the folder, file or address that the operator named.
    pub origin: String,
    /// Its title.
    pub title: String,
    /// Its text, without markup.
    pub text: String,
}

/// A page that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexMatch {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
    /// The words around those that were searched for.
    pub snippet: String,
}

/// The index. Cheap to clone; clones share one connection.
#[derive(Debug, Clone)]
pub struct Index(Arc<Mutex<Connection>>);

impl Index {
    /// Opens the index of a data folder and creates it where it is missing.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is from another version.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(FILE);
        let created =
            private_files::prepare_data_folder(folder).and_then(|_| private_files::open_file(&path));
        created.map_err(|error| Error::Engine {
            reason: format!("{}: {error}", folder.display()),
        })?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        let step = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: i64 = step.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        match version {
            0 => {
                step.execute_batch(TABLES)?;
                step.pragma_update(None, "user_version", VERSION)?;
            }
            VERSION => {}
            other => {
                return Err(Error::Damaged {
                    reason: format!("{FILE} has version {other}; delete it and add its pages again"),
                });
            }
        }
        step.commit()?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    /// The index of a data folder, where there is one that holds a page.
    pub fn filled(folder: &Path) -> Option<Self> {
        if !folder.join(FILE).is_file() {
            return None;
        }
        let index = Self::open(folder).ok()?;
        (index.count().ok()? > 0).then_some(index)
    }

    /// Adds pages, in one transaction; a page of an address that is known replaces the one before.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put(&self, documents: &[IndexedPage]) -> Result<(), Error> {
        let mut connection = self.connection();
        let step = connection.transaction()?;
        {
            let mut delete = step.prepare_cached("DELETE FROM pages WHERE url = ?1")?;
            let mut insert =
                step.prepare_cached("INSERT INTO pages (url, origin, title, text) VALUES (?1, ?2, ?3, ?4)")?;
            for page in documents {
                delete.execute([&page.url])?;
                insert.execute(params![page.url, page.origin, page.title, page.text])?;
            }
        }
        Ok(step.commit()?)
    }

    /// Takes out what was added under a name; how many pages that were.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remove(&self, origin: &str) -> Result<usize, Error> {
        Ok(self
            .connection()
            .execute("DELETE FROM pages WHERE origin = ?1", [origin])?)
    }

    /// Takes out what was added under a name and is not to be kept, by its address; how many pages that were.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remove_others(&self, origin: &str, is_kept: impl Fn(&str) -> bool) -> Result<usize, Error> {
        let mut connection = self.connection();
        let step = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut removed = 0;
        {
            let mut known = step.prepare("SELECT url FROM pages WHERE origin = ?1")?;
            let known: Vec<String> = known
                .query_map([origin], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            let mut delete = step.prepare("DELETE FROM pages WHERE url = ?1")?;
            for url in known.iter().filter(|url| !is_kept(url)) {
                removed += delete.execute([url])?;
            }
        }
        step.commit()?;
        Ok(removed)
    }

    /// What was added, with how many pages each.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn origins(&self) -> Result<Vec<(String, u64)>, Error> {
        let connection = self.connection();
        let mut rows =
            connection.prepare("SELECT origin, count(*) FROM pages GROUP BY origin ORDER BY origin")?;
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many pages there are.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn count(&self) -> Result<u64, Error> {
        let count = self
            .connection()
            .query_row("SELECT count(*) FROM pages", [], |row| row.get(0))
            .optional()?;
        Ok(count.unwrap_or(0))
    }

    /// The pages that speak most of these words (BM25 over title and text), best first. The words are words: nothing in
    /// them is an operator.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn search(&self, words: &str, most: usize) -> Result<Vec<IndexMatch>, Error> {
        let words: Vec<String> = words
            .split(|character: char| !character.is_alphanumeric())
            .filter(|it| !it.is_empty())
            .take(WORDS)
            .map(|word| format!("\"{word}\""))
            .collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let connection = self.connection();
        let mut rows = connection.prepare_cached(
            "SELECT pages.url, pages.title, pages.text, snippet(words, 1, '', '', ' … ', 24) \
             FROM words JOIN pages ON pages.id = words.rowid WHERE words MATCH ?1 ORDER BY bm25(words, ?2, 1.0), pages.id LIMIT ?3",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = rows.query_map(params![words.join(" OR "), TITLE, most], |row| {
            Ok(IndexMatch {
                url: row.get(0)?,
                title: row.get(1)?,
                text: row.get(2)?,
                snippet: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn connection(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(url: &str, title: &str, text: &str) -> IndexedPage {
        IndexedPage {
            url: url.into(),
            origin: "/pages".into(),
            title: title.into(),
            text: text.into(),
        }
    }

    fn found(index: &Index, words: &str) -> Vec<String> {
        index
            .search(words, 10)
            .unwrap()
            .into_iter()
            .map(|it| it.url)
            .collect()
    }

    #[test]
    fn pages_are_found_by_their_words_and_the_best_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(folder.path()).unwrap();
        assert!(Index::filled(folder.path()).is_none());
        index
            .put(&[
                document(
                    "file:///a",
                    "Kettles",
                    "A kettle boils water. Kettles are made of steel.",
                ),
                document(
                    "file:///b",
                    "Tides",
                    "The moon moves the sea, and a kettle does not.",
                ),
                document("file:///c", "Żółw", "Der Fluß und das Café."),
            ])
            .unwrap();
        assert_eq!(found(&index, "how do kettles boil?"), ["file:///a", "file:///b"]);
        assert_eq!(found(&index, "zolw cafe"), ["file:///c"]);
        for words in ["", "\"", "NOT", "a* OR (", "title:x NEAR"] {
            found(&index, words);
        }
        index
            .put(&[document("file:///a", "Kettles", "Nothing any more.")])
            .unwrap();
        assert_eq!(found(&index, "boils"), [""; 0]);
        assert_eq!(index.origins().unwrap(), [("/pages".to_owned(), 3)]);
        let other = Index::filled(folder.path()).unwrap();
        assert_eq!(other.remove("/pages").unwrap(), 3);
        assert_eq!((index.count().unwrap(), found(&index, "moon").len()), (0, 0));
    }
}
