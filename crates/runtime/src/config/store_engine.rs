//! The engines of the store that an operator can choose.

use std::ffi::OsString;

use store::engines::nats::NatsAddress;

use super::setting::{Setting, SettingValue};

/// Engine behind the store's ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreEngine {
    /// A SQLite database in the data folder.
    Sqlite,
    /// Runs live in this process and are gone with it.
    Memory,
    /// A cluster of NATS servers with JetStream, by the addresses of some of them.
    Nats(Vec<NatsAddress>),
}

impl StoreEngine {
    /// Whether a text names hosts that would be asked.
    pub(super) fn names_hosts(text: &str) -> bool {
        text.contains(':')
    }

    fn parse(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "sqlite" => return Some(Self::Sqlite),
            "memory" => return Some(Self::Memory),
            _ => {}
        }
        let (first, _) = text.split_once(',').unwrap_or((text, ""));
        let (scheme, _) = first.trim().split_once("://")?;
        let addresses = text.split(',').map(|address| {
            let address = address.trim();
            // The scheme of the first one holds for those that have none.
            let whole = if address.contains("://") {
                address.to_owned()
            } else {
                format!("{scheme}://{address}")
            };
            NatsAddress::parse(&whole).ok()
        });
        Some(Self::Nats(addresses.collect::<Option<_>>()?))
    }
}

impl SettingValue for StoreEngine {
    fn takes(_: &Setting) -> String {
        "`sqlite`, `memory`, or the addresses of NATS servers without user names, such as `nats://host:port,host:port`"
            .to_owned()
    }

    fn read(texts: &[OsString], _: &Setting) -> Result<Self, OsString> {
        let last = texts.last().cloned().unwrap_or_default();
        // What is no address may hold a password, and is not repeated.
        let shown = match last.to_str() {
            Some(text) if text.contains('@') => OsString::from("an address with a user name"),
            _ => last,
        };
        match texts {
            [text] => text.to_str().and_then(Self::parse).ok_or(shown),
            _ => Err(shown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_passwords_in_them_refused() {
        let nats = |texts: &[&str]| {
            let parsed = texts.iter().map(|text| NatsAddress::parse(text).unwrap());
            Some(StoreEngine::Nats(parsed.collect()))
        };
        assert_eq!(
            StoreEngine::parse("nats://a:4222,b, c:4223"),
            nats(&["nats://a:4222", "nats://b", "nats://c:4223"])
        );
        assert_eq!(StoreEngine::parse("tls://a,b"), nats(&["tls://a", "tls://b"]));
        assert_eq!(StoreEngine::parse("Memory"), Some(StoreEngine::Memory));
        for wrong in [
            "postgres://a",
            "nats://",
            "nats://me:word@a",
            "a,b",
            "",
            "nats://a,,b",
        ] {
            assert_eq!(StoreEngine::parse(wrong), None, "{wrong}");
        }
    }
}
