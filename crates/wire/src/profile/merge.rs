//! Merging of what a run changed into the state that is saved now, cookie by cookie and item by item.

use std::collections::BTreeMap;

use super::storage_state::{LocalItem, OriginState, StorageState, StoredCookie};

/// What makes a cookie the same one: name, domain and path (RFC 6265, 5.3).
type CookieKey = (String, String, String);
/// Origin and key of an item.
type ItemKey = (String, String);

impl StorageState {
    /// The state that is saved now, with the changes of a run that began with `base` and ended with `ended`. What the run did
    /// not change stays as it is now; of two runs that changed the same cookie or item, the one that is merged last wins.
    #[must_use]
    pub fn merged(self, base: &StorageState, ended: &StorageState) -> StorageState {
        let (mut cookies, begun) = (self.cookie_map(), base.cookie_map());
        for (key, change) in changes(&begun, &ended.cookie_map()) {
            let before = begun.get(&key);
            // A browser may shorten the life of a cookie. That alone does not undo what another run has written.
            let is_shortened = match (before, &change) {
                (Some(before), Some(after)) => {
                    StoredCookie {
                        expires: before.expires,
                        ..after.clone()
                    } == *before
                }
                _ => false,
            };
            if !(is_shortened && cookies.get(&key) != before) {
                put(&mut cookies, key, change);
            }
        }
        let mut items = self.item_map();
        for (key, change) in changes(&base.item_map(), &ended.item_map()) {
            put(&mut items, key, change);
        }
        StorageState {
            cookies: cookies.into_values().collect(),
            origins: origins(items),
        }
    }

    fn cookie_map(&self) -> BTreeMap<CookieKey, StoredCookie> {
        let key = |it: &StoredCookie| (it.domain.clone(), it.path.clone(), it.name.clone());
        self.cookies.iter().map(|it| (key(it), it.clone())).collect()
    }

    fn item_map(&self) -> BTreeMap<ItemKey, String> {
        let of_origin = |origin: &OriginState| {
            let name = origin.origin.clone();
            let items = origin.local_storage.clone().into_iter();
            items.map(move |item| ((name.clone(), item.name), item.value))
        };
        self.origins.iter().flat_map(of_origin).collect()
    }
}

/// The keys whose values differ, with their new values; none where the value is gone.
fn changes<K: Ord + Clone, V: PartialEq + Clone>(
    base: &BTreeMap<K, V>,
    ended: &BTreeMap<K, V>,
) -> Vec<(K, Option<V>)> {
    let gone = base.keys().filter(|key| !ended.contains_key(key));
    let gone = gone.map(|key| (key.clone(), None));
    let new = ended.iter().filter(|(key, value)| base.get(key) != Some(value));
    gone.chain(new.map(|(key, value)| (key.clone(), Some(value.clone()))))
        .collect()
}

fn put<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    };
}

fn origins(items: BTreeMap<ItemKey, String>) -> Vec<OriginState> {
    let mut origins: Vec<OriginState> = Vec::new();
    for ((origin, name), value) in items {
        let item = LocalItem { name, value };
        match origins.last_mut().filter(|last| last.origin == origin) {
            Some(last) => last.local_storage.push(item),
            None => origins.push(OriginState {
                origin,
                local_storage: vec![item],
            }),
        }
    }
    origins
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn state(cookies: &[(&str, &str)], items: &[(&str, &str)]) -> StorageState {
        let cookies: Vec<_> = cookies
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value, "domain": "a.example", "path": "/"}))
            .collect();
        let items: Vec<_> = items
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect();
        let origins = match items.is_empty() {
            true => json!([]),
            false => json!([{"origin": "https://a.example", "localStorage": items}]),
        };
        let file = json!({"cookies": cookies, "origins": origins});
        StorageState::parse(file.to_string().as_bytes()).unwrap().state
    }

    #[test]
    fn two_runs_keep_what_the_other_one_changed() {
        let base = state(
            &[("a", "1"), ("b", "1"), ("gone", "1")],
            &[("x", "1"), ("y", "1")],
        );
        let first = state(&[("a", "2"), ("b", "1"), ("new", "1")], &[("x", "2"), ("y", "1")]);
        let second = state(&[("a", "1"), ("b", "3"), ("gone", "1")], &[("x", "1")]);
        let saved = base.clone().merged(&base, &first).merged(&base, &second);
        assert_eq!(
            saved,
            state(&[("a", "2"), ("b", "3"), ("new", "1")], &[("x", "2")])
        );
        let third = state(
            &[("a", "9"), ("b", "1"), ("gone", "1")],
            &[("x", "1"), ("y", "1")],
        );
        let saved = saved.merged(&base, &third);
        assert_eq!(
            saved,
            state(&[("a", "9"), ("b", "3"), ("new", "1")], &[("x", "2")])
        );
        let mut shortened = base.clone();
        shortened.cookies[0].expires = 7.0;
        assert_eq!(saved.clone().merged(&base, &shortened), saved);
        assert_eq!(base.clone().merged(&base, &shortened), shortened);
    }
}
