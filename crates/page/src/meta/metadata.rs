//! All structured data of a page in one value.

use serde::Serialize;
use serde_json::{Map, Value};

use super::jsonld::jsonld;
use super::meta_tags::{dublincore, meta, twitter};
use super::microdata::microdata;
use super::microformats::microformats;
use super::opengraph::opengraph;
use super::rdfa::rdfa;
use crate::page::Page;

/// The structured data of a page in every format, as `extract --to metadata` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metadata {
    /// JSON-LD objects.
    #[serde(rename = "json-ld")]
    pub jsonld: Vec<Value>,
    /// Microdata items.
    pub microdata: Vec<Value>,
    /// RDFa as expanded JSON-LD.
    pub rdfa: Vec<Value>,
    /// The Open Graph object, if any.
    pub opengraph: Vec<Value>,
    /// Twitter's tags by name.
    pub twitter: Map<String, Value>,
    /// Every `<meta>` by name.
    pub meta: Map<String, Value>,
    /// Dublin Core elements and terms.
    pub dublincore: Vec<Value>,
    /// Microformats, version 2.
    pub microformat: Vec<Value>,
}

impl Metadata {
    /// Reads all formats.
    pub fn read(page: &Page) -> Metadata {
        Metadata {
            twitter: twitter(page),
            meta: meta(page),
            dublincore: vec![dublincore(page)],
            microformat: microformats(page),
            ..Metadata::of_things(page)
        }
    }

    /// Reads the formats that describe things: JSON-LD, microdata, RDFa and Open Graph. The others stay empty.
    pub fn of_things(page: &Page) -> Metadata {
        Metadata {
            jsonld: jsonld(page),
            microdata: microdata(page),
            rdfa: rdfa(page),
            opengraph: opengraph(page),
            twitter: Map::new(),
            meta: Map::new(),
            dublincore: Vec::new(),
            microformat: Vec::new(),
        }
    }
}
