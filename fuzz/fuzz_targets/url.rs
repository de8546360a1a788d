//! Addresses of any spelling against the guard.

#![no_main]

use std::net::IpAddr;

use libfuzzer_sys::fuzz_target;
use net::classes::{Class, classify};
use net::guard::{Destination, parse_url};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(url) = parse_url(&text) {
        let target = Destination::of(&url);
        // The guard classifies an address by its literal host.
        if let (Ok(_), Some(host)) = (&target, url.host_str())
            && let Ok(ip) = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>()
            && classify(ip) != Class::Public
        {
            let guard = net::guard::Guard::new(Vec::new(), Vec::new(), std::sync::Arc::new(net::SystemResolver));
            assert!(guard.screen(&url, false).is_err(), "{url}");
        }
    }
    if let Ok(octets) = <[u8; 16]>::try_from(bytes.get(..16).unwrap_or_default()) {
        classify(IpAddr::from(octets));
    }
});
