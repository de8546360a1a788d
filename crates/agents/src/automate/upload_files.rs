//! The files that the operator allows runs to give to pages.

use std::path::PathBuf;

use policy::UploadFiles;

/// The allowed files, and those that lie right in an allowed folder.
pub(super) fn upload_files(allowed: &[PathBuf]) -> UploadFiles {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in allowed {
        let mut inside: Vec<PathBuf> = match std::fs::read_dir(path) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(_) => vec![path.clone()],
        };
        inside.sort();
        files.extend(inside.into_iter().filter(|file| file.is_file()));
    }
    UploadFiles::new(files)
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
        let files = upload_files(&[folder.join("deep"), folder.clone(), folder.join("missing")]);
        assert_eq!(files.names(), ["other.txt", "alone.txt", "cv.pdf"]);
        assert_eq!(
            files.find(&["cv.pdf".to_owned()]),
            Ok(vec![folder.join("cv.pdf")])
        );
        for wrong in ["/etc/passwd", "../cv.pdf", ".hidden", "deep/other.txt", ""] {
            assert!(files.find(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
        assert!(upload_files(&[]).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
