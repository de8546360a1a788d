//! Parts of Open Packaging: the relationships of Office documents (ECMA-376, part 2).

use std::collections::HashMap;
use std::rc::Rc;

use super::archive::{Archive, resolve};
use super::html::link_target;
use super::xml;
use crate::error::Error;

/// Where a relationship leads.
#[derive(Debug)]
pub(super) struct Relationship {
    /// The last word of its type, as `worksheet`.
    pub(super) kind: String,
    /// The name of the entry, or the address where it leads out of the document.
    pub(super) target: String,
    pub(super) is_external: bool,
}

/// The relationships of a part by their identifiers.
#[derive(Debug, Default)]
pub(super) struct Relationships(HashMap<String, Relationship>);

impl Relationships {
    /// Reads those of a part; those of the whole document for the empty name.
    ///
    /// # Errors
    /// When the file is damaged or too large.
    pub(super) fn of(archive: &mut Archive<'_>, part: &str) -> Result<Relationships, Error> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let file = match folder.is_empty() {
            true => format!("_rels/{name}.rels"),
            false => format!("{folder}/_rels/{name}.rels"),
        };
        let text = archive.text(&file)?.unwrap_or_default();
        let tree = xml::parse(&text)?;
        let mut found = HashMap::new();
        for element in tree.elements().flat_map(|root| root.all("Relationship")) {
            let (Some(id), Some(target)) = (element.attribute("Id"), element.attribute("Target")) else {
                continue;
            };
            let kind = element.attribute("Type").unwrap_or_default();
            let is_external = element.attribute("TargetMode").as_deref() == Some("External");
            let relationship = Relationship {
                kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                target: if is_external {
                    target
                } else {
                    resolve(part, &target)
                },
                is_external,
            };
            found.insert(id, relationship);
        }
        Ok(Relationships(found))
    }

    /// The entry that a relationship leads to.
    pub(super) fn entry(&self, id: &str) -> Option<&str> {
        let relationship = self.0.get(id).filter(|it| !it.is_external)?;
        Some(&relationship.target)
    }

    /// The entry of the relationship of a kind.
    pub(super) fn of_kind(&self, kind: &str) -> Option<&str> {
        let relationship = self.0.values().find(|it| it.kind == kind && !it.is_external)?;
        Some(&relationship.target)
    }

    /// The address of a link out of the document.
    pub(super) fn link(&self, id: &str) -> Option<Rc<str>> {
        link_target(&self.0.get(id).filter(|it| it.is_external)?.target)
    }
}
