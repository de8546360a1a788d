//! Mail addresses that Cloudflare hides from harvesters, decoded as a browser shows them.
//!
//! Each address is replaced by `[email protected]` with the address in `data-cfemail`: in
//! hexadecimal, the first byte the key that all others are combined with by exclusive or. The
//! script that undoes it runs in every visitor's browser.

/// The attribute that holds the address.
pub(super) const ATTRIBUTE: &str = "data-cfemail";

/// The address in a value of the attribute; none when it is no text.
pub(super) fn decode(hex: &str) -> Option<String> {
    let bytes = hex.as_bytes();
    if bytes.len() < 4 || bytes.len() > 1024 || !bytes.len().is_multiple_of(2) || !hex.is_ascii() {
        return None;
    }
    let mut values = bytes
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    let key = values.next()??;
    let decoded: Option<Vec<u8>> = values.map(|value| value.map(|value| value ^ key)).collect();
    let address = String::from_utf8(decoded?).ok()?;
    (address.contains('@') && !address.contains(|c: char| c.is_control() || c.is_whitespace()))
        .then_some(address)
}
