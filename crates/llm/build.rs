//! Lists the files of `catalog/` in a generated table.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=catalog");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("catalog");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path
                .file_stem()
                .and_then(|it| it.to_str())
                .ok_or("a file name is no text")?
                .to_owned();
            files.push((name, path));
        }
    }
    files.sort();
    let mut code =
        String::from("/// Name and text of every file in `catalog/`.\nconst FILES: &[(&str, &str)] = &[\n");
    for (name, path) in files {
        code.push_str(&format!("    ({name:?}, include_str!({path:?})),\n"));
    }
    code.push_str("];\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("catalog.rs"), code)?;
    Ok(())
}
