//! Promises about records.

use crate::Store;

pub(super) async fn a_record_is_changed_by_those_who_know_it(store: &Store) {
    let records = &store.records;
    assert_eq!(records.get("a", "x").await, Ok(None));
    assert_eq!(
        records.put("a", "x", "1".into(), 7).await,
        Ok(None),
        "there is none"
    );
    let first = records
        .put("a", "x", "1".into(), 0)
        .await
        .unwrap()
        .expect("written");
    assert_eq!(
        records.put("a", "x", "2".into(), 0).await,
        Ok(None),
        "there is one"
    );
    let second = records
        .put("a", "x", "2".into(), first)
        .await
        .unwrap()
        .expect("written");
    assert_eq!(
        records.put("a", "x", "3".into(), first).await,
        Ok(None),
        "it has changed"
    );
    let stored = records.get("a", "x").await.unwrap().expect("the record");
    assert_eq!((stored.value.as_str(), stored.revision), ("2", second));
    assert_eq!(records.delete("a", "x").await, Ok(true));
    assert_eq!(records.delete("a", "x").await, Ok(false));
    let third = records
        .put("a", "x", "4".into(), 0)
        .await
        .unwrap()
        .expect("written");
    assert!(
        ![0, first, second].contains(&third),
        "an old revision means nothing"
    );
    assert_eq!(records.delete_revision("a", "x", second).await, Ok(false));
    assert!(records.get("a", "x").await.unwrap().is_some());
    assert_eq!(records.delete_revision("a", "x", third).await, Ok(true));
    assert_eq!(records.delete_revision("a", "x", third).await, Ok(false));
    assert_eq!(records.get("a", "x").await, Ok(None));
}

pub(super) async fn of_many_writers_one_writes(store: &Store) {
    let mut revision = store.records.put("a", "n", "0".into(), 0).await.unwrap().unwrap();
    for _ in 0..5 {
        let tries = (0..16).map(|number| {
            let records = store.records.clone();
            tokio::spawn(async move { records.put("a", "n", number.to_string(), revision).await })
        });
        let mut written = Vec::new();
        for attempt in tries.collect::<Vec<_>>() {
            written.extend(attempt.await.unwrap().unwrap());
        }
        assert_eq!(written.len(), 1);
        revision = written[0];
    }
}

pub(super) async fn records_are_listed_by_name_in_their_collection(store: &Store) {
    for (collection, name) in [("b", "z"), ("b", "m/2"), ("b", "m/10"), ("a", "c"), ("c", "a")] {
        let put = store.records.put(collection, name, name.to_owned(), 0).await;
        assert!(put.unwrap().is_some());
    }
    let names = async |after: &str, limit| {
        let listed = store.records.list("b", after, limit).await.unwrap();
        listed.into_iter().map(|it| it.name).collect::<Vec<_>>()
    };
    assert_eq!(names("", 9).await, ["m/10", "m/2", "z"]);
    assert_eq!(names("m/10", 1).await, ["m/2"]);
    assert_eq!(names("z", 9).await, [""; 0]);
}
