use super::*;

struct NoNames;

#[async_trait::async_trait]
impl Resolve for NoNames {
    async fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![])
    }
}

fn guard(rules: &[&str], own: &[&str]) -> Guard {
    let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    Guard::new(
        rules,
        own.iter().map(|own| own.parse().unwrap()).collect(),
        Arc::new(NoNames),
    )
}

fn screened(guard: &Guard, url: &str, granted: bool) -> Result<(), Error> {
    guard.screen(&Url::parse(url).unwrap(), granted).map(|_| ())
}

const NAME: Result<(), Error> = Err(Error::Blocked(Blocked::Name));
const ADDRESS: Result<(), Error> = Err(Error::Blocked(Blocked::Address));
const OWN: Result<(), Error> = Err(Error::Blocked(Blocked::Own));
const PORT: Result<(), Error> = Err(Error::Blocked(Blocked::Port));

#[test]
fn names_that_mean_nearby_are_refused_before_anyone_is_asked() {
    for host in [
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "printer.local",
        "metadata.google.internal",
        "intranet",
        "kubernetes.default.svc",
        "db.default.svc.cluster.local",
        "router.home.arpa",
        "nas.lan",
    ] {
        assert_eq!(
            screened(&guard(&[], &[]), &format!("http://{host}/"), false),
            NAME,
            "{host}"
        );
    }
    for host in ["ok.test", "local.test", "internal.example.com", "notcluster.test"] {
        assert_eq!(
            screened(&guard(&[], &[]), &format!("http://{host}/"), false),
            Ok(()),
            "{host}"
        );
    }
}

#[test]
fn a_grant_opens_private_places_but_no_metadata_and_no_own_port() {
    let guard = guard(&[], &["0.0.0.0:8787"]);
    for (url, outcome) in [
        ("http://localhost:3000/", Ok(())),
        ("http://127.0.0.1:3000/", Ok(())),
        ("http://10.1.2.3/", Ok(())),
        ("http://[::1]:9/", Ok(())),
        ("http://169.254.169.254/", ADDRESS),
        ("http://[::ffff:169.254.169.254]/", ADDRESS),
        ("http://127.0.0.1:8787/", OWN),
        ("http://[::1]:8787/", OWN),
    ] {
        assert_eq!(screened(&guard, url, true), outcome, "{url}");
        assert_ne!(screened(&guard, url, false), Ok(()), "{url} without a grant");
    }
}

#[test]
fn a_rule_opens_what_it_says() {
    let guard = guard(
        &["10.0.0.0/8", "127.0.0.1:8080", "nas.lan", "169.254.169.254"],
        &["127.0.0.1:8787"],
    );
    for (url, outcome) in [
        ("http://10.9.9.9:1234/", Ok(())),
        ("http://11.0.0.1/", Ok(())),
        ("http://192.168.0.1/", ADDRESS),
        ("http://127.0.0.1:8080/", Ok(())),
        ("http://127.0.0.1:8081/", ADDRESS),
        ("http://nas.lan:5000/", Ok(())),
        ("http://other.lan/", NAME),
        ("http://169.254.169.254/latest", Ok(())),
    ] {
        assert_eq!(screened(&guard, url, false), outcome, "{url}");
    }
}

#[test]
fn ports_of_other_protocols_are_refused() {
    for port in [22, 25, 6667, 5060] {
        assert_eq!(
            screened(&guard(&[], &[]), &format!("http://ok.test:{port}/"), false),
            PORT
        );
    }
    assert_eq!(screened(&guard(&[], &[]), "http://ok.test:8080/", false), Ok(()));
    assert_eq!(
        screened(&guard(&["ok.test:25"], &[]), "http://ok.test:25/", false),
        Ok(())
    );
}

#[test]
fn a_url_with_a_password_is_refused_without_repeating_it() {
    let refused = screened(&guard(&[], &[]), "http://joe:hunter2@ok.test/", false).unwrap_err();
    assert_eq!(refused.code(), "URL_BLOCKED");
    assert!(!refused.to_string().contains("hunter2"));
}

#[test]
fn a_connection_to_ourselves_is_noticed_at_its_ends() {
    let guard = guard(&[], &[]);
    let far: SocketAddr = "93.184.216.34:80".parse().unwrap();
    assert_eq!(
        guard.judge_ends(far, Some("93.184.216.34".parse().unwrap()), false),
        OWN
    );
    assert_eq!(
        guard.judge_ends(far, Some("10.0.0.5".parse().unwrap()), false),
        Ok(())
    );
    assert_eq!(guard.judge_ends(far, None, false), Ok(()));
}

