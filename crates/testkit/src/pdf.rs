//! A small PDF document (ISO 32000-1, 7.5).

/// A document of one page with a title and these lines, each of which is ASCII without parentheses and backslashes.
pub fn document(title: &str, lines: &[&str]) -> Vec<u8> {
    let text: String = lines
        .iter()
        .map(|line| format!("({line}) Tj\n0 -16 Td\n"))
        .collect();
    let stream = format!("BT\n/F1 12 Tf\n72 720 Td\n{text}ET");
    page(title, &stream, HELVETICA)
}

/// A standard font.
pub const HELVETICA: &[&str] =
    &["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"];

/// A document of one page with this content. The first of the objects, which are numbered from 6, is the font `F1`; the
/// second one is the object `X1`.
pub fn page(title: &str, content: &str, objects: &[&str]) -> Vec<u8> {
    let fixed = [
        "<< /Type /Catalog /Pages 2 0 R /Lang (de) >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
         /Resources << /Font << /F1 6 0 R >> /XObject << /X1 7 0 R >> >> >>"
            .to_owned(),
        stream("", content),
        format!("<< /Title ({title}) /Author (Ada Brown) /CreationDate (D:20240304101500+01'00') >>"),
    ];
    let own = objects.iter().map(|object| (*object).to_owned());
    let objects: Vec<String> = fixed.into_iter().chain(own).collect();
    let mut out = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let table = out.len();
    out.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    out.extend(offsets.iter().map(|offset| format!("{offset:010} 00000 n \n")));
    out.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{table}\n%%EOF\n",
        objects.len() + 1
    ));
    out.into_bytes()
}

/// A stream with these entries of its dictionary.
pub fn stream(entries: &str, content: &str) -> String {
    format!(
        "<< /Length {} {entries} >>\nstream\n{content}\nendstream",
        content.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_written_is_read() {
        let lines = ["A kettle boils one", "litre in 2 minutes."];
        let sandbox = crate::sandbox::sandbox();
        let read = sandbox::pdf::read(&sandbox, document("On kettles", &lines).into())
            .await
            .unwrap();
        assert_eq!((read.title.as_str(), read.cut), ("On kettles", false));
        assert_eq!(read.pages, ["A kettle boils one litre in 2 minutes."]);
        let broken = sandbox::pdf::read(&sandbox, "%PDF-1.7 and nothing more".into());
        assert!(broken.await.is_err());
    }
}
