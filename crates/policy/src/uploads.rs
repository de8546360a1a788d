//! UploadFiles: the files that a run may give to pages, known to the model by name only.

use std::path::PathBuf;

/// Most files that a run offers.
const MOST: usize = 100;

/// Files by name. Of two with one name the first counts; hidden ones have none.
#[derive(Debug, Clone, Default)]
pub struct UploadFiles(Vec<(String, PathBuf)>);

impl UploadFiles {
    /// The files at these paths, at most 100.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for path in paths {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let is_taken = files.iter().any(|(known, _)| *known == name);
            if !is_taken && !name.is_empty() && !name.starts_with('.') && files.len() < MOST {
                files.push((name, path));
            }
        }
        Self(files)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Their names.
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The paths of the files with these names.
    ///
    /// # Errors
    /// A sentence for the model when one is not among them.
    pub fn find(&self, names: &[String]) -> Result<Vec<PathBuf>, String> {
        let find = |wanted: &String| {
            let file = self.0.iter().find(|(name, _)| name == wanted.trim());
            file.map(|(_, path)| path.clone()).ok_or_else(|| {
                format!(
                    "refused: {wanted:?} is not among the files that may be given to pages; these are: {}",
                    self.names().join(", ")
                )
            })
        };
        names.iter().map(find).collect()
    }
}