#[test]
fn texts_that_are_no_web_address_are_told_apart() {
    for (text, code) in [
        ("ok.test", "URL_INVALID"),
        ("http://", "URL_INVALID"),
        ("http://ok.test:99999/", "URL_INVALID"),
        ("http://ok.test%00.evil.test/", "URL_INVALID"),
        ("http://[fe80::1%25eth0]/", "URL_INVALID"),
        ("file:///etc/passwd", "URL_BLOCKED"),
        ("gopher://127.0.0.1:6379/_INFO", "URL_BLOCKED"),
        ("javascript:alert(1)", "URL_BLOCKED"),
    ] {
        assert_eq!(parse_url(text).unwrap_err().code(), code, "{text}");
    }
    assert_eq!(
        parse_url(&format!("http://ok.test/{}", "a".repeat(20_000)))
            .unwrap_err()
            .code(),
        "URL_INVALID"
    );
}

proptest::proptest! {
    /// Whatever is parsed and passes is public by its literal address, or a name to be resolved.
    #[test]
    fn no_literal_passes_that_is_not_public(text in "https?://[0-9a-fx.:\\[\\]%@１２７。]{1,24}/") {
        if let Ok(url) = parse_url(&text) && guard(&[], &[]).screen(&url, false).is_ok() {
            match url.host().unwrap() {
                Host::Domain(_) => {}
                Host::Ipv4(ip) => proptest::prop_assert_eq!(classify(ip.into()), Class::Public),
                Host::Ipv6(ip) => proptest::prop_assert_eq!(classify(ip.into()), Class::Public),
            }
        }
    }
}

/// Answers every name with the same address.
struct OneAddress(IpAddr);

#[async_trait::async_trait]
impl Resolve for OneAddress {
    async fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![self.0])
    }
}

#[tokio::test]
async fn bounds_hold_for_names_and_for_the_addresses_behind_them() {
    let rules = |texts: &[&str]| {
        texts
            .iter()
            .map(|rule| rule.parse().unwrap())
            .collect::<Vec<AllowRule>>()
    };
    let reaches = async |allowed: &[&str], forbidden: &[&str], url: &str| {
        let bounds = HostBounds {
            allowed: rules(allowed),
            forbidden: rules(forbidden),
        };
        let resolver = Arc::new(OneAddress("93.184.216.34".parse().unwrap()));
        let guard = Guard::new(Vec::new(), Vec::new(), resolver).bounded(bounds);
        let target = Destination::of(&Url::parse(url).unwrap()).unwrap();
        // A grant of the operator does not lift the policy of a tenant.
        match guard.addresses(&target, true, Duration::from_secs(1)).await {
            Ok(_) => true,
            Err(Error::Blocked(Blocked::Policy)) => false,
            Err(other) => panic!("{other}"),
        }
    };
    assert!(reaches(&[], &[], "http://a.test/").await);
    assert!(reaches(&["a.test"], &[], "http://A.test./").await);
    assert!(!reaches(&["a.test"], &[], "http://b.a.test/").await);
    assert!(reaches(&["*.a.test"], &[], "http://b.a.test/").await);
    assert!(!reaches(&["a.test"], &["a.test"], "http://a.test/").await);
    assert!(!reaches(&["a.test:81"], &[], "http://a.test/").await);
    assert!(!reaches(&[], &["93.184.0.0/16"], "http://a.test/").await);
    assert!(!reaches(&["a.test"], &["93.184.0.0/16"], "http://a.test/").await);
    assert!(reaches(&["93.184.0.0/16"], &[], "http://a.test/").await);
    assert!(!reaches(&["10.0.0.0/8"], &[], "http://a.test/").await);
    assert!(!reaches(&[], &["93.184.216.34"], "http://93.184.216.34/").await);
    assert!(!reaches(&["a.test"], &[], "http://93.184.216.34/").await);
    for rule in ["::ffff:1.2.3.4", "1.2.3.4"] {
        assert!(!reaches(&[], &[rule], "http://[::ffff:1.2.3.4]/").await, "{rule}");
    }
}
