//! Which functions lie together in the binary? Those that a running server needs, out of everything that it could do.
//!
//! The system maps a program in pieces of many functions. What a server with a session needs is a sixth of the program;
//! scattered over all of it, it would bring most of the program into memory. `layout.txt` names these functions,
//! `tools/layout.py` writes it. A name that is no more costs nothing. Linkers that read no such scripts (GNU ld and LLD
//! do) are left alone; `HUNTSMAN_LAYOUT=off` leaves the order to any.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=layout.txt");
    println!("cargo::rerun-if-env-changed=HUNTSMAN_LAYOUT");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|it| it == value);
    let is_for_use =
        is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && !is("OPT_LEVEL", "0");
    if !is_for_use || is("HUNTSMAN_LAYOUT", "off") || reads_no_scripts() {
        return Ok(());
    }
    let mut script = String::from("SECTIONS { .text.together : {\n");
    for name in std::fs::read_to_string("layout.txt")?
        .lines()
        .filter(|it| !it.starts_with('#'))
    {
        // The compiler puts what it thinks unlikely elsewhere; it was reached all the same.
        writeln!(script, "*(.text.{name} .text.unlikely.{name})")?;
    }
    script.push_str("} } INSERT BEFORE .text;\n");
    let path = Path::new(&std::env::var("OUT_DIR")?).join("layout.ld");
    std::fs::write(&path, script)?;
    println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", path.display());
    Ok(())
}

/// Whether the linker that the builder has chosen knows no `INSERT` in linker scripts.
fn reads_no_scripts() -> bool {
    ["CARGO_ENCODED_RUSTFLAGS", "RUSTC_LINKER"]
        .into_iter()
        .filter_map(|it| std::env::var(it).ok())
        .any(|it| ["mold", "gold", "wild"].iter().any(|name| it.contains(name)))
}
