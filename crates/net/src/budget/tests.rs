use proptest::prelude::*;
use tokio::time::sleep;

use super::*;

const STEP: usize = BodyBudget::STEP;

fn free(budget: &BodyBudget) -> usize {
    lock(&budget.0).free
}

#[tokio::test]
async fn a_body_holds_its_bytes_until_its_last_handle_is_gone() {
    let budget = BodyBudget::new(8 * STEP, 4 * STEP);
    let mut body = budget.reserve();
    body.grow_to(STEP + 1).await;
    assert_eq!(free(&budget), 6 * STEP);
    let whole = body.attach(vec![b'x'; STEP + 1]);
    assert_eq!(free(&budget), 7 * STEP - 1);
    let part = whole.slice(..3);
    drop(whole);
    assert_eq!((part.as_ref(), free(&budget)), (b"xxx".as_ref(), 7 * STEP - 1));
    drop(part);
    assert_eq!(free(&budget), 8 * STEP);
}

#[tokio::test(start_paused = true)]
async fn two_bodies_that_grow_at_once_both_end() {
    // Room for one body and a half: without an order both would stop at three quarters.
    let budget = BodyBudget::new(6 * STEP, 4 * STEP);
    let grow = |budget: BodyBudget| async move {
        let mut body = budget.reserve();
        for step in 1..=4 {
            body.grow_to(step * STEP).await;
            sleep(Duration::from_millis(10)).await;
        }
        body.attach(vec![0u8; 4 * STEP]).len()
    };
    let both = async { tokio::join!(grow(budget.clone()), grow(budget.clone())) };
    let ended = timeout(Duration::from_secs(60), both).await;
    assert_eq!(ended, Ok((4 * STEP, 4 * STEP)));
    assert_eq!(free(&budget), 6 * STEP);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stops_growing_does_not_hold_up_the_others() {
    let budget = BodyBudget::new(8 * STEP, 4 * STEP);
    let mut silent = budget.reserve();
    silent.grow_to(STEP).await;
    let mut body = budget.reserve();
    let granted = timeout(Duration::from_secs(1), body.grow_to(4 * STEP)).await;
    assert!(
        granted.is_ok(),
        "4 are free beside the 3 that the silent one may still take"
    );
    let mut third = budget.reserve();
    assert!(
        timeout(Duration::from_secs(1), third.grow_to(STEP))
            .await
            .is_err()
    );
    drop(body);
    assert!(timeout(Duration::from_secs(1), third.grow_to(STEP)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_given_up_leaves_nothing_behind() {
    let budget = BodyBudget::new(4 * STEP, 4 * STEP);
    let mut first = budget.reserve();
    first.grow_to(4 * STEP).await;
    let mut second = budget.reserve();
    assert!(
        timeout(Duration::from_secs(1), second.grow_to(STEP))
            .await
            .is_err()
    );
    drop(first);
    drop(second);
    assert_eq!(free(&budget), 4 * STEP);
    assert!(lock(&budget.0).growing.is_empty());
}

#[tokio::test(start_paused = true)]
async fn readers_wait_for_room_in_turn_and_not_for_ever() {
    let room = ReadingRoom::new(10 * 1024);
    let (wait, cancel) = (Duration::from_secs(5), CancellationToken::new());
    let first = room.hold(6 * 1024, wait, &cancel).await.unwrap();
    let refused = room.hold(6 * 1024, wait, &cancel).await.unwrap_err();
    assert_eq!(refused, Error::Timeout(TimeLimit::Room));
    let second = async { room.hold(6 * 1024, wait, &cancel).await.map(drop) };
    let leaving = async {
        sleep(Duration::from_secs(1)).await;
        drop(first);
    };
    assert_eq!(tokio::join!(second, leaving).0, Ok(()));
    let all = room.hold(usize::MAX, wait, &cancel).await.unwrap();
    cancel.cancel();
    assert_eq!(room.hold(1, wait, &cancel).await.unwrap_err(), Error::Cancelled);
    drop(all);
}

/// One body of a random history: how much it grows by at a time, how long it is kept, and whether it is given up.
#[derive(Debug, Clone)]
struct Life {
    begins: u64,
    parts: Vec<usize>,
    pause: u64,
    kept: u64,
    given_up: bool,
}

fn life() -> impl Strategy<Value = Life> {
    let parts = prop::collection::vec(1..2 * STEP, 0..12);
    (0..40u64, parts, 0..20u64, 0..50u64, any::<bool>()).prop_map(|(begins, parts, pause, kept, given_up)| {
        Life {
            begins,
            parts,
            pause,
            kept,
            given_up,
        }
    })
}

proptest! {
    /// Whatever bodies come, grow, stay and are given up: all of them end, never is more held than there is, and at
    /// the end everything is free again.
    #[test]
    fn no_history_ends_in_a_deadlock(total in 1..16usize, largest in 1..8usize, lives in prop::collection::vec(life(), 1..24)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let (total, largest) = (total * STEP, largest * STEP);
        let budget = BodyBudget::new(total, largest);
        let total = total.max(largest);
        runtime.block_on(async {
            let held = Arc::new(Mutex::new(0usize));
            let bodies: Vec<_> = lives.into_iter().map(|life| {
                let (budget, held) = (budget.clone(), held.clone());
                tokio::spawn(async move {
                    sleep(Duration::from_millis(life.begins)).await;
                    let mut body = budget.reserve();
                    let mut size = 0;
                    for part in life.parts {
                        let next = (size + part).min(largest);
                        body.grow_to(next).await;
                        *held.lock().unwrap() += next - size;
                        assert!(*held.lock().unwrap() <= total);
                        size = next;
                        sleep(Duration::from_millis(life.pause)).await;
                    }
                    if life.given_up {
                        *held.lock().unwrap() -= size;
                        return;
                    }
                    let whole = body.attach(vec![0u8; size]);
                    sleep(Duration::from_millis(life.kept)).await;
                    *held.lock().unwrap() -= size;
                    drop(whole);
                })
            }).collect();
            for body in bodies {
                timeout(Duration::from_secs(3600), body).await.expect("a deadlock").unwrap();
            }
        });
        prop_assert_eq!(free(&budget), total);
    }
}
