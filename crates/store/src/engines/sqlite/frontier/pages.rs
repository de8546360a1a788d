//! Updates of a frontier: pages that were read, addresses that are new, duplicates.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::tables::{FINISHED, TAKEN, WAITING};
use crate::Error;
use crate::frontier::{
    AddressKey, Duplicate, DuplicateKind, FrontierBounds, FrontierReply, FrontierUpdate, NewAddress,
    ReadPage, SIMILAR_BITS, bands,
};

/// Most sketches of one band that a page is compared with.
const MAX_COMPARED: usize = 64;

/// Applies an update inside a transaction.
pub(super) fn apply(connection: &Connection, update: &FrontierUpdate) -> Result<FrontierReply, Error> {
    let known = connection.query_row("SELECT known FROM frontier", [], |row| row.get(0))?;
    let mut reply = FrontierReply {
        known,
        ..FrontierReply::default()
    };
    for page in &update.pages {
        let duplicate = read(connection, page)?;
        if duplicate
            .as_ref()
            .is_none_or(|it| it.kind == DuplicateKind::Similar)
        {
            add(connection, &page.links, update.bounds, &mut reply)?;
        }
        reply.duplicates.push(duplicate);
    }
    add(connection, &update.added, update.bounds, &mut reply)?;
    let mut finish = connection.prepare_cached("UPDATE addresses SET status = ?2 WHERE key = ?1")?;
    for key in &update.finished {
        finish.execute(params![key.0, FINISHED])?;
    }
    connection.execute("UPDATE frontier SET known = ?1", [reply.known])?;
    if let Some(state) = &update.state {
        connection.execute("UPDATE frontier SET state = ?1", [state])?;
    }
    Ok(reply)
}

/// Notes a page that was read, and finds what it is a duplicate of.
fn read(connection: &Connection, page: &ReadPage) -> Result<Option<Duplicate>, Error> {
    let sql = "SELECT place FROM addresses WHERE key = ?1 AND status = ?2";
    let place: Option<i64> = connection
        .prepare_cached(sql)?
        .query_row(params![page.key.0, TAKEN], |row| row.get(0))
        .optional()?;
    let Some(place) = place else {
        return Ok(None);
    };
    if let Some(landed) = page.landed
        && let Some(duplicate) = redirect(connection, place, landed)?
    {
        return Ok(Some(duplicate));
    }
    if let Some(content) = page.content {
        let sql = "SELECT url FROM addresses WHERE content = ?1 AND place <> ?2 LIMIT 1";
        let url: Option<String> = connection
            .prepare_cached(sql)?
            .query_row(params![content.0, place], |row| row.get(0))
            .optional()?;
        if let Some(url) = url {
            return Ok(Some(Duplicate {
                url,
                kind: DuplicateKind::Content,
            }));
        }
        let sql = "UPDATE addresses SET content = ?2 WHERE place = ?1";
        connection
            .prepare_cached(sql)?
            .execute(params![place, content.0])?;
    }
    page.sketch
        .map_or(Ok(None), |sketch| similar(connection, place, sketch))
}

