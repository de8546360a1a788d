//! A small PDF document (ISO 32000-1, 7.5).

/// A document of one page with a title and these lines, each of which is ASCII without parentheses and backslashes.
pub fn document(title: &str, lines: &[&str]) -> Vec<u8> {
    let text: String = lines
        .iter()
        .map(|line| format!("({line}) Tj\n0 -16 Td\n"))
        .collect();
    let stream = format!("BT\n/F1 12 Tf\n72 720 Td\n{text}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        format!("<< /Title ({title}) >>"),
    ];
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
        "trailer\n<< /Size {} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{table}\n%%EOF\n",
        objects.len() + 1
    ));
    out.into_bytes()
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
