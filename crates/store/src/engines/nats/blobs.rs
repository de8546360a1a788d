//! Blobs on JetStream: the parts of a blob are messages under its digest.

use async_trait::async_trait;
use bytes::Bytes;

use super::engine::Nats;
use super::runs::{CLIENT_PATIENCE, retrying};
use crate::Error;
use crate::blobs::{Blobs, Digest};

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
}
