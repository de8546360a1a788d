//! What the addresses of a page lead to, by how they end.

/// Whether the path of an address, without its query and fragment, has one of these endings, in any case.
pub(crate) fn has_ending(address: &str, endings: &[&str]) -> bool {
    let path = address
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    endings.iter().any(|ending| path.ends_with(ending))
}

/// The address of another page that a link leads to, without its fragment; `None` for a place on the same page, for what only runs a
/// script, and for what is no page: a telephone number, a mailbox.
pub(crate) fn destination(href: &str) -> Option<&str> {
    const NO_PAGES: [&str; 5] = ["javascript:", "mailto:", "tel:", "sms:", "data:"];
    let href = href.trim();
    let is_of = |scheme: &str| {
        href.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let whole = href.split('#').next().unwrap_or(href);
    (!whole.is_empty() && !NO_PAGES.iter().any(|scheme| is_of(scheme))).then_some(whole)
}

/// Whether an address, absolute or as written in a link, is that of the page of a person on a site that many write: `/u/anna`,
/// `/members/anna.123/`, `/@anna`, `/user.php?id=3`. The pages of those who write a site are not meant: `/author/anna`.
pub(crate) fn leads_to_person(address: &str) -> bool {
    #[rustfmt::skip]
    const PEOPLE: [&str; 12] = [
        "u", "user", "users", "member", "members", "profile", "profiles", "people", "mitglied", "benutzer", "uzytkownik", "usuario",
    ];
    let path = match address.split_once("://") {
        Some((_, behind)) => behind.split_once('/').map_or("", |(_, path)| path),
        None => address,
    };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let parts = path.trim_start_matches('/').split('/').take(2);
    parts
        .map(|part| part.split('.').next().unwrap_or(part))
        .any(|part| PEOPLE.contains(&part) || part.starts_with('@') && part.len() > 1)
}

/// Whether an address is that of the page of one of those who write a site: `/author/anna`.
pub(crate) fn leads_to_author(address: &str) -> bool {
    const AUTHORS: [&str; 4] = ["/author/", "/authors/", "/contributor/", "/contributors/"];
    AUTHORS.iter().any(|path| address.contains(path))
}

#[cfg(test)]
mod tests {
    use super::{destination, leads_to_person};

    #[test]
    fn a_person_has_a_page_under_people() {
        for address in [
            "/u/anna",
            "https://forum.example/members/anna.12/",
            "/@anna",
            "/forum/user.php?id=3",
            "people/anna",
        ] {
            assert!(leads_to_person(address), "{address}");
        }
        for address in [
            "/user-manuals/1",
            "/author/anna",
            "https://u.example/1",
            "/a/b/u/1",
            "/@",
        ] {
            assert!(!leads_to_person(address), "{address}");
        }
    }

    #[test]
    fn a_link_leads_to_another_page() {
        assert_eq!(destination(" /a?b=1#c "), Some("/a?b=1"));
        for href in [
            "#c",
            "",
            "JavaScript:void(0)",
            "tel:+48123",
            "sms:1",
            "mailto:a@b.example",
        ] {
            assert_eq!(destination(href), None, "{href}");
        }
    }
}
