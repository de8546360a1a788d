//! Titles that name no more than a section of the site: "People | Oak & Avon", "Stellenangebot – Quern GmbH".

use std::collections::BTreeSet;

use page::Page;
use page::dom::Node;

use super::super::site::bare;
use super::super::title_marks::MARKS;
use super::heading::heading_text;
use crate::provenance::{FieldSource, Sourced};

/// What sections of sites are called, in lower case. Put together by hand; no address and no name of a site is among them.
#[rustfmt::skip]
const SECTIONS: &[&str] = &[
    "people", "our people", "team", "our team", "the team", "staff", "press", "press release", "press releases", "news", "jobs", "job",
    "job details", "careers", "career", "vacancies", "vacancy", "job offer", "events", "event", "event details", "what's on", "programme",
    "program", "calendar", "products", "product", "product details", "shop", "services", "profile", "user profile", "member profile",
    "presse", "pressemitteilung", "presseinformation", "presseinformationen", "aktuelles", "neuigkeiten", "stellenangebot", "stellenangebote",
    "stellenausschreibung", "karriere", "veranstaltung", "veranstaltungen", "veranstaltungsdetails", "programm", "termine", "termin",
    "produkt", "produkte", "produktdetails", "leistungen", "mitarbeiter", "ansprechpartner", "mitarbeitende", "unser team", "profil",
    "aktualności", "zespół", "nasz zespół", "oferty pracy", "oferta pracy", "praca", "kariera", "wydarzenia", "wydarzenie", "kalendarz",
    "produkty", "usługi", "informacje prasowe", "actualités", "équipe", "notre équipe", "emploi", "offre d'emploi", "événements",
    "agenda", "noticias", "equipo", "nuestro equipo", "empleo", "oferta de empleo", "eventos", "nieuws", "vacatures", "vacature",
    "evenementen", "medewerkers", "ons team", "persbericht",
];

/// Whether a title is the name of a section and that of the site: the section comes first, or the rest is known to name the site.
pub(super) fn names_only_section(title: &str, is_site: impl Fn(&str) -> bool) -> bool {
    let marks = MARKS.iter().copied().chain([": "]);
    let mut parts = vec![title];
    for mark in marks {
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let is_section = |part: &str| SECTIONS.contains(&part.trim().to_lowercase().as_str());
    match parts.as_slice() {
        [first, last] => is_section(first) || (is_section(last) && is_site(first.trim())),
        _ => false,
    }
}

/// Most headings that are looked at.
const MOST: usize = 6;

/// The first lower heading of the page, of a few words at least, outside of its frame.
pub(super) fn first_lower(page: &Page, names: &BTreeSet<String>) -> Option<Sourced<String>> {
    let is_frame = |node: &Node<'_>| {
        let class = node.class().to_ascii_lowercase();
        let is_overlay = ["cookie", "consent", "modal", "popup", "newsletter"]
            .iter()
            .any(|word| class.contains(word));
        let is_frame_tag = matches!(
            node.tag(),
            "nav" | "header" | "footer" | "aside" | "form" | "dialog"
        );
        is_frame_tag || is_overlay || node.is_hidden_by_attribute()
    };
    let found = page.dom().by_tag("h2").take(MOST).find_map(|node| {
        let text = heading_text(node);
        let is_own =
            text.contains(' ') && !names.contains(&bare(&text)) && !names_only_section(&text, |_| true);
        let is_linked = node.parent().is_some_and(|parent| parent.is("a"))
            || node.descendants().any(|inner| inner.is("a"));
        (is_own && !is_linked && !node.ancestors().any(|around| is_frame(&around))).then_some((node, text))
    })?;
    let (node, text) = found;
    let class = node
        .classes()
        .next()
        .map(|class| format!(".{class}"))
        .unwrap_or_default();
    Some(Sourced::new(text, FieldSource::selector(format!("h2{class}"))))
}
