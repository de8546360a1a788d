//! Faults of the chaos test: what they do to which process or link, and how they end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::{LinkCondition, LinkedCluster, LoopDisk};

use super::next_start::{self, NextStart};
use super::{Setup, supervised::Supervised};

/// Longer than a lease and the beats around it.
const PAST_A_LEASE: Duration = Duration::from_secs(16);

/// Pseudo-random numbers (splitmix64), the same for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }

    fn millis(&mut self, from: usize, to: usize) -> Duration {
        Duration::from_millis((from + self.below(to - from)) as u64)
    }
}

/// What can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    WorkerKilled,
    WorkerStopped,
    ServerKilled,
    ServerStopped,
    NodeKilled,
    NodeStopped,
    LeaderKilled,
    LeaderStopped,
    AllNodesKilled,
    /// All nodes lose their power at once, and with it what they have not synchronized.
    PowerLost,
    /// A node's routes deliver nothing, either way; its clients stay.
    NodeIsolated,
    /// A leader's routes deliver nothing, either way; its clients stay.
    LeaderIsolated,
    /// What a node sends to others is not delivered, and what they send is.
    NodeUnheard,
    /// What others send to a node is not delivered, and what it sends is.
    NodeDeaf,
    RoutesSlow,
    RoutesLossy,
    ClientsHeld,
    ClientsCut,
    ClientsLossy,
    /// A worker is started again with a clock that is an hour ahead or behind.
    WorkerSkewed,
    /// A worker or a server is asked to end and started again as another version.
    WorkerChanged,
    ServerChanged,
    /// A node's disk has no room left; afterwards the node is started again.
    DiskFull,
    /// A node's disk takes a few writes a second.
    DiskSlow,
}

/// Seconds by which a wrong clock is off.
const SKEW: i64 = 3600;
/// Writes a second that a slow disk takes.
const SLOW_WRITES: u32 = 20;

impl Fault {
    const OF_PROCESSES: [Self; 7] = [
        Self::WorkerKilled,
        Self::WorkerStopped,
        Self::ServerKilled,
        Self::ServerStopped,
        Self::WorkerSkewed,
        Self::WorkerChanged,
        Self::ServerChanged,
    ];
    const OF_NODES: [Self; 17] = [
        Self::NodeKilled,
        Self::NodeStopped,
        Self::LeaderKilled,
        Self::LeaderStopped,
        Self::AllNodesKilled,
        Self::PowerLost,
        Self::NodeIsolated,
        Self::LeaderIsolated,
        Self::NodeUnheard,
        Self::NodeDeaf,
        Self::RoutesSlow,
        Self::RoutesLossy,
        Self::ClientsHeld,
        Self::ClientsCut,
        Self::ClientsLossy,
        Self::DiskFull,
        Self::DiskSlow,
    ];

    fn is_of_nodes(self) -> bool {
        Self::OF_NODES.contains(&self)
    }

    /// Why this fault cannot be made here.
    fn obstacle(self, Disks { disks, no_loss }: &Disks) -> Option<String> {
        let reason = match self {
            Self::WorkerSkewed => next_start::no_skew(),
            Self::WorkerChanged | Self::ServerChanged => next_start::no_upgrade(),
            Self::DiskFull => return disks.as_ref().err().cloned(),
            Self::PowerLost => return no_loss.clone(),
            Self::DiskSlow => {
                let first = disks.as_ref().map(|disks| disks[0].can_be_slowed());
                return first.map_or_else(|reason| Some(reason.clone()), Result::err);
            }
            _ => None,
        };
        reason.map(str::to_owned)
    }

    /// A fault of processes and one of nodes are as likely.
    fn draw(random: &mut Random, left_out: &[Self]) -> Self {
        let all: &[Self] = if random.below(2) == 0 {
            &Self::OF_PROCESSES
        } else {
            &Self::OF_NODES
        };
        let all: Vec<Self> = all
            .iter()
            .filter(|fault| !left_out.contains(fault))
            .copied()
            .collect();
        all[random.below(all.len())]
    }

    /// The faults that a comma separated list names.
    pub(crate) fn named(list: &str) -> Vec<Self> {
        let named = |name: &str| {
            let mut all = Self::OF_PROCESSES.iter().chain(&Self::OF_NODES);
            let fault = all.find(|fault| format!("{fault:?}") == name);
            *fault.unwrap_or_else(|| panic!("no fault is called {name:?}"))
        };
        list.split(',').map(named).collect()
    }
}

/// A fault that has begun and is to be ended.
struct ActiveFault {
    fault: Fault,
    target: usize,
    ends: Instant,
}

/// A worker that was killed or stopped.
pub(crate) struct LostWorker {
    pub(crate) number: usize,
    pub(crate) at: Instant,
}

/// The disks of the nodes.
pub(crate) struct Disks {
    /// One for each node, or why there are none.
    pub(crate) disks: Result<Vec<LoopDisk>, String>,
    /// Why they cannot lose their power.
    pub(crate) no_loss: Option<String>,
}