/// Notes where a redirect led. It is a duplicate when that page was, or is being, read for itself.
fn redirect(connection: &Connection, place: i64, landed: AddressKey) -> Result<Option<Duplicate>, Error> {
    let sql = "SELECT place, url, status, landed_from FROM addresses WHERE key = ?1";
    let found: Option<(i64, String, u8, Option<i64>)> = connection
        .prepare_cached(sql)?
        .query_row([landed.0], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    match found {
        Some((other, url, status, from)) if other != place && from != Some(place) && status != WAITING => {
            Ok(Some(Duplicate {
                url,
                kind: DuplicateKind::Redirect,
            }))
        }
        Some((other, ..)) if other != place => {
            let sql = "UPDATE addresses SET status = ?2, landed_from = ?3 WHERE place = ?1";
            connection
                .prepare_cached(sql)?
                .execute(params![other, FINISHED, place])?;
            Ok(None)
        }
        Some(_) => Ok(None),
        None => {
            let sql = "INSERT INTO addresses (key, url, host, depth, score, status, landed_from)
                       SELECT ?1, url, host, depth, score, ?2, place FROM addresses WHERE place = ?3";
            connection
                .prepare_cached(sql)?
                .execute(params![landed.0, FINISHED, place])?;
            Ok(None)
        }
    }
}

/// Notes the sketch of a page, and finds a page with a similar one.
fn similar(connection: &Connection, place: i64, sketch: u64) -> Result<Option<Duplicate>, Error> {
    let mut found = None;
    let sql = "SELECT sketch, place FROM sketches WHERE band = ?1 AND bits = ?2 AND place <> ?3 LIMIT ?4";
    let mut compared = connection.prepare_cached(sql)?;
    let sql = "INSERT OR IGNORE INTO sketches (band, bits, place, sketch) VALUES (?1, ?2, ?3, ?4)";
    let mut insert = connection.prepare_cached(sql)?;
    for (band, bits) in bands(sketch).into_iter().enumerate() {
        if found.is_none() {
            let mut rows = compared.query(params![band, bits, place, MAX_COMPARED])?;
            while let Some(row) = rows.next()? {
                let other: i64 = row.get(0)?;
                if (other.cast_unsigned() ^ sketch).count_ones() <= SIMILAR_BITS {
                    found = Some(row.get::<_, i64>(1)?);
                    break;
                }
            }
        }
        insert.execute(params![band, bits, place, sketch.cast_signed()])?;
    }
    let Some(other) = found else {
        return Ok(None);
    };
    let url = connection
        .prepare_cached("SELECT url FROM addresses WHERE place = ?1")?
        .query_row([other], |row| row.get(0))?;
    Ok(Some(Duplicate {
        url,
        kind: DuplicateKind::Similar,
    }))
}

/// Takes in the addresses that are not known, within the bounds, and lowers the depths of those that are.
fn add(
    connection: &Connection,
    addresses: &[NewAddress],
    bounds: FrontierBounds,
    reply: &mut FrontierReply,
) -> Result<(), Error> {
    let mut known = connection.prepare_cached("SELECT depth FROM addresses WHERE key = ?1")?;
    let sql =
        "UPDATE addresses SET depth = ?2, score = CASE status WHEN ?4 THEN max(score, ?3) ELSE score END
               WHERE key = ?1 AND status <> ?5";
    let mut lower = connection.prepare_cached(sql)?;
    let sql = "INSERT INTO addresses (key, url, host, depth, score, status) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = connection.prepare_cached(sql)?;
    for address in addresses {
        let known_depth: Option<u32> = known.query_row([address.key.0], |row| row.get(0)).optional()?;
        if let Some(known_depth) = known_depth {
            if address.depth < known_depth {
                let NewAddress {
                    key, depth, score, ..
                } = address;
                lower.execute(params![key.0, depth, score, WAITING, FINISHED])?;
            }
            continue;
        }
        if reply.known >= bounds.addresses {
            reply.over_addresses += 1;
            continue;
        }
        if let Some(group) = address.group
            && !join_group(connection, group, bounds.group)?
        {
            reply.over_group += 1;
            continue;
        }
        let NewAddress {
            key,
            url,
            host,
            depth,
            score,
            ..
        } = address;
        insert.execute(params![key.0, url, host, depth, score, WAITING])?;
        reply.known += 1;
        reply.added += 1;
    }
    Ok(())
}

/// Counts an address of a group; false when the group is full.
fn join_group(connection: &Connection, group: AddressKey, most: u64) -> Result<bool, Error> {
    let sql = "INSERT INTO groups (key, count) SELECT ?1, 1 WHERE ?2 > 0
               ON CONFLICT (key) DO UPDATE SET count = count + 1 WHERE count < ?2";
    Ok(connection.prepare_cached(sql)?.execute(params![group.0, most])? > 0)
}
