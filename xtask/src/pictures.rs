//! The pictures of `docs/console.md`: pages of the console with runs that are recorded while they are taken.

use crate::shell;

/// Where the pictures are.
const FOLDER: &str = "docs/images";

/// Takes all pictures again.
pub(crate) fn run() -> anyhow::Result<()> {
    std::fs::create_dir_all(FOLDER)?;
    let folder = std::path::absolute(FOLDER)?;
    let test = "console_pictures::the_pictures_of_the_document_are_small_and_of_pages_without_faults";
    let words = [
        "test",
        "--quiet",
        "-p",
        "server",
        "--test",
        "server",
        test,
        "--",
        "--exact",
        "--ignored",
    ];
    shell::run_with(
        "cargo",
        &words,
        &[("HUNTSMAN_PICTURES", &folder.to_string_lossy())],
    )
}