impl Disks {
    fn of(&self, node: usize) -> Option<&LoopDisk> {
        self.disks.as_ref().ok()?.get(node)
    }

    fn all(&mut self) -> &mut [LoopDisk] {
        self.disks.as_mut().map_or(&mut [], Vec::as_mut_slice)
    }
}

/// The parts of a cluster that faults are made in.
pub(crate) struct Parts<'a> {
    pub(crate) setup: &'a Setup<'a>,
    pub(crate) nodes: LinkedCluster,
    pub(crate) workers: Vec<(Supervised, Arc<NextStart>)>,
    pub(crate) servers: Vec<(Supervised, Arc<NextStart>)>,
    pub(crate) random: Random,
    disks: Disks,
    /// Faults that cannot be made here.
    left_out: Vec<Fault>,
    /// The faults that are made; all where there is none.
    only: Vec<Fault>,
    active: Vec<ActiveFault>,
    pub(crate) made: BTreeMap<Fault, usize>,
    pub(crate) lost: Vec<LostWorker>,
}

impl<'a> Parts<'a> {
    pub(crate) fn new(
        setup: &'a Setup<'a>,
        (nodes, disks): (LinkedCluster, Disks),
        random: Random,
        only: Vec<Fault>,
    ) -> Self {
        let mut left_out = Vec::new();
        for fault in Fault::OF_PROCESSES.into_iter().chain(Fault::OF_NODES) {
            if let Some(reason) = fault.obstacle(&disks) {
                println!("left out: {fault:?}, since {reason}");
                assert!(!only.contains(&fault), "{fault:?} is wanted");
                left_out.push(fault);
            }
        }
        Self {
            setup,
            nodes,
            disks,
            left_out,
            workers: Vec::new(),
            servers: Vec::new(),
            random,
            only,
            active: Vec::new(),
            made: BTreeMap::new(),
            lost: Vec::new(),
        }
    }

    /// Makes this many faults, one after the other, those of processes overlapping; those of nodes one at a time, so that
    /// only [`Fault::AllNodesKilled`] takes the majority.
    pub(crate) fn make(&mut self, faults: usize) {
        for _ in 0..faults {
            let fault = match self.only.len() {
                0 => Fault::draw(&mut self.random, &self.left_out),
                count => self.only[self.random.below(count)],
            };
            while fault.is_of_nodes() && self.active.iter().any(|active| active.fault.is_of_nodes()) {
                std::thread::sleep(Duration::from_millis(50));
                self.end_due(Instant::now());
            }
            self.begin(fault);
            let next = Instant::now() + self.random.millis(700, 2000);
            while Instant::now() < next {
                std::thread::sleep(Duration::from_millis(50));
                self.end_due(Instant::now());
            }
        }
    }

    /// Ends all faults.
    pub(crate) fn heal(&mut self) {
        self.end_due(Instant::now() + Duration::from_secs(3600));
    }

    fn is_stopped(&self, fault: Fault, target: usize) -> bool {
        let is_same = |active: &ActiveFault| active.fault == fault && active.target == target;
        self.active.iter().any(is_same)
    }

