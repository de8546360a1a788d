//! Address classes: public addresses and the special-purpose blocks.
//!
//! The two tables restate the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and its
//! successors), the multicast blocks and the cloud metadata addresses. A more specific row wins, so an
//! exception is simply a longer prefix. An IPv6 address that carries an IPv4 address is judged by both.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The class of an address. Only [`Class::Public`] may be reached without permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Globally reachable.
    Public,
    /// `0.0.0.0/8`, `::`: this host on this network.
    Unspecified,
    /// `127.0.0.0/8`, `::1`.
    Loopback,
    /// RFC 1918 and unique local addresses, also deprecated site-local ones.
    Private,
    /// `100.64.0.0/10`, behind a carrier's translator.
    Shared,
    /// `169.254.0.0/16`, `fe80::/10`.
    LinkLocal,
    /// A cloud's instance metadata or credential service, whatever block it lies in.
    Metadata,
    /// Multicast and broadcast.
    Multicast,
    /// Documentation and benchmarking blocks.
    Documentation,
    /// A translation or tunnel prefix, whose other end cannot be known.
    Tunnel,
    /// Everything else that is not globally reachable, also what is not allocated.
    Reserved,
}

/// The class of an address, with every IPv4 address embedded in it taken into account.
pub fn classify(ip: IpAddr) -> Class {
    match ip {
        IpAddr::V4(ip) => classify_v4(ip),
        IpAddr::V6(ip) => classify_v6(ip),
    }
}

fn classify_v4(ip: Ipv4Addr) -> Class {
    if METADATA_V4.contains(&ip.octets()) {
        return Class::Metadata;
    }
    let bits = u128::from(u32::from(ip)) << 96;
    most_specific(V4, bits).unwrap_or(Class::Public)
}

fn classify_v6(ip: Ipv6Addr) -> Class {
    if METADATA_V6.contains(&ip.segments()) {
        return Class::Metadata;
    }
    let own = match most_specific(V6, u128::from(ip)) {
        Some(class) => class,
        // IANA gives out global unicast addresses from 2000::/3 only.
        None if ip.segments()[0] & 0xe000 == 0x2000 => Class::Public,
        None => Class::Reserved,
    };
    match embedded(ip).map(classify_v4) {
        Some(inner) if inner != Class::Public => match own {
            // `::` and `::1` lie inside the deprecated compatible block; their own row says more.
            Class::Unspecified | Class::Loopback => own,
            _ => inner,
        },
        _ => own,
    }
}

/// The IPv4 address that packets to `ip` may end at: mapped and compatible (RFC 4291), NAT64
/// (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380) and ISATAP interface ids (RFC 5214).
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = ip.segments();
    let v4 = |high: u16, low: u16| Some(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match s {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => v4(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x64, 0xff9b, 1, _, _, _, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        [0x2001, 0, _, _, _, _, high, low] => v4(!high, !low),
        [_, _, _, _, 0 | 0x200, 0x5efe, high, low] => v4(high, low),
        _ => None,
    }
}

/// One block: its first address (IPv4 in the upper 32 bits), prefix length and class.
type AddressBlock = (u128, u32, Class);

fn most_specific(table: &[AddressBlock], bits: u128) -> Option<Class> {
    let inside = |row: &&AddressBlock| (bits ^ row.0) >> (128 - row.1) == 0;
    table
        .iter()
        .filter(inside)
        .max_by_key(|row| row.1)
        .map(|row| row.2)
}

const fn v4(a: u8, b: u8, c: u8, d: u8, len: u32, class: Class) -> AddressBlock {
    ((u32::from_be_bytes([a, b, c, d]) as u128) << 96, len, class)
}

const fn v6(head: [u16; 4], len: u32, class: Class) -> AddressBlock {
    let [a, b, c, d] = head;
    (
        u128::from_be_bytes(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).octets()),
        len,
        class,
    )
}

const fn v6_low(head: [u16; 2], tail: [u16; 2], len: u32, class: Class) -> AddressBlock {
    (
        u128::from_be_bytes(Ipv6Addr::new(head[0], head[1], 0, 0, 0, 0, tail[0], tail[1]).octets()),
        len,
        class,
    )
}

