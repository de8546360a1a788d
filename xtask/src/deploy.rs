//! The files of `deploy`: what they name exists, and they agree with each other and with the program.

use std::collections::BTreeSet;
use std::path::PathBuf;

use yaml_rust2::{Yaml, YamlLoader};

/// The port of the server, which containers publish and probes ask.
const PORT: i64 = 8787;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

fn yaml(file: &str) -> Vec<Yaml> {
    YamlLoader::load_from_str(&read(file)).unwrap()
}

fn texts(list: &Yaml) -> Vec<&str> {
    list.as_vec()
        .into_iter()
        .flatten()
        .filter_map(Yaml::as_str)
        .collect()
}

/// A key of a service, also where a merge (`<<`) brings it.
fn merged<'a>(service: &'a Yaml, key: &str) -> &'a Yaml {
    match &service[key] {
        Yaml::BadValue => &service["<<"][key],
        found => found,
    }
}

/// Every name in a text that begins with `HUNTSMAN_`.
fn settings(text: &str) -> BTreeSet<&str> {
    let is_name = |sign: char| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_';
    text.split(|sign| !is_name(sign))
        .filter(|word| word.starts_with("HUNTSMAN_"))
        .collect()
}

#[test]
fn every_setting_of_the_files_is_a_setting_of_the_program() {
    let known = read("docs/config.md");
    let known = settings(&known);
    let files = [
        "Dockerfile",
        "compose.yaml",
        "kubernetes.yaml",
        "huntsman.service",
    ];
    for file in files.map(|name| format!("deploy/{name}")) {
        let text = read(&file);
        let unknown: Vec<_> = settings(&text).difference(&known).copied().collect();
        assert!(
            !settings(&text).is_empty() && unknown.is_empty(),
            "{file}: {unknown:?}"
        );
        let named = text
            .split_whitespace()
            .map(|word| word.trim_end_matches(['.', ':']));
        for path in named.filter(|word| word.starts_with("deploy/") || word.starts_with("docs/")) {
            assert!(root().join(path).is_file(), "{file} names {path}");
        }
    }
}

#[test]
fn the_cluster_of_the_compose_file_is_whole() {
    let documents = yaml("deploy/compose.yaml");
    let services = documents[0]["services"].as_hash().unwrap();
    let names: BTreeSet<&str> = services.keys().filter_map(Yaml::as_str).collect();
    let volumes: BTreeSet<&str> = documents[0]["volumes"]
        .as_hash()
        .unwrap()
        .keys()
        .filter_map(Yaml::as_str)
        .collect();
    let routes = "nats://nats1:6222,nats://nats2:6222,nats://nats3:6222";
    let (mut nodes, mut workers) = (0, 0);
    for (name, service) in services {
        let name = name.as_str().unwrap();
        assert!(merged(service, "image").as_str().is_some(), "{name} has an image");
        let command = texts(&service["command"]);
        if name.starts_with("nats") {
            nodes += 1;
            assert!(
                command.contains(&name) && command.contains(&routes) && command.contains(&"--jetstream"),
                "{command:?}"
            );
        } else {
            workers += usize::from(command[0] == "worker");
            assert!(matches!(command[0], "serve" | "worker"), "{command:?}");
            assert!(
                texts(merged(service, "depends_on"))
                    .iter()
                    .all(|other| names.contains(other))
            );
            let options = texts(merged(service, "security_opt"));
            assert!(
                options.contains(&"seccomp=./chromium-seccomp.json"),
                "{options:?}"
            );
        }
        for volume in texts(&service["volumes"]) {
            assert!(volumes.contains(volume.split(':').next().unwrap()), "{volume}");
        }
    }
    assert_eq!((nodes, workers), (3, 2));
    assert_eq!(
        texts(&services[&Yaml::String("server".into())]["ports"]),
        [format!("127.0.0.1:{PORT}:{PORT}")]
    );
    assert!(read("deploy/Dockerfile").contains(&format!("0.0.0.0:{PORT}")));
}

#[test]
fn the_kubernetes_example_probes_what_the_server_serves() {
    let documents = yaml("deploy/kubernetes.yaml");
    let kinds: Vec<_> = documents
        .iter()
        .map(|document| document["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["Secret", "Service", "StatefulSet"]);
    let pod = &documents[2]["spec"]["template"];
    let container = &pod["spec"]["containers"][0];
    assert_eq!(documents[1]["spec"]["ports"][0]["port"].as_i64(), Some(PORT));
    assert_eq!(container["ports"][0]["containerPort"].as_i64(), Some(PORT));
    assert_eq!(documents[1]["spec"]["selector"], pod["metadata"]["labels"]);
    assert_eq!(
        documents[2]["spec"]["selector"]["matchLabels"],
        pod["metadata"]["labels"]
    );
    let routes = read("crates/server/src/routes/health.rs");
    for path in [
        container["readinessProbe"]["httpGet"]["path"].as_str().unwrap(),
        container["livenessProbe"]["httpGet"]["path"].as_str().unwrap(),
        pod["metadata"]["annotations"]["prometheus.io/path"]
            .as_str()
            .unwrap(),
    ] {
        assert!(
            routes.contains(&format!("\"{path}\"")),
            "the server has no {path}"
        );
    }
    let user = format!(
        "USER {}",
        pod["spec"]["securityContext"]["runAsUser"].as_i64().unwrap()
    );
    assert!(read("deploy/Dockerfile").contains(&user));
}

#[test]
fn chromium_may_make_its_sandbox_and_change_nothing_else() {
    let profile: serde_json::Value = serde_json::from_str(&read("deploy/chromium-seccomp.json")).unwrap();
    assert_eq!(
        (&profile["defaultAction"], &profile["syscalls"][0]["action"]),
        (&"SCMP_ACT_ALLOW".into(), &"SCMP_ACT_ERRNO".into())
    );
    let names = profile["syscalls"][0]["names"].as_array().unwrap();
    for allowed in ["clone", "clone3", "unshare", "chroot"] {
        assert!(!names.contains(&allowed.into()), "the sandbox needs {allowed}");
    }
    for forbidden in [
        "mount",
        "init_module",
        "kexec_load",
        "bpf",
        "ptrace",
        "keyctl",
        "reboot",
        "settimeofday",
    ] {
        assert!(names.contains(&forbidden.into()), "{forbidden}");
    }
}

/// The dashboard asks for nothing that the server does not count, and shows all that it counts.
#[test]
fn the_dashboard_shows_the_metrics_of_the_server() {
    let names = |text: &str| -> BTreeSet<String> {
        let is_name = |sign: char| sign.is_ascii_lowercase() || sign == '_';
        let words = text
            .split(|sign| !is_name(sign))
            .filter(|word| word.starts_with("huntsman_"));
        words
            .map(|word| word.trim_end_matches("_bucket").to_owned())
            .collect()
    };
    let declared: BTreeSet<String> = ["server", "runtime"]
        .iter()
        .flat_map(|part| names(&read(&format!("crates/{part}/src/metrics.rs"))))
        .collect();
    let dashboard: serde_json::Value = serde_json::from_str(&read("deploy/grafana.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let queries: String = panels.iter().map(|panel| panel["targets"].to_string()).collect();
    assert_eq!(names(&queries), declared);
    let sources = panels.iter().map(|panel| &panel["datasource"]["uid"]);
    assert!(
        sources.clone().all(|source| source == "${source}"),
        "a panel names a source of its own"
    );
}