    fn begin(&mut self, fault: Fault) {
        use Fault::{
            AllNodesKilled, ClientsCut, ClientsHeld, ClientsLossy, DiskFull, DiskSlow, LeaderIsolated,
            LeaderKilled, LeaderStopped, NodeDeaf, NodeIsolated, NodeKilled, NodeStopped, NodeUnheard,
            PowerLost, RoutesLossy, RoutesSlow, ServerChanged, ServerKilled, ServerStopped, WorkerChanged,
            WorkerKilled, WorkerSkewed, WorkerStopped,
        };
        *self.made.entry(fault).or_default() += 1;
        let target = match fault {
            WorkerKilled | WorkerStopped | WorkerSkewed | WorkerChanged => {
                self.random.below(self.workers.len())
            }
            ServerKilled | ServerStopped | ServerChanged => self.random.below(self.servers.len()),
            LeaderKilled | LeaderStopped | LeaderIsolated => self.leader(),
            _ => self.random.below(3),
        };
        eprintln!("fault: {fault:?} {target}");
        let held = |forward, backward| LinkCondition::Held { forward, backward };
        let (nodes, now) = (&mut self.nodes, Instant::now());
        let disk = self.disks.of(target);
        match fault {
            WorkerKilled | WorkerStopped => {
                let signal = if fault == WorkerKilled { "-KILL" } else { "-STOP" };
                self.workers[target].0.signal(signal);
                self.lost.push(LostWorker {
                    number: target,
                    at: now,
                });
            }
            ServerKilled => self.servers[target].0.signal("-KILL"),
            ServerStopped => self.servers[target].0.signal("-STOP"),
            WorkerSkewed => {
                let (worker, next) = &self.workers[target];
                next.set_ahead(if self.random.below(2) == 0 { SKEW } else { -SKEW });
                worker.signal("-KILL");
                self.lost.push(LostWorker {
                    number: target,
                    at: now,
                });
            }
            WorkerChanged | ServerChanged => {
                let all = if fault == WorkerChanged {
                    &self.workers
                } else {
                    &self.servers
                };
                let (process, next) = &all[target];
                next.change_version();
                process.signal("-TERM");
            }
            DiskFull => disk.into_iter().for_each(LoopDisk::fill),
            DiskSlow => disk
                .into_iter()
                .for_each(|disk| disk.set_limit(SLOW_WRITES).unwrap()),
            NodeKilled | LeaderKilled => nodes.nodes[target].kill(),
            NodeStopped | LeaderStopped => nodes.nodes[target].signal("-STOP"),
            AllNodesKilled => nodes.nodes.iter_mut().for_each(testkit::NatsServer::kill),
            PowerLost => {
                // None acknowledges anything between the first loss and the last.
                nodes.nodes.iter().for_each(|node| node.signal("-STOP"));
                self.disks
                    .all()
                    .iter()
                    .for_each(|disk| disk.lose_power().unwrap());
                nodes.nodes.iter_mut().for_each(testkit::NatsServer::kill);
            }
            NodeIsolated | LeaderIsolated => nodes.set_routes(target, held(true, true)),
            NodeUnheard => nodes.set_routes(target, held(true, false)),
            NodeDeaf => nodes.set_routes(target, held(false, true)),
            RoutesSlow => nodes.set_routes(target, LinkCondition::Slow(Duration::from_millis(100))),
            RoutesLossy => nodes.set_routes(target, LinkCondition::Lossy),
            ClientsHeld => nodes.set_clients(target, held(true, true)),
            ClientsCut => nodes.set_clients(target, LinkCondition::Cut),
            ClientsLossy => nodes.set_clients(target, LinkCondition::Lossy),
        }
        let lasts = match fault {
            // The supervisor starts it again.
            WorkerKilled | ServerKilled | WorkerChanged | ServerChanged => return,
            WorkerSkewed => self.random.millis(8000, 20_000),
            WorkerStopped => PAST_A_LEASE,
            ServerStopped => self.random.millis(4000, 14_000),
            AllNodesKilled | PowerLost => self.random.millis(500, 3000),
            _ => self.random.millis(1500, 7000),
        };
        self.active.push(ActiveFault {
            fault,
            target,
            ends: now + lasts,
        });
    }

    fn end_due(&mut self, now: Instant) {
        let (due, active) = std::mem::take(&mut self.active)
            .into_iter()
            .partition(|it| it.ends <= now);
        self.active = active;
        for ActiveFault { fault, target, .. } in due {
            match fault {
                // It may have been stopped twice.
                Fault::WorkerStopped if self.is_stopped(fault, target) => {}
                Fault::ServerStopped if self.is_stopped(fault, target) => {}
                Fault::WorkerStopped => self.workers[target].0.signal("-CONT"),
                Fault::ServerStopped => self.servers[target].0.signal("-CONT"),
                // It keeps its clock until it is killed.
                Fault::WorkerSkewed => self.workers[target].1.set_ahead(0),
                Fault::DiskSlow => {
                    let disk = self.disks.of(target);
                    disk.into_iter().for_each(|disk| disk.set_limit(0).unwrap());
                }
                Fault::DiskFull => {
                    self.disks.of(target).into_iter().for_each(LoopDisk::free);
                    // A NATS server that met a full disk does without JetStream until it is started again.
                    self.nodes.nodes[target].kill();
                    self.nodes.nodes[target].run();
                }
                Fault::NodeStopped | Fault::LeaderStopped => self.nodes.nodes[target].signal("-CONT"),
                Fault::NodeKilled | Fault::LeaderKilled => self.nodes.nodes[target].run(),
                Fault::AllNodesKilled => self.nodes.nodes.iter_mut().for_each(testkit::NatsServer::run),
                Fault::PowerLost => {
                    self.disks
                        .all()
                        .iter_mut()
                        .for_each(|disk| disk.restore_power().unwrap());
                    self.nodes.nodes.iter_mut().for_each(testkit::NatsServer::run);
                }
                _ => self.nodes.open_links(),
            }
        }
    }

    /// The node that leads some stream, else any.
    fn leader(&mut self) -> usize {
        let shown = self
            .setup
            .command("looking")
            .args(["cluster", "status", "--json"])
            .output();
        let status: Value = serde_json::from_slice(&shown.unwrap().stdout).unwrap_or_default();
        let streams = status["streams"].as_array().map_or(&[][..], Vec::as_slice);
        let drawn = self.random.below(60);
        let leader = streams
            .get(drawn % streams.len().max(1))
            .map(|stream| &stream["leader"]);
        let number = leader.and_then(|leader| leader.as_str()?.strip_prefix("node")?.parse().ok());
        number.unwrap_or(drawn % 3)
    }
}
