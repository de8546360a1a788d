//! Tests of tenants: lives of keys, budgets.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use store::Store;
use store::engines::memory::InMemoryStore;
use store::owners::{UsageAmounts, UsageKey, UsageTotal};
use store::records::{Record, Records};
use wire::Code;
use wire::tenancy::{KeyRequest, RotateRequest, TenantLimits, TenantRequest};
use wire::tenant_policy::ModelKey;

use super::audit::Actor;
use super::registry::{NewKey, Tenants};

async fn tenants(limits: &[&str]) -> Tenants {
    tenants_of(InMemoryStore::open(), limits).await
}

async fn tenants_of(store: Store, limits: &[&str]) -> Tenants {
    let tenants = Tenants::new(store, TenantLimits::default());
    let request = TenantRequest {
        name: Some("acme".into()),
        limits: TenantLimits::read(limits).unwrap(),
        ..TenantRequest::default()
    };
    tenants.create(&Actor::command_line(), &request).await.unwrap();
    tenants
}

async fn made(tenants: &Tenants, expires_days: Option<u32>) -> NewKey {
    let request = KeyRequest {
        tenant: "acme".into(),
        label: String::new(),
        scopes: Vec::new(),
        expires_days,
    };
    tenants
        .create_key(&Actor::command_line(), &request)
        .await
        .unwrap()
}

async fn opens(tenants: &Tenants, key: &NewKey) -> bool {
    let checked = tenants.authenticate(key.text.reveal()).await.unwrap();
    checked.is_some_and(|checked| {
        let identity = checked.identity();
        identity.key.id == key.key.id && identity.tenant.name == "acme"
    })
}

#[tokio::test]
async fn a_key_opens_until_it_is_rotated_without_grace_revoked_or_expired() {
    let (tenants, actor) = (tenants(&[]).await, Actor::command_line());
    let first = made(&tenants, None).await;
    assert!(opens(&tenants, &first).await);
    let with_grace = RotateRequest { grace_hours: 1 };
    let second = tenants
        .rotate_key(&actor, &first.key.id, with_grace)
        .await
        .unwrap();
    assert!(
        opens(&tenants, &first).await && opens(&tenants, &second).await,
        "they overlap"
    );
    assert!(
        tenants
            .rotate_key(&actor, &first.key.id, with_grace)
            .await
            .is_err(),
        "once"
    );
    let at_once = RotateRequest { grace_hours: 0 };
    let third = tenants.rotate_key(&actor, &second.key.id, at_once).await.unwrap();
    assert!(!opens(&tenants, &second).await && opens(&tenants, &third).await);
    tenants.revoke_key(&actor, &third.key.id).await.unwrap();
    assert!(!opens(&tenants, &third).await);
    assert!(
        tenants
            .rotate_key(&actor, &third.key.id, with_grace)
            .await
            .is_err()
    );
    let limited = made(&tenants, Some(1)).await;
    let (created, expiry) = (limited.key.created_at, limited.key.expires_at.unwrap());
    assert!(opens(&tenants, &limited).await);
    assert_eq!(expiry.duration_since(created), SignedDuration::from_hours(24));
    assert!(limited.key.is_valid(created) && !limited.key.is_valid(expiry));
    assert!(tenants.have_keys().await.unwrap());
}

#[tokio::test]
async fn no_text_of_a_key_is_in_the_store_or_in_what_is_shown() {
    let tenants = tenants(&[]).await;
    let key = made(&tenants, None).await;
    let text = key.text.reveal();
    for collection in ["keys", "audit", "tenants", "flags"] {
        let records = tenants.store().records.list(collection, "", 99).await.unwrap();
        assert!(!records.is_empty());
        assert!(
            records.iter().all(|record| !record.value.contains(&text[12..])),
            "{collection}"
        );
    }
    let shown = format!("{:?} {}", key, key.key.shown());
    assert!(!shown.contains(&text[12..]) && !key.key.shown().to_string().contains("sha256"));
}

#[tokio::test]
async fn names_that_keys_of_the_environment_have_are_not_to_be_had() {
    let tenants = tenants(&[]).await;
    for name in ["0123456789abcdef", "", "Acme", "a/b", "-a", "a-", &"x".repeat(41)] {
        let request = TenantRequest {
            name: Some(name.to_owned()),
            limits: TenantLimits::default(),
            ..TenantRequest::default()
        };
        let refused = tenants
            .create(&Actor::command_line(), &request)
            .await
            .unwrap_err();
        assert_eq!(refused.code, Code::InvalidRequest, "{name}");
    }
}

#[tokio::test]
async fn a_run_gets_what_is_left_and_none_begins_when_nothing_is() {
    let tenants = tenants(&[
        "tokens_per_day=100",
        "tokens_per_month=150",
        "dollars_per_month=0.5",
    ])
    .await;
    let key = made(&tenants, None).await;
    let checked = tenants.authenticate(key.text.reveal()).await.unwrap().unwrap();
    let identity = checked.identity();
    let spend = async |input_tokens, micro_dollars| {
        let amounts = UsageAmounts {
            input_tokens,
            micro_dollars,
            ..UsageAmounts::default()
        };
        let key = UsageKey {
            owner: "acme".into(),
            day: Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date(),
            key: String::new(),
            kind: "research".into(),
            model: "m".into(),
        };
        let total = UsageTotal { key, amounts };
        tenants.store().owners.add_usage(vec![total]).await.unwrap();
    };
    spend(40, 100_000).await;
    let budget = tenants.admit(identity).await.unwrap().budget;
    assert_eq!((budget.tokens, budget.micro_dollars), (Some(60), Some(400_000)));
    spend(60, 0).await;
    let refused = tenants.admit(identity).await.unwrap_err();
    assert_eq!(refused.code, Code::RateLimited);
    assert!(
        refused
            .retry_after
            .is_some_and(|wait| wait <= Duration::from_secs(86_400))
    );
    let lifted = TenantRequest {
        name: None,
        limits: TenantLimits::read(&["tokens_per_day=0"]).unwrap(),
        ..TenantRequest::default()
    };
    tenants
        .change(&Actor::command_line(), "acme", &lifted)
        .await
        .unwrap();
    let checked = tenants.authenticate(key.text.reveal()).await.unwrap().unwrap();
    let identity = checked.identity();
    assert_eq!(tenants.admit(identity).await.unwrap().budget.tokens, Some(50));
    spend(0, 400_000).await;
    assert_eq!(
        tenants.admit(identity).await.unwrap_err().code,
        Code::SpendingLimit
    );
}

