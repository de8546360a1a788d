//! Secrets of endpoints, and signatures of messages by the Standard Webhooks specification.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use ring::hmac;
use wire::Code;

use crate::error::ServiceError;

/// What a secret's text begins with.
const PREFIX: &str = "whsec_";
/// Bytes of a secret.
const BYTES: usize = 32;

/// A new secret: `whsec_` and 32 random bytes in base64.
///
/// # Errors
/// When the system gives no random bytes.
pub(super) fn new_secret() -> Result<String, ServiceError> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
    Ok(format!("{PREFIX}{}", BASE64.encode(random)))
}

/// The headers of a message: its id, the time of this try, and a signature by each secret.
pub(super) fn headers<'a>(
    secrets: impl Iterator<Item = &'a str>,
    id: &str,
    at: Timestamp,
    body: &str,
) -> [(&'static str, String); 3] {
    let seconds = at.as_second();
    let signed = format!("{id}.{seconds}.{body}");
    let sign = |secret: &str| {
        let key = BASE64.decode(secret.strip_prefix(PREFIX)?).ok()?;
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), signed.as_bytes());
        Some(format!("v1,{}", BASE64.encode(tag)))
    };
    let signatures: Vec<String> = secrets.filter_map(sign).collect();
    [
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signatures.join(" ")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_reference_libraries_is_signed_as_they_do() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let at = Timestamp::from_second(1_614_265_330).unwrap();
        let body = r#"{"test": 2432232314}"#;
        let both = headers(
            [secret, secret].into_iter(),
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at,
            body,
        );
        let one = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(both[2].1, format!("{one} {one}"));
        assert_eq!(both[1].1, "1614265330");
        assert_ne!(new_secret().unwrap(), new_secret().unwrap());
    }
}
