//! `schemas`: writes the checked-in JSON Schemas from the types of `wire`.

use crate::shell;

/// Runs `wire`'s own generator, so that this crate need not be built with it.
pub(crate) fn run() -> anyhow::Result<()> {
    shell::run(
        "cargo",
        &[
            "run",
            "--quiet",
            "--package",
            "wire",
            "--example",
            "schemas",
            "--",
            "crates/wire/schemas",
        ],
    )
}
