//! `WorkerSite`: a web site that is also the proxy of every worker, so that it knows which worker asks for which page. Each
//! request is a side effect of a run that can be counted.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Hosts that the site goes by, so that the limit of connections per host does not slow runs down.
const HOSTS: usize = 16;

/// A page that a worker asked for.
#[derive(Debug, Clone)]
pub(crate) struct PageRequest {
    pub(crate) at: Instant,
    pub(crate) worker: String,
    pub(crate) path: String,
}

/// The site. It serves as long as the process of the test.
pub(crate) struct WorkerSite {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<PageRequest>>>,
}

impl WorkerSite {
    /// Serves `/run/<any>/<number>/<milliseconds>`: a page that takes so long.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests: Arc<Mutex<Vec<PageRequest>>> = Arc::default();
        let log = Arc::clone(&requests);
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                // A worker that is killed leaves its connection unfinished.
                std::thread::spawn(move || serve(connection, &log));
            }
        });
        Self { address, requests }
    }

    /// What a worker of this name has to set as its proxy.
    pub(crate) fn proxy(&self, worker: &str) -> String {
        format!("http://{worker}:-@{}", self.address)
    }

    /// The addresses of its hosts, for `--allow-hosts`.
    pub(crate) fn hosts(&self) -> String {
        let hosts = (0..HOSTS).map(|host| self.host(host)).collect::<Vec<_>>();
        hosts.join(",")
    }

    /// One of its hosts. Nobody dials it: requests come through the proxy.
    fn host(&self, number: usize) -> String {
        format!("127.0.0.{}:{}", 2 + number % HOSTS, self.address.port())
    }

    /// The address of a page of a run.
    pub(crate) fn url(&self, run: usize, path: &str) -> String {
        format!("http://{}{path}", self.host(run))
    }

    /// All requests for pages so far, in order.
    pub(crate) fn requests(&self) -> Vec<PageRequest> {
        self.requests.lock().unwrap().clone()
    }
}

/// The first line of a request, and the user of its proxy where it names one.
fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, Option<String>)> {
    let (mut first, mut user) = (None, None);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            return Some((first?, user));
        }
        if let Some((name, value)) = line.split_once(": ")
            && name.eq_ignore_ascii_case("proxy-authorization")
        {
            let pair = STANDARD.decode(value.strip_prefix("Basic ")?).ok()?;
            let pair = String::from_utf8(pair).ok()?;
            user = pair.split(':').next().map(str::to_owned);
        }
        first.get_or_insert(line.to_owned());
    }
}

fn serve(mut connection: TcpStream, log: &Mutex<Vec<PageRequest>>) -> Option<()> {
    let mut reader = BufReader::new(connection.try_clone().ok()?);
    let mut worker = String::new();
    loop {
        let (line, user) = request(&mut reader)?;
        let mut words = line.split(' ');
        let (method, path) = (words.next()?, words.next()?);
        if method == "CONNECT" {
            worker = user?;
            connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
            continue;
        }
        let time = path
            .strip_prefix("/run/")
            .and_then(|it| it.rsplit('/').next()?.parse().ok());
        let Some(time) = time else {
            connection
                .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
                .ok()?;
            continue;
        };
        log.lock().unwrap().push(PageRequest {
            at: Instant::now(),
            worker: worker.clone(),
            path: path.to_owned(),
        });
        std::thread::sleep(Duration::from_millis(time));
        let page = super::PAGE;
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{page}",
            page.len()
        );
        connection.write_all(answer.as_bytes()).ok()?;
    }
}
