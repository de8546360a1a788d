//! `CsvDoubt`: what makes the rows of pages less than what was asked for.

use super::column_names::MAX_COLUMNS;

/// Most names of columns that a note tells.
const MAX_TOLD: usize = 50;

/// What makes rows less than what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CsvDoubt {
    /// No row has any of the columns that were asked for.
    NoColumn {
        /// These columns.
        names: Vec<String>,
        /// The names that the rows have.
        known: Vec<String>,
    },
    /// No row has these of the columns that were asked for.
    EmptyColumns {
        /// These columns.
        names: Vec<String>,
        /// The names that the rows have.
        known: Vec<String>,
    },
    /// The rows have more columns than a table is given without being asked for them; the first [`MAX_COLUMNS`] are there.
    ManyColumns,
    /// The pages state none of the usual fields, or none of those of the schema.
    EmptyRows,
}

impl CsvDoubt {
    /// What is doubtful about the columns: those that no row has beside those that there are, or that there are too many.
    pub fn columns(&self) -> Option<String> {
        match self {
            Self::NoColumn { names, known } | Self::EmptyColumns { names, known } => {
                let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
                let told: Vec<&str> = known.iter().take(MAX_TOLD).map(String::as_str).collect();
                let more = match known.len() - told.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let known = told.join(", ") + &more;
                Some(format!(
                    "no row has {}; the rows have {known}",
                    quoted.join(" or ")
                ))
            }
            Self::ManyColumns => Some(format!(
                "the rows have more than {MAX_COLUMNS} columns, of which the first {MAX_COLUMNS} are given; name those that \
                 you want"
            )),
            Self::EmptyRows => None,
        }
    }
}
