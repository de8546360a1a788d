//! Keys: the cost of a check, and 10,000 wrong ones.

use std::time::{Duration, Instant};

use crate::client::Client;
use crate::stand::Stand;

/// What a check costs, of a key that was seen within the last second and of one that was not.
pub(crate) async fn cost_of_a_check() {
    const KEYS: usize = 2_000;
    const CHECKS: u32 = 200_000;
    let stand = Stand::start(Duration::ZERO).await;
    stand.tenant("acme", 1, &[]).await;
    let mut keys = Vec::new();
    for _ in 0..KEYS {
        keys.push(stand.key("acme").await);
    }
    for key in &keys {
        // The first use is written down; later ones within a minute are not.
        assert!(stand.tenants.authenticate(key).await.unwrap().is_some());
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let began = Instant::now();
    for key in &keys {
        assert!(stand.tenants.authenticate(key).await.unwrap().is_some());
    }
    let cold = began.elapsed().as_secs_f64() * 1e6 / KEYS as f64;
    let key = keys.first().unwrap();
    let began = Instant::now();
    for _ in 0..CHECKS {
        assert!(stand.tenants.authenticate(key).await.unwrap().is_some());
    }
    let warm = began.elapsed().as_secs_f64() * 1e6 / f64::from(CHECKS);
    let wrong = format!("hmk_{}", "x".repeat(44));
    let began = Instant::now();
    for _ in 0..CHECKS {
        assert!(stand.tenants.authenticate(&wrong).await.unwrap().is_none());
    }
    let refused = began.elapsed().as_secs_f64() * 1e6 / f64::from(CHECKS);
    println!(
        "a check of a key costs {warm:.2} us; {cold:.1} us where it was not seen for a second; {refused:.2} us for a mistyped one"
    );
}

/// Milliseconds of a request with the right key, the median.
async fn right_key(client: &mut Client, key: &str) -> f64 {
    let mut times = Vec::new();
    let request = client.prepare("GET", "/v1/runs?limit=1", Some(key), "");
    for _ in 0..200 {
        let began = Instant::now();
        let (status, _) = client.ask(&request).await;
        assert_eq!(status, 200, "the right key is not refused");
        times.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// 10,000 wrong keys of one address, and the right key of another.
pub(crate) async fn wrong_keys() {
    const WRONG: u32 = 10_000;
    let stand = Stand::start(Duration::ZERO).await;
    stand.tenant("acme", 1, &[]).await;
    let key = stand.key("acme").await;
    let (at, shutdown) = stand.serve().await;
    let mut other = Client::connect("127.0.0.1", at).await;
    let before = right_key(&mut other, &key).await;
    let guessing = tokio::spawn(async move {
        let mut guesser = Client::connect("127.0.0.2", at).await;
        let (mut checked, mut slowed) = (0, 0);
        let began = Instant::now();
        for number in 0..WRONG {
            let request = guesser.prepare("GET", "/v1/runs", Some(&format!("guess-{number}")), "");
            match guesser.ask(&request).await.0 {
                401 => checked += 1,
                429 => slowed += 1,
                status => panic!("{status}"),
            }
        }
        (checked, slowed, began.elapsed())
    });
    let during = right_key(&mut other, &key).await;
    let (checked, slowed, time) = guessing.await.unwrap();
    let after = right_key(&mut other, &key).await;
    println!(
        "of {WRONG} wrong keys of one address in {:.1} s {checked} were checked and {slowed} told to wait; the right key of \
         another address took {before:.2} ms before, {during:.2} ms meanwhile, {after:.2} ms after, and was never refused",
        time.as_secs_f64()
    );
    shutdown.cancel();
}
