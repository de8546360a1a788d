//! Writes the JSON Schemas of the wire into a folder. `cargo xtask schemas` runs it.

fn main() -> std::io::Result<()> {
    let folder = std::env::args()
        .nth(1)
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/schemas").into());
    for (name, schema) in wire::schema::all() {
        std::fs::write(format!("{folder}/{name}.json"), wire::schema::text(&schema))?;
    }
    Ok(())
}
