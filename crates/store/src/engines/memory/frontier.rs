//! Frontiers in memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::Error;
use crate::frontier::{
    AddressKey, Duplicate, DuplicateKind, FrontierBounds, FrontierReply, FrontierStatus, FrontierUpdate,
    NewAddress, ReadPage, SIMILAR_BITS, TakenAddress, bands,
};
use crate::jobs::Lease;

/// The frontier of a run.
#[derive(Debug, Default)]
pub(super) struct MemoryFrontier {
    epoch: u64,
    state: Option<String>,
    known: u64,
    /// By place, in the order they were found.
    addresses: Vec<MemoryAddress>,
    places: HashMap<AddressKey, usize>,
    waiting: BTreeSet<(Reverse<i64>, usize)>,
    taken: BTreeMap<usize, u64>,
    contents: HashMap<AddressKey, usize>,
    sketches: HashMap<(usize, u16), Vec<(u64, usize)>>,
    groups: HashMap<AddressKey, u64>,
}

#[derive(Debug)]
struct MemoryAddress {
    address: NewAddress,
    /// The address whose redirect led here.
    landed_from: Option<usize>,
}

impl MemoryFrontier {
    pub(super) fn check(&self, lease: &Lease) -> Result<(), Error> {
        match self.epoch == lease.epoch {
            true => Ok(()),
            false => Err(Error::Fenced {
                run: lease.run.clone(),
            }),
        }
    }

    fn url(&self, place: usize) -> String {
        self.addresses
            .get(place)
            .map(|it| it.address.url.clone())
            .unwrap_or_default()
    }

    fn taken_address(&self, place: usize, after_seq: u64) -> Option<TakenAddress> {
        let NewAddress {
            key,
            url,
            host,
            depth,
            ..
        } = &self.addresses.get(place)?.address;
        Some(TakenAddress {
            place: place as u64,
            key: *key,
            url: url.clone(),
            host: host.clone(),
            depth: *depth,
            after_seq,
        })
    }

    fn status(&self) -> FrontierStatus {
        FrontierStatus {
            state: self.state.clone(),
            taken: self
                .taken
                .iter()
                .filter_map(|(place, after_seq)| self.taken_address(*place, *after_seq))
                .collect(),
            known: self.known,
        }
    }

    fn finish(&mut self, place: usize) {
        self.taken.remove(&place);
        if let Some(address) = self.addresses.get(place) {
            self.waiting.remove(&(Reverse(address.address.score), place));
        }
    }

    fn insert(&mut self, address: NewAddress, landed_from: Option<usize>) -> usize {
        let place = self.addresses.len();
        self.places.insert(address.key, place);
        self.addresses.push(MemoryAddress { address, landed_from });
        place
    }

    fn add(&mut self, addresses: &[NewAddress], bounds: FrontierBounds, reply: &mut FrontierReply) {
        for address in addresses {
            if let Some(place) = self.places.get(&address.key).copied() {
                self.lower(place, address);
                continue;
            }
            if self.known >= bounds.addresses {
                reply.over_addresses += 1;
                continue;
            }
            if let Some(group) = address.group {
                let count = self.groups.entry(group).or_default();
                if *count >= bounds.group {
                    reply.over_group += 1;
                    continue;
                }
                *count += 1;
            }
            let place = self.insert(address.clone(), None);
            self.waiting.insert((Reverse(address.score), place));
            self.known += 1;
            reply.added += 1;
        }
    }

    /// Gives a known address that is not finished the smaller of two depths.
    fn lower(&mut self, place: usize, to: &NewAddress) {
        let Some(known) = self.addresses.get_mut(place).map(|it| &mut it.address) else {
            return;
        };
        let waits = self.waiting.contains(&(Reverse(known.score), place));
        if to.depth >= known.depth || !(waits || self.taken.contains_key(&place)) {
            return;
        }
        known.depth = to.depth;
        if waits {
            self.waiting.remove(&(Reverse(known.score), place));
            known.score = known.score.max(to.score);
            self.waiting.insert((Reverse(known.score), place));
        }
    }

