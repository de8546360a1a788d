//! Which files a run may give to pages: those that the operator allows, known to the model by name only.

use std::path::{Path, PathBuf};

/// Most files that a model is told of.
const MOST: usize = 100;

/// The files, by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Files(Vec<(String, PathBuf)>);

impl Files {
    /// The allowed files, and those that lie right in an allowed folder. Of two with one name the first counts.
    pub(super) fn of(allowed: &[PathBuf]) -> Self {
        let mut found: Vec<(String, PathBuf)> = Vec::new();
        for path in allowed {
            let mut inside: Vec<PathBuf> = match std::fs::read_dir(path) {
                Ok(entries) => entries.flatten().map(|it| it.path()).collect(),
                Err(_) => vec![path.clone()],
            };
            inside.sort();
            for file in inside.into_iter().filter(|it| it.is_file()) {
                let name = name_of(&file);
                let told = found.iter().any(|(it, _)| *it == name);
                if !told && !name.starts_with('.') && found.len() < MOST {
                    found.push((name, file));
                }
            }
        }
        Self(found)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Their names.
    pub(super) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Where the files of these names are.
    ///
    /// # Errors
    /// A sentence for the model when one is not among them.
    pub(super) fn find(&self, wanted: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        let find = |it: &PathBuf| {
            let wanted = it.to_string_lossy();
            let found = self.0.iter().find(|(name, _)| *name == wanted.trim());
            found.map(|(_, path)| path.clone()).ok_or_else(|| {
                format!(
                    "refused: {:?} is not among the files that may be given to pages; these are: {}",
                    wanted,
                    self.names().join(", ")
                )
            })
        };
        wanted.iter().map(find).collect()
    }
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|it| it.to_string_lossy().into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_allowed_has_a_name() {
        let folder = std::env::temp_dir().join(format!("huntsman-files-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("deep")).unwrap();
        for name in ["cv.pdf", ".hidden", "deep/other.txt", "alone.txt"] {
            std::fs::write(folder.join(name), name).unwrap();
        }
        let files = Files::of(&[folder.join("deep"), folder.clone(), folder.join("missing")]);
        assert_eq!(files.names(), ["other.txt", "alone.txt", "cv.pdf"]);
        assert_eq!(files.find(&["cv.pdf".into()]), Ok(vec![folder.join("cv.pdf")]));
        for wrong in ["/etc/passwd", "../cv.pdf", ".hidden", "deep/other.txt", ""] {
            assert!(files.find(&[wrong.into()]).is_err(), "{wrong}");
        }
        assert!(Files::of(&[]).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
