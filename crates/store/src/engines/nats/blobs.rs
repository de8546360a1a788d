//! Blobs on JetStream: the parts of a blob are messages under its digest, or under its run and name.

use async_trait::async_trait;
use bytes::Bytes;
use jiff::Timestamp;
use wire::RunId;

use super::engine::Nats;
use super::runs::{CLIENT_PATIENCE, retrying};
use crate::Error;
use crate::blobs::{Blobs, Digest, first_name_at, is_run_blob_name, name_of_run_blob};

#[async_trait]
impl Blobs for Nats {
    async fn put(&self, bytes: Bytes) -> Result<Digest, Error> {
        let digest = Digest::of(&bytes);
        let base = self.0.layout.blob(&digest.to_string());
        let (stream, first) = (self.0.layout.blob_stream(), format!("{base}.0"));
        // The first part is written last: where it is, the blob is whole.
        let known = retrying(CLIENT_PATIENCE, || self.0.jetstream.last(&stream, &first));
        if known.await?.is_none() {
            self.0.put_parts(&base, bytes, CLIENT_PATIENCE).await?;
        }
        Ok(digest)
    }

    async fn get(&self, digest: &Digest) -> Result<Option<Bytes>, Error> {
        let base = self.0.layout.blob(&digest.to_string());
        let found = self.0.get_parts(&self.0.layout.blob_stream(), &base).await?;
        match found {
            Some(bytes) if Digest::of(&bytes) != *digest => Err(Error::Damaged {
                reason: format!("the blob {digest} is not what was written"),
            }),
            found => Ok(found),
        }
    }

    async fn put_of_run(&self, run: &RunId, bytes: Bytes) -> Result<String, Error> {
        if self.0.load(run, CLIENT_PATIENCE).await?.is_none() {
            return Err(Error::UnknownRun(run.clone()));
        }
        let name = name_of_run_blob();
        let base = self.0.layout.run_body(run, &name);
        self.0.put_parts(&base, bytes, CLIENT_PATIENCE).await?;
        Ok(name)
    }

    async fn get_of_run(&self, run: &RunId, name: &str) -> Result<Option<Bytes>, Error> {
        // Other bodies of the run, and other subjects, have other names.
        if !is_run_blob_name(name) {
            return Ok(None);
        }
        let base = self.0.layout.run_body(run, name);
        self.0.get_parts(&self.0.layout.blob_stream(), &base).await
    }

    async fn expire_of_runs(&self, before: Timestamp) -> Result<usize, Error> {
        let first_kept = first_name_at(before);
        let filter = self.0.layout.run_bodies();
        let is_old = |name: &str| is_run_blob_name(name) && *name < *first_kept;
        self.0.purge_bodies(&filter, is_old).await
    }
}