    fn read(&mut self, page: &ReadPage) -> Option<Duplicate> {
        let place = *self.places.get(&page.key)?;
        if !self.taken.contains_key(&place) {
            return None;
        }
        let duplicate = |url, kind| Some(Duplicate { url, kind });
        if let Some(landed) = page.landed
            && let Some(other) = self.redirect(place, landed)
        {
            return duplicate(self.url(other), DuplicateKind::Redirect);
        }
        if let Some(content) = page.content {
            let first = *self.contents.entry(content).or_insert(place);
            if first != place {
                return duplicate(self.url(first), DuplicateKind::Content);
            }
        }
        let similar = self.similar(place, page.sketch?)?;
        duplicate(self.url(similar), DuplicateKind::Similar)
    }

    /// Notes where a redirect led; the place of the page that was, or is being, read for itself.
    fn redirect(&mut self, place: usize, landed: AddressKey) -> Option<usize> {
        let Some(other) = self.places.get(&landed).copied() else {
            let mut address = self.addresses.get(place)?.address.clone();
            address.key = landed;
            self.insert(address, Some(place));
            return None;
        };
        let record = self.addresses.get_mut(other)?;
        let waits = self.waiting.contains(&(Reverse(record.address.score), other));
        if other == place || record.landed_from == Some(place) {
            return None;
        }
        if waits {
            record.landed_from = Some(place);
            self.finish(other);
            return None;
        }
        Some(other)
    }

    fn similar(&mut self, place: usize, sketch: u64) -> Option<usize> {
        let mut found = None;
        for (band, bits) in bands(sketch).into_iter().enumerate() {
            let others = self.sketches.entry((band, bits)).or_default();
            let is_similar =
                |other: &&(u64, usize)| other.1 != place && (other.0 ^ sketch).count_ones() <= SIMILAR_BITS;
            found = found.or_else(|| others.iter().find(is_similar).map(|(_, other)| *other));
            if !others.iter().any(|(_, other)| *other == place) {
                others.push((sketch, place));
            }
        }
        found
    }

    pub(super) fn apply(&mut self, update: FrontierUpdate) -> FrontierReply {
        let mut reply = FrontierReply::default();
        for page in &update.pages {
            let duplicate = self.read(page);
            if duplicate
                .as_ref()
                .is_none_or(|it| it.kind == DuplicateKind::Similar)
            {
                self.add(&page.links, update.bounds, &mut reply);
            }
            reply.duplicates.push(duplicate);
        }
        self.add(&update.added, update.bounds, &mut reply);
        for key in &update.finished {
            if let Some(place) = self.places.get(key).copied() {
                self.finish(place);
            }
        }
        self.state = update.state.or(self.state.take());
        reply.known = self.known;
        reply
    }

    /// Opens it for a lease.
    pub(super) fn open(&mut self, lease: &Lease) -> Result<FrontierStatus, Error> {
        self.epoch = self.epoch.max(lease.epoch);
        self.check(lease)?;
        Ok(self.status())
    }

    /// Takes the best addresses of hosts that are not busy.
    pub(super) fn take(&mut self, limit: usize, busy: &[String], after_seq: u64) -> Vec<TakenAddress> {
        let is_free = |place: &usize| {
            let address = self.addresses.get(*place);
            address.is_some_and(|it| !busy.contains(&it.address.host))
        };
        let places = self.waiting.iter().map(|(_, place)| *place);
        let places: Vec<usize> = places.filter(is_free).take(limit).collect();
        for place in &places {
            self.finish(*place);
            self.taken.insert(*place, after_seq);
        }
        let taken = places.into_iter();
        taken
            .filter_map(|place| self.taken_address(place, after_seq))
            .collect()
    }
}
