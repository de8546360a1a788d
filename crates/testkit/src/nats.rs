//! Real NATS servers with JetStream in processes of their own, alone or as a cluster on loopback.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Link, LinkCondition};

/// How long a server may take to listen: it reads its store first, on a machine that builds and tests beside it.
const START: Duration = Duration::from_secs(60);

/// One server; it is killed when this is dropped.
#[derive(Debug)]
pub struct NatsServer {
    child: Option<Child>,
    port: u16,
    // Deleted after the server is gone.
    folder: TempDir,
}

/// Finds `nats-server`: where `HUNTSMAN_NATS_SERVER` says, where `cargo xtask test` installs it, or on the `PATH`.
///
/// # Panics
/// When there is none.
pub fn nats_server() -> PathBuf {
    if let Some(named) = std::env::var_os("HUNTSMAN_NATS_SERVER") {
        return named.into();
    }
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cache/nats/nats-server");
    if installed.is_file() {
        return installed;
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .map(|folder| folder.join("nats-server"))
        .find(|path| path.is_file())
        .expect("no nats-server: run tools/nats/install.sh")
}

/// Ports that nobody listens on now, and that this process was not given before. They lie below those that Linux gives to
/// connections and to listeners that ask for any port (32768 and above, if nobody changed that), so that none of these
/// takes one before the server that it is for does.
///
/// # Panics
/// When there are none.
pub fn free_ports<const COUNT: usize>() -> [u16; COUNT] {
    const FIRST: usize = 10_000;
    const TOTAL: usize = 32_768 - FIRST;
    static GIVEN: AtomicUsize = AtomicUsize::new(0);
    // Processes that run beside this one begin elsewhere.
    let begin = std::process::id() as usize * 97;
    [(); COUNT].map(|()| {
        (0..TOTAL)
            .map(|_| FIRST + (begin + GIVEN.fetch_add(1, Ordering::Relaxed)) % TOTAL)
            .filter_map(|port| u16::try_from(port).ok())
            .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
            .expect("a port")
    })
}

impl NatsServer {
    /// A server alone, with JetStream. `extra` are further lines of its configuration.
    pub fn start(extra: &str) -> Self {
        let [port] = free_ports();
        let jetstream = "jetstream { store_dir: \"FOLDER/js\", max_mem: 64MB, max_file: 1GB }\n";
        let mut server = Self::configured(port, &format!("{jetstream}{extra}"));
        server.run();
        server.wait();
        server
    }

    /// A server alone that lacks JetStream.
    pub fn start_without_jetstream() -> Self {
        let [port] = free_ports();
        let mut server = Self::configured(port, "");
        server.run();
        server.wait();
        server
    }

    /// A cluster of three whose disks are synchronized at every write.
    pub fn cluster() -> [Self; 3] {
        Self::cluster_with_sync("always")
    }

    /// A cluster of three with this `sync_interval`, such as `2m`, the default of NATS.
    pub fn cluster_with_sync(sync: &str) -> [Self; 3] {
        let ports: [u16; 6] = free_ports();
        let routes: Vec<String> = ports[3..]
            .iter()
            .map(|port| format!("nats-route://127.0.0.1:{port}"))
            .collect();
        let mut servers = [0, 1, 2].map(|number| {
            let config = format!(
                "server_name: node{number}\n\
                 jetstream {{ store_dir: \"FOLDER/js\", max_mem: 64MB, max_file: 2GB, sync_interval: {sync} }}\n\
                 cluster {{ name: test, listen: \"127.0.0.1:{}\", routes: [{}] }}\n",
                ports[3 + number],
                routes.join(", ")
            );
            Self::configured(ports[number], &config)
        });
        servers.iter_mut().for_each(Self::run);
        servers.iter_mut().for_each(Self::wait);
        servers
    }

    fn configured(port: u16, lines: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let text = format!("listen: \"127.0.0.1:{port}\"\nmax_payload: 1MB\n{lines}")
            .replace("FOLDER", &folder.path().display().to_string());
        fs::write(folder.path().join("nats.conf"), text).expect("its configuration");
        Self {
            child: None,
            port,
            folder,
        }
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// Runs the process, again after [`NatsServer::kill`].
    pub fn run(&mut self) {
        let log = File::create(self.log()).expect("a file for its log");
        let child = Command::new(nats_server())
            .arg("-c")
            .arg(self.folder.path().join("nats.conf"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.child = Some(child.expect("nats-server starts"));
    }

    /// Waits until the server takes connections.
    ///
    /// # Panics
    /// When it ends or takes longer than a minute; what it logged is told.
    pub fn wait(&mut self) {
        let deadline = Instant::now() + START;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = self
                .child
                .as_mut()
                .and_then(|child| child.try_wait().ok())
                .flatten();
            if ended.is_some() || Instant::now() > deadline {
                let log = fs::read_to_string(self.log()).unwrap_or_default();
                panic!(
                    "nats-server does not listen on port {} ({ended:?}):\n{log}",
                    self.port
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Its address, as `HUNTSMAN_STORE` takes it.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends the process at once, as `kill -9` does. What it stored stays.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Sends the process a signal, such as `-STOP`.
    ///
    /// # Panics
    /// When there is no `kill`.
    pub fn signal(&self, name: &str) {
        if let Some(id) = self.id() {
            Command::new("kill")
                .args([name, &id.to_string()])
                .status()
                .expect("kill");
        }
    }

    /// Its process id.
    pub fn id(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }
}

/// A cluster of three whose servers reach one another, and are reached by clients, through [`Link`]s only, so that a test
/// can cut them off, hold back what they send, and delay it.
#[derive(Debug)]
pub struct LinkedCluster {
    /// The servers `node0`, `node1`, `node2`.
    pub nodes: [NatsServer; 3],
    /// From each server to each other one, as in [`ROUTES`]. Either server of a pair may have made their connection.
    routes: [Link; 6],
    /// From clients to each server.
    clients: [Link; 3],
}

/// Who connects, and to whom, on each route.
const ROUTES: [(usize, usize); 6] = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];

impl LinkedCluster {
    /// Starts the servers. Their disks are synchronized at every write.
    ///
    /// # Panics
    /// When a server does not start.
    pub fn start() -> Self {
        Self::start_in([None, None, None], "always")
    }

    /// The same, with the files of each server in this folder where one is named, and with this `sync_interval`.
    ///
    /// # Panics
    /// When a server does not start.
    pub fn start_in(folders: [Option<&Path>; 3], sync: &str) -> Self {
        let ports: [u16; 6] = free_ports();
        let routes = ROUTES.map(|(_, to)| Link::to(ports[3 + to]));
        let clients = [0, 1, 2].map(|node| Link::to(ports[node]));
        let mut nodes = [0, 1, 2].map(|node| {
            let urls: Vec<String> = ROUTES
                .iter()
                .zip(&routes)
                .filter(|((from, _), _)| *from == node)
                .map(|(_, link)| format!("nats-route://127.0.0.1:{}", link.port()))
                .collect();
            let folder = folders[node].map_or_else(|| "FOLDER".to_owned(), |folder| folder.display().to_string());
            // What is advertised to others leads nowhere: they are to use the links.
            let config = format!(
                "server_name: node{node}\n\
                 jetstream {{ store_dir: \"{folder}/js\", max_mem: 64MB, max_file: 4GB, sync_interval: {sync} }}\n\
                 cluster {{ name: test, listen: \"127.0.0.1:{}\", no_advertise: true, advertise: \"127.0.0.1:9\", \
                 routes: [{}] }}\n",
                ports[3 + node],
                urls.join(", ")
            );
            NatsServer::configured(ports[node], &config)
        });
        nodes.iter_mut().for_each(NatsServer::run);
        nodes.iter_mut().for_each(NatsServer::wait);
        Self {
            nodes,
            routes,
            clients,
        }
    }

    /// The addresses of all servers, as `HUNTSMAN_STORE` takes them.
    pub fn urls(&self) -> String {
        let url = |link: &Link| format!("nats://127.0.0.1:{}", link.port());
        self.clients.each_ref().map(url).join(",")
    }

    /// Sets the condition of all routes of a server, as that server sees it: what it sends goes forward.
    pub fn set_routes(&self, node: usize, condition: LinkCondition) {
        for ((from, to), link) in ROUTES.iter().zip(&self.routes) {
            if *from == node {
                link.set(condition);
            } else if *to == node {
                link.set(condition.reversed());
            }
        }
    }

    /// Sets the condition of the link between clients and a server; what clients send goes forward.
    pub fn set_clients(&self, node: usize, condition: LinkCondition) {
        self.clients[node].set(condition);
    }

    /// Opens all links.
    pub fn open_links(&self) {
        for link in self.routes.iter().chain(&self.clients) {
            link.set(LinkCondition::Open);
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
