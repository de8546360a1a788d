use super::*;
use proptest::prelude::*;

fn class(ip: &str) -> Class {
    classify(ip.parse().unwrap())
}

/// Each registry row: the address before it, its first, its last, the one after, and what each is.
/// A dash stands for "there is none".
const EDGES: &[(&str, &str, &str, &str, Class, Class, Class)] = {
    use Class::*;
    &[
        (
            "-",
            "0.0.0.0",
            "0.255.255.255",
            "1.0.0.0",
            Public,
            Unspecified,
            Public,
        ),
        (
            "9.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "11.0.0.0",
            Public,
            Private,
            Public,
        ),
        (
            "100.63.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "100.128.0.0",
            Public,
            Shared,
            Public,
        ),
        (
            "126.255.255.255",
            "127.0.0.0",
            "127.255.255.255",
            "128.0.0.0",
            Public,
            Loopback,
            Public,
        ),
        (
            "169.253.255.255",
            "169.254.0.0",
            "169.254.255.255",
            "169.255.0.0",
            Public,
            LinkLocal,
            Public,
        ),
        (
            "172.15.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "172.32.0.0",
            Public,
            Private,
            Public,
        ),
        (
            "191.255.255.255",
            "192.0.0.0",
            "192.0.0.255",
            "192.0.1.0",
            Public,
            Reserved,
            Public,
        ),
        (
            "192.0.0.8",
            "192.0.0.9",
            "192.0.0.10",
            "192.0.0.11",
            Reserved,
            Public,
            Reserved,
        ),
        (
            "192.0.1.255",
            "192.0.2.0",
            "192.0.2.255",
            "192.0.3.0",
            Public,
            Documentation,
            Public,
        ),
        (
            "192.88.98.255",
            "192.88.99.0",
            "192.88.99.255",
            "192.88.100.0",
            Public,
            Tunnel,
            Public,
        ),
        (
            "192.167.255.255",
            "192.168.0.0",
            "192.168.255.255",
            "192.169.0.0",
            Public,
            Private,
            Public,
        ),
        (
            "198.17.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.20.0.0",
            Public,
            Documentation,
            Public,
        ),
        (
            "198.51.99.255",
            "198.51.100.0",
            "198.51.100.255",
            "198.51.101.0",
            Public,
            Documentation,
            Public,
        ),
        (
            "203.0.112.255",
            "203.0.113.0",
            "203.0.113.255",
            "203.0.114.0",
            Public,
            Documentation,
            Public,
        ),
        (
            "223.255.255.255",
            "224.0.0.0",
            "239.255.255.255",
            "240.0.0.0",
            Public,
            Multicast,
            Reserved,
        ),
        (
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.254",
            "255.255.255.255",
            Multicast,
            Reserved,
            Multicast,
        ),
        (
            "255.255.255.254",
            "255.255.255.255",
            "255.255.255.255",
            "-",
            Reserved,
            Multicast,
            Public,
        ),
        ("-", "::", "::", "::1", Public, Unspecified, Loopback),
        ("::", "::1", "::1", "::808:808", Unspecified, Loopback, Reserved),
        (
            "::fffe:ffff:ffff",
            "::ffff:1.0.0.0",
            "::ffff:9.255.255.255",
            "::1:0:0:0",
            Reserved,
            Public,
            Reserved,
        ),
        (
            "64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff",
            "64:ff9b::100:0",
            "64:ff9b::8.8.8.8",
            "64:ff9b::1:0:0",
            Reserved,
            Public,
            Reserved,
        ),
        (
            "64:ff9b:0:ffff:ffff:ffff:ffff:ffff",
            "64:ff9b:1::808:808",
            "64:ff9b:1:ffff:ffff:ffff:808:808",
            "64:ff9b:2::",
            Reserved,
            Tunnel,
            Reserved,
        ),
        (
            "ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "100::",
            "100::ffff:ffff:ffff:ffff",
            "100:0:0:2::",
            Reserved,
            Reserved,
            Reserved,
        ),
        (
            "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001::f7f7:f7f7",
            "2001:0:ffff:ffff:ffff:ffff:f7f7:f7f7",
            "2001:1::",
            Public,
            Tunnel,
            Reserved,
        ),
        (
            "2001:1::",
            "2001:1::1",
            "2001:1::3",
            "2001:1::4",
            Reserved,
            Public,
            Reserved,
        ),
        (
            "2001:1:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:2::",
            "2001:2:0:ffff:ffff:ffff:ffff:ffff",
            "2001:2:1::",
            Reserved,
            Documentation,
            Reserved,
        ),
        (
            "2001:2:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:3::",
            "2001:3:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:4::",
            Reserved,
            Public,
            Reserved,
        ),
        (
            "2001:4:111:ffff:ffff:ffff:ffff:ffff",
            "2001:4:112::",
            "2001:4:112:ffff:ffff:ffff:ffff:ffff",
            "2001:4:113::",
            Reserved,
            Public,
            Reserved,
        ),
        (
            "2001:f:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:10::",
            "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:20::",
            Reserved,
            Reserved,
            Public,
        ),
        (
            "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:20::",
            "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:40::",
            Reserved,
            Public,
            Reserved,
        ),
        (
            "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8::",
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db9::",
            Public,
            Documentation,
            Public,
        ),
        (
            "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:200::",
            "2001:db7::",
            "2001:db8::",
            Reserved,
            Public,
            Documentation,
        ),
        (
            "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2002:808:808::",
            "2002:808:808:ffff::",
            "2003::",
            Public,
            Public,
            Public,
        ),
        (
            "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "3fff::",
            "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
            "3fff:1000::",
            Public,
            Documentation,
            Public,
        ),
        (
            "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "4000::",
            "5eff:ffff::",
            "5f00::",
            Public,
            Reserved,
            Reserved,
        ),
        (
            "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fc00::",
            "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fe00::",
            Reserved,
            Private,
            Reserved,
        ),
        (
            "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fe80::",
            "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fec0::",
            Reserved,
            LinkLocal,
            Private,
        ),
        (
            "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fec0::",
            "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "ff00::",
            LinkLocal,
            Private,
            Multicast,
        ),
        (
            "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "ff00::",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "-",
            Private,
            Multicast,
            Public,
        ),
    ]
};