const V4: &[AddressBlock] = &[
    v4(0, 0, 0, 0, 8, Class::Unspecified),
    v4(10, 0, 0, 0, 8, Class::Private),
    v4(100, 64, 0, 0, 10, Class::Shared),
    v4(127, 0, 0, 0, 8, Class::Loopback),
    v4(169, 254, 0, 0, 16, Class::LinkLocal),
    v4(172, 16, 0, 0, 12, Class::Private),
    v4(192, 0, 0, 0, 24, Class::Reserved),
    v4(192, 0, 0, 9, 32, Class::Public),
    v4(192, 0, 0, 10, 32, Class::Public),
    v4(192, 0, 2, 0, 24, Class::Documentation),
    v4(192, 88, 99, 0, 24, Class::Tunnel),
    v4(192, 168, 0, 0, 16, Class::Private),
    v4(198, 18, 0, 0, 15, Class::Documentation),
    v4(198, 51, 100, 0, 24, Class::Documentation),
    v4(203, 0, 113, 0, 24, Class::Documentation),
    v4(224, 0, 0, 0, 4, Class::Multicast),
    v4(240, 0, 0, 0, 4, Class::Reserved),
    v4(255, 255, 255, 255, 32, Class::Multicast),
];

const V6: &[AddressBlock] = &[
    v6([0, 0, 0, 0], 96, Class::Reserved),
    v6([0, 0, 0, 0], 128, Class::Unspecified),
    v6_low([0, 0], [0, 1], 128, Class::Loopback),
    // Mapped and translated addresses are as public as the IPv4 address inside them.
    (0xffff_0000_0000, 96, Class::Public),
    v6([0x64, 0xff9b, 0, 0], 96, Class::Public),
    v6([0x64, 0xff9b, 1, 0], 48, Class::Tunnel),
    v6([0x100, 0, 0, 0], 64, Class::Reserved),
    v6([0x100, 0, 0, 1], 64, Class::Reserved),
    v6([0x2001, 0, 0, 0], 23, Class::Reserved),
    v6([0x2001, 0, 0, 0], 32, Class::Tunnel),
    v6_low([0x2001, 1], [0, 1], 128, Class::Public),
    v6_low([0x2001, 1], [0, 2], 128, Class::Public),
    v6_low([0x2001, 1], [0, 3], 128, Class::Public),
    v6([0x2001, 2, 0, 0], 48, Class::Documentation),
    v6([0x2001, 3, 0, 0], 32, Class::Public),
    v6([0x2001, 4, 0x112, 0], 48, Class::Public),
    v6([0x2001, 0x10, 0, 0], 28, Class::Reserved),
    v6([0x2001, 0x20, 0, 0], 28, Class::Public),
    v6([0x2001, 0x30, 0, 0], 28, Class::Public),
    v6([0x2001, 0xdb8, 0, 0], 32, Class::Documentation),
    v6([0x3fff, 0, 0, 0], 20, Class::Documentation),
    v6([0x5f00, 0, 0, 0], 16, Class::Reserved),
    v6([0xfc00, 0, 0, 0], 7, Class::Private),
    v6([0xfe80, 0, 0, 0], 10, Class::LinkLocal),
    v6([0xfec0, 0, 0, 0], 10, Class::Private),
    v6([0xff00, 0, 0, 0], 8, Class::Multicast),
];

/// Instance metadata and credential endpoints of AWS (also ECS and EKS), Azure (also its wire server,
/// which has a public address), Google, Oracle, Alibaba and Tencent.
const METADATA_V4: &[[u8; 4]] = &[
    [169, 254, 169, 254],
    [169, 254, 170, 2],
    [169, 254, 170, 23],
    [169, 254, 0, 23],
    [168, 63, 129, 16],
    [100, 100, 100, 200],
    [192, 0, 0, 192],
];

const METADATA_V6: &[[u16; 8]] = &[
    [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254],
    [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23],
    [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254],
];

#[cfg(test)]
mod tests;
