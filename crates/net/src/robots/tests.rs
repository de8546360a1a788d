use super::*;

fn allows(file: &str, path: &str) -> bool {
    let url = Url::parse(&format!("http://ok.test{path}")).unwrap();
    Robots::parse(file, "Huntsman").allows(&url)
}

#[test]
fn the_longest_rule_decides_and_allowing_wins_a_tie() {
    let file = "User-agent: *\nDisallow: /shop\nAllow: /shop/open\nDisallow: /tie\nAllow: /tie";
    for (path, allowed) in [
        ("/", true),
        ("/shop", false),
        ("/shopping", false),
        ("/shop/open/1", true),
        ("/tie", true),
    ] {
        assert_eq!(allows(file, path), allowed, "{path}");
    }
}

#[test]
fn our_own_group_replaces_everyones() {
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: huntsman/2.0\nUser-agent: other\nDisallow: /a\n\nuser-agent: HUNTSMAN\nDisallow: /b\n";
    for (path, allowed) in [("/", true), ("/a", false), ("/b", false), ("/c", true)] {
        assert_eq!(allows(file, path), allowed, "{path}");
    }
    assert!(
        !allows(
            "User-agent: *\nDisallow: /\nUser-agent: huntsmanbot\nAllow: /",
            "/x"
        ),
        "another product"
    );
}

#[test]
fn stars_and_ends_match() {
    for (rule, path, matched) in [
        ("/*.pdf$", "/a/b.pdf", true),
        ("/*.pdf$", "/a/b.pdf?x", false),
        ("/*.pdf", "/a/b.pdfx", true),
        ("/a*b*c", "/axxbyyc/d", true),
        ("/a*b*c", "/axxcyyb", false),
        ("/a$", "/a", true),
        ("/a$", "/ab", false),
        ("/a*a$", "/a", false),
        ("*", "/anything", true),
        ("/$", "/", true),
        ("/a?b=*&c", "/a?b=1&c=2", true),
        ("a", "/a", false),
    ] {
        assert_eq!(
            !allows(&format!("User-agent: *\nDisallow: {rule}"), path),
            matched,
            "{rule} on {path}"
        );
    }
}

#[test]
fn one_path_has_one_spelling() {
    for (rule, path) in [
        ("/a%3cd", "/a%3Cd"),
        ("/%7ejoe", "/~joe"),
        ("/ü", "/%C3%BC"),
        ("/%C3%BC", "/ü"),
        ("/a%2fb", "/a%2Fb"),
    ] {
        assert!(
            !allows(&format!("User-agent: *\nDisallow: {rule}"), path),
            "{rule} on {path}"
        );
    }
    assert!(
        allows("User-agent: *\nDisallow: /a%2fb", "/a/b"),
        "an encoded slash is no slash"
    );
}

#[test]
fn odd_files_are_read_as_far_as_they_make_sense() {
    for (file, allowed) in [
        ("", true),
        ("<html>not found</html>", true),
        ("Disallow: /", true),
        ("User-agent: *\nDisallow:", true),
        (
            "\u{feff}User-Agent : * # all\r\nDISALLOW : / # everything\r\n",
            false,
        ),
        ("User-agent: *\nNonsense\nDisallow: /", false),
        ("User-agent: *\nDisallow: /%\nDisallow: /%zz", true),
        ("User-agent: a\nUser-agent: *\nDisallow: /x", false),
    ] {
        assert_eq!(allows(file, "/x"), allowed, "{file:?}");
    }
    assert!(!Robots::disallow_all().allows(&"http://ok.test/".parse().unwrap()));
    assert!(Robots::disallow_all().allows(&"http://ok.test/robots.txt".parse().unwrap()));
}

#[test]
fn pauses_and_site_maps_are_read() {
    let robots = Robots::parse(
        "Sitemap: http://ok.test/map.xml\nUser-agent: *\nCrawl-delay: 2.5\n",
        "Huntsman",
    );
    assert_eq!(robots.crawl_delay, Some(Duration::from_millis(2500)));
    assert_eq!(robots.sitemaps, ["http://ok.test/map.xml"]);
    for odd in ["-1", "NaN", "inf", "1e300", "soon"] {
        assert_eq!(
            Robots::parse(&format!("User-agent: *\nCrawl-delay: {odd}"), "Huntsman").crawl_delay,
            None
        );
    }
}

#[test]
fn a_lack_of_memory_of_ours_is_no_rule_of_a_site() {
    let cache = RobotsCache::new("Huntsman/1.0");
    let page = Request::get(Url::parse("http://ok.test/x").unwrap());
    let room = Error::Timeout(TimeLimit::Room);
    assert_eq!(cache.store(&page, Err(room.clone())), Err(room));
    assert_eq!(cache.get(&page), None);
    let silent = cache.store(&page, Err(Error::Timeout(TimeLimit::Connect)));
    assert!(!silent.unwrap().allows(&page.url));
}