/// Records whose every call lets others go first, as a store over the network does.
struct SlowRecords(Arc<dyn Records>);

#[async_trait]
impl Records for SlowRecords {
    async fn get(&self, collection: &str, name: &str) -> Result<Option<Record>, store::Error> {
        tokio::task::yield_now().await;
        self.0.get(collection, name).await
    }

    async fn put(
        &self,
        collection: &str,
        name: &str,
        value: String,
        expected: u64,
    ) -> Result<Option<u64>, store::Error> {
        tokio::task::yield_now().await;
        self.0.put(collection, name, value, expected).await
    }

    async fn delete(&self, collection: &str, name: &str) -> Result<bool, store::Error> {
        tokio::task::yield_now().await;
        self.0.delete(collection, name).await
    }

    async fn delete_revision(
        &self,
        collection: &str,
        name: &str,
        revision: u64,
    ) -> Result<bool, store::Error> {
        tokio::task::yield_now().await;
        self.0.delete_revision(collection, name, revision).await
    }

    async fn list(&self, collection: &str, after: &str, limit: usize) -> Result<Vec<Record>, store::Error> {
        tokio::task::yield_now().await;
        self.0.list(collection, after, limit).await
    }
}

#[tokio::test]
async fn of_two_rotations_at_once_one_makes_a_successor() {
    let mut store = InMemoryStore::open();
    store.records = Arc::new(SlowRecords(store.records));
    let (tenants, actor) = (tenants_of(store, &[]).await, Actor::command_line());
    let first = made(&tenants, None).await;
    let rotate = || tenants.rotate_key(&actor, &first.key.id, RotateRequest { grace_hours: 1 });
    let (one, other) = tokio::join!(rotate(), rotate());
    let (made, refused) = match (one, other) {
        (Ok(made), Err(refused)) | (Err(refused), Ok(made)) => (made, refused),
        both => panic!("{both:?}"),
    };
    assert_eq!(refused.code, Code::Conflict);
    let keys = tenants.keys(None).await.unwrap();
    assert_eq!(keys.len(), 2, "{keys:?}");
    let old = keys.iter().find(|key| key.id == first.key.id).unwrap();
    assert_eq!(old.replaced_by.as_ref(), Some(&made.key.id));
}

#[tokio::test]
async fn of_two_creations_of_one_name_the_keys_of_the_one_that_made_it_stay() {
    let mut store = InMemoryStore::open();
    store.records = Arc::new(SlowRecords(store.records));
    let (tenants, actor) = (
        Tenants::new(store, TenantLimits::default()),
        Actor::command_line(),
    );
    let request = |key: &str| TenantRequest {
        name: Some("acme".into()),
        model_keys: [("openai".to_owned(), ModelKey::new(key).ok())].into(),
        ..TenantRequest::default()
    };
    let (one, other) = (request("key-of-the-first"), request("key-of-the-second"));
    let (one, other) = tokio::join!(tenants.create(&actor, &one), tenants.create(&actor, &other));
    let (made, owner) = match (one, other) {
        (Ok(made), Err(refused)) if refused.code == Code::Conflict => (made, "key-of-the-first"),
        (Err(refused), Ok(made)) if refused.code == Code::Conflict => (made, "key-of-the-second"),
        both => panic!("{both:?}"),
    };
    assert_eq!(made.model_keys, ["openai"]);
    assert_eq!(tenants.get("acme").await.unwrap(), made);
    let keys = super::policy::read_keys(tenants.store(), "acme", &made.model_keys)
        .await
        .unwrap();
    assert_eq!(keys["openai"].reveal(), owner);
}

#[tokio::test]
async fn a_tenant_whose_model_keys_cannot_be_kept_is_not_created() {
    let tenants = tenants(&[]).await;
    let keys = (0..21).map(|number| (format!("provider{number}"), ModelKey::new("key-of-a-model").ok()));
    let request = TenantRequest {
        name: Some("many".into()),
        model_keys: keys.collect(),
        ..TenantRequest::default()
    };
    let refused = tenants.create(&Actor::command_line(), &request).await;
    assert_eq!(refused.unwrap_err().code, Code::InvalidRequest);
    assert_eq!(tenants.get("many").await.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn a_limit_that_is_taken_away_leaves_that_of_the_settings() {
    let of_settings = TenantLimits::read(&["running=9"]).unwrap();
    let tenants = Tenants::new(InMemoryStore::open(), of_settings);
    let actor = Actor::command_line();
    let request = |body: &[u8]| TenantRequest::parse(body).unwrap();
    let created = request(br#"{"name": "acme", "limits": {"running": 2}}"#);
    tenants.create(&actor, &created).await.unwrap();
    let taken = request(br#"{"limits": {"running": null}}"#);
    let tenant = tenants.change(&actor, "acme", &taken).await.unwrap();
    assert_eq!(tenant.limits, TenantLimits::default());
    assert_eq!(tenants.limits(&tenant).running, Some(9.0));
}
