//! `HolderLimit`: how many of something each holder has at once: connections of an address, event streams of a key.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts by holder, none of which exceeds the limit. Memory follows the holders that have something.
pub(crate) struct HolderLimit<K> {
    max: usize,
    held: Mutex<HashMap<K, usize>>,
}

/// One counted thing; dropping it frees its place.
pub(crate) struct Held<K: Hash + Eq> {
    limit: Arc<HolderLimit<K>>,
    holder: K,
}

impl<K: Hash + Eq + Clone> HolderLimit<K> {
    pub(crate) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self {
            max,
            held: Mutex::default(),
        })
    }

    /// Counts one more for the holder; none when the holder has as many as allowed.
    pub(crate) fn take(self: &Arc<Self>, holder: K) -> Option<Held<K>> {
        let mut held = self.held();
        let count = held.entry(holder.clone()).or_default();
        if *count >= self.max {
            return None;
        }
        *count += 1;
        drop(held);
        Some(Held {
            limit: Arc::clone(self),
            holder,
        })
    }
}

impl<K> HolderLimit<K> {
    /// The most that one holder may have.
    pub(crate) fn max(&self) -> usize {
        self.max
    }

    fn held(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq> Drop for Held<K> {
    fn drop(&mut self) {
        let mut held = self.limit.held();
        if let Some(count) = held.get_mut(&self.holder) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                held.remove(&self.holder);
            }
        }
    }
}

/// The client that an address stands for: an IPv4 address, or the /64 network that one subscriber of IPv6 has.
pub(crate) fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        canonical => canonical,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_gets_no_more_than_the_limit_and_a_place_that_is_freed_is_given_again() {
        let limit = HolderLimit::new(2);
        let first = limit.take("a");
        let second = limit.take("a");
        assert!(first.is_some() && second.is_some() && limit.take("a").is_none());
        assert!(limit.take("b").is_some(), "holders do not count for each other");
        drop(first);
        let third = limit.take("a");
        assert!(third.is_some() && limit.take("a").is_none());
        drop((second, third));
        assert!(limit.held().is_empty(), "holders without anything are forgotten");
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_are_one_client() {
        let client = |text: &str| client_of(text.parse().unwrap());
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1:2:3"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }
}
