//! Promises of the vault.

use crate::vault::{RecordKey, RecordKind, WriteCondition};
use crate::{Error, Store};

const NEW: WriteCondition = WriteCondition::Absent { limit: 2 };

fn key(owner: &str, name: &str) -> RecordKey {
    RecordKey {
        owner: owner.into(),
        kind: RecordKind::Profile,
        name: name.into(),
    }
}

pub(super) async fn a_record_is_written_by_its_generation_and_seen_by_its_owner(store: &Store) {
    let vault = &store.vault;
    let shop = key("ada", "shop");
    assert_eq!(vault.write(&shop, "{}", "first", NEW).await, Ok(Some(1)));
    assert_eq!(
        vault.write(&shop, "{}", "again", NEW).await,
        Ok(None),
        "it exists"
    );
    let after_first = WriteCondition::Generation(1);
    assert_eq!(
        vault.write(&shop, "{\"n\":2}", "second", after_first).await,
        Ok(Some(2))
    );
    assert_eq!(
        vault.write(&shop, "{}", "late", after_first).await,
        Ok(None),
        "another write came before"
    );
    let read = vault.read(&shop).await.unwrap().unwrap();
    assert_eq!(read.value.as_deref(), Ok("second"));
    assert_eq!(
        (read.summary.facts.as_str(), read.summary.generation),
        ("{\"n\":2}", 2)
    );
    assert!(read.summary.updated_at >= read.summary.created_at);
    let secret = RecordKey {
        kind: RecordKind::Secret,
        ..shop.clone()
    };
    for foreign in [key("bob", "shop"), key("", "shop"), key("ada", "Shop"), secret] {
        assert_eq!(vault.read(&foreign).await, Ok(None), "{foreign:?}");
        assert_eq!(vault.delete(&foreign).await, Ok(false), "{foreign:?}");
        let write = vault.write(&foreign, "{}", "x", WriteCondition::Generation(2));
        assert_eq!(write.await, Ok(None), "{foreign:?}");
    }
    vault.write(&key("ada", "bank"), "{}", "x", NEW).await.unwrap();
    assert_eq!(
        vault.write(&key("ada", "third"), "{}", "x", NEW).await,
        Err(Error::VaultFull { limit: 2 })
    );
    let listed = vault.list("ada", RecordKind::Profile).await.unwrap();
    let names: Vec<&str> = listed.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["bank", "shop"]);
    assert_eq!(vault.list("bob", RecordKind::Profile).await, Ok(Vec::new()));
    assert_eq!(vault.delete(&shop).await, Ok(true));
    assert_eq!(vault.read(&shop).await, Ok(None));
    assert_eq!(vault.write(&shop, "{}", "anew", NEW).await, Ok(Some(1)));
}

pub(super) async fn of_writes_at_the_same_moment_one_is_done(store: &Store) {
    let shop = key("ada", "shop");
    store.vault.write(&shop, "{}", "first", NEW).await.unwrap();
    let mut writes = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (store, shop) = (store.clone(), shop.clone());
        writes.spawn(async move {
            let value = number.to_string();
            let condition = WriteCondition::Generation(1);
            store.vault.write(&shop, "{}", &value, condition).await.unwrap()
        });
    }
    let done = writes.join_all().await;
    assert_eq!(done.iter().filter(|it| it.is_some()).count(), 1, "{done:?}");
}
