//! One-time passwords by time (RFC 6238), from a secret in base32 or an `otpauth` address.

use std::fmt;

use ring::hmac;
use url::Url;

/// Fewest bytes of a secret: 80 bits, as many as widely used issuers give.
const MIN_BYTES: usize = 10;
/// Most bytes of a secret.
const MAX_BYTES: usize = 128;

/// A generator of one-time passwords.
#[derive(Clone)]
pub struct TotpSecret {
    key: hmac::Key,
    digits: u32,
    /// Seconds for which a password is valid.
    period: u64,
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "TotpSecret({} digits, {} s)", self.digits, self.period)
    }
}

impl TotpSecret {
    /// Reads base32 (RFC 4648, with or without spaces, hyphens and padding), or an address
    /// `otpauth://totp/...?secret=...&algorithm=SHA1&digits=6&period=30`.
    ///
    /// # Errors
    /// What is wrong; the text holds nothing of the secret.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if !text.to_ascii_lowercase().starts_with("otpauth:") {
            return Self::new(text, "SHA1", 6, 30);
        }
        let url = Url::parse(text).map_err(|_| "is no otpauth address")?;
        if url.host_str() != Some("totp") {
            return Err("is no otpauth address of type totp; passwords by counter are not made");
        }
        let field = |name: &str| {
            let mut pairs = url.query_pairs();
            pairs
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.into_owned())
        };
        let number = |name: &str, usual: u64| match field(name) {
            None => Ok(usual),
            Some(text) => text
                .parse()
                .map_err(|_| "digits and period of the otpauth address must be numbers"),
        };
        let secret = field("secret").ok_or("the otpauth address has no secret")?;
        let algorithm = field("algorithm").unwrap_or_else(|| "SHA1".to_owned());
        Self::new(&secret, &algorithm, number("digits", 6)?, number("period", 30)?)
    }

    fn new(secret: &str, algorithm: &str, digits: u64, period: u64) -> Result<Self, &'static str> {
        let algorithm = match algorithm.to_ascii_uppercase().as_str() {
            "SHA1" => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
            "SHA256" => hmac::HMAC_SHA256,
            "SHA512" => hmac::HMAC_SHA512,
            _ => return Err("the algorithm of the otpauth address must be SHA1, SHA256 or SHA512"),
        };
        let digits = u32::try_from(digits)
            .ok()
            .filter(|it| (6..=8).contains(it))
            .ok_or("a one-time password has 6 to 8 digits")?;
        if !(10..=300).contains(&period) {
            return Err("a one-time password is valid for 10 to 300 seconds");
        }
        let bytes = base32(secret)
            .ok_or("is neither base32 (letters and the digits 2 to 7) nor an otpauth address")?;
        if !(MIN_BYTES..=MAX_BYTES).contains(&bytes.len()) {
            return Err("a secret of one-time passwords has 16 to 205 characters of base32");
        }
        Ok(Self {
            key: hmac::Key::new(algorithm, &bytes),
            digits,
            period,
        })
    }

    /// The password at a time, in seconds since 1970.
    pub fn code(&self, seconds: u64) -> String {
        let counter = (seconds / self.period).to_be_bytes();
        let tag = hmac::sign(&self.key, &counter);
        let tag = tag.as_ref();
        // Dynamic truncation: RFC 4226, 5.3.
        let offset = usize::from(tag.last().copied().unwrap_or_default() & 0x0f);
        let part = tag.get(offset..offset + 4).unwrap_or_default();
        let number = part
            .iter()
            .fold(0_u32, |number, byte| (number << 8) | u32::from(*byte))
            & 0x7fff_ffff;
        let width = self.digits as usize;
        format!("{:0width$}", number % 10_u32.pow(self.digits))
    }
}

fn base32(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut buffer, mut bits) = (Vec::new(), 0_u32, 0);
    let letters = text
        .trim_end_matches('=')
        .chars()
        .filter(|it| !matches!(it, ' ' | '-'));
    for letter in letters {
        let value = match letter.to_ascii_uppercase() {
            letter @ 'A'..='Z' => u32::from(letter) - u32::from('A'),
            digit @ '2'..='7' => u32::from(digit) - u32::from('2') + 26,
            _ => return None,
        };
        buffer = ((buffer << 5) | value) & 0xffff;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((buffer >> bits) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passwords_are_those_of_the_standard() {
        // RFC 6238, appendix B: the secrets are "1234567890" repeated to the length of each hash.
        let secrets = [
            ("SHA1", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
            ("SHA256", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA"),
            (
                "SHA512",
                "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA",
            ),
        ];
        let table = [
            (59, ["94287082", "46119246", "90693936"]),
            (1_111_111_109, ["07081804", "68084774", "25091201"]),
            (1_234_567_890, ["89005924", "91819424", "93441116"]),
            (20_000_000_000, ["65353130", "77737706", "47863826"]),
        ];
        for (seconds, codes) in table {
            for ((algorithm, secret), code) in secrets.iter().zip(codes) {
                let address = format!("otpauth://totp/A:b?secret={secret}&algorithm={algorithm}&digits=8");
                assert_eq!(
                    TotpSecret::parse(&address).unwrap().code(seconds),
                    code,
                    "{algorithm} {seconds}"
                );
            }
        }
        let plain = TotpSecret::parse("gezd gnbv gy3t qojq gezd gnbv gy3t qojq").unwrap();
        assert_eq!(plain.code(59), "287082");
    }

    #[test]
    fn what_is_no_secret_is_refused_without_being_repeated() {
        let long = "A".repeat(300);
        for wrong in [
            "",
            "hunter22!",
            "ABCDEFG1ABCDEFG1",
            "AAAA",
            &long,
            "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ",
            "otpauth://totp/x",
            "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=40",
            "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=0",
            "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5",
        ] {
            let error = TotpSecret::parse(wrong).unwrap_err();
            assert!(wrong.is_empty() || !error.contains(wrong), "{error}");
        }
    }
}