#[test]
fn every_block_begins_and_ends_where_the_registry_says() {
    for &(before, first, last, after, outside, inside, beyond) in EDGES {
        for (ip, want) in [
            (before, outside),
            (first, inside),
            (last, inside),
            (after, beyond),
        ] {
            if ip != "-" {
                assert_eq!(class(ip), want, "{ip} at the edge of {first}");
            }
        }
    }
}

#[test]
fn every_row_of_the_tables_has_its_edges_tested() {
    let firsts: Vec<IpAddr> = EDGES
        .iter()
        .flat_map(|row| [row.1, row.2])
        .map(|ip| ip.parse().unwrap())
        .collect();
    for (bits, len, kind) in V4 {
        let first = IpAddr::V4(Ipv4Addr::from((bits >> 96) as u32));
        assert!(firsts.contains(&first), "{first}/{len} {kind:?} has no edge test");
    }
}

#[test]
fn metadata_services_are_known_in_whatever_block_they_lie() {
    for ip in [
        "169.254.169.254",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
    ] {
        assert_eq!(class(ip), Class::Metadata, "{ip}");
    }
    assert_eq!(class("168.63.129.15"), Class::Public);
    assert_eq!(class("168.63.129.17"), Class::Public);
}

/// However an inner IPv4 address is wrapped, a bad one stays bad.
#[test]
fn no_wrapping_makes_an_inner_address_public() {
    for inner in [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "168.63.129.16",
        "192.168.0.1",
        "0.0.0.0",
    ] {
        let v4: Ipv4Addr = inner.parse().unwrap();
        for wrapped in wrappings(v4) {
            assert_ne!(
                classify(IpAddr::V6(wrapped)),
                Class::Public,
                "{wrapped} carries {inner}"
            );
        }
    }
}

fn wrappings(v4: Ipv4Addr) -> Vec<Ipv6Addr> {
    let bits = u32::from(v4);
    let (high, low) = ((bits >> 16) as u16, bits as u16);
    vec![
        Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low),
        Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
        Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
        Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, high, low),
        Ipv6Addr::new(0x64, 0xff9b, 1, 7, 8, 9, high, low),
        Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
        Ipv6Addr::new(0x2001, 0, 0x4136, 0xe378, 0x8000, 0x63bf, !high, !low),
        Ipv6Addr::new(0x2a00, 1, 2, 3, 0, 0x5efe, high, low),
        Ipv6Addr::new(0x2a00, 1, 2, 3, 0x200, 0x5efe, high, low),
    ]
}

proptest! {
    /// A wrapped address is never more public than the address inside it.
    #[test]
    fn wrapping_never_opens(bits in any::<u32>()) {
        let v4 = Ipv4Addr::from(bits);
        let bare = classify(IpAddr::V4(v4));
        for wrapped in wrappings(v4) {
            let class = classify(IpAddr::V6(wrapped));
            prop_assert!(class != Class::Public || bare == Class::Public, "{} in {}", v4, wrapped);
        }
    }
}
