//! `capacity`: a day of runs on a cluster of a given size, simulated second by second with measured costs: which part is full
//! first.

use std::collections::{BinaryHeap, VecDeque};

use anyhow::Context as _;

/// Seconds of a day.
const DAY: u32 = 86_400;
/// Waits longer than this, in seconds, at the 99th percentile mean that the cluster cannot take the load.
const LONGEST_WAIT: f64 = 10.0;

/// Sizes and costs: name, usual value, meaning. docs/cluster.md says which were measured.
const PARAMETERS: [(&str, f64, &str); 18] = [
    ("runs", 1_000_000.0, "runs a day"),
    ("peak", 2.5, "load of the busiest hour over the mean"),
    ("seconds", 15.0, "seconds that a run takes on a worker"),
    ("workers", 48.0, "worker processes"),
    ("slots", 16.0, "runs at once on each worker"),
    ("worker-cores", 2.0, "cores of each worker"),
    ("worker-ms", 25.0, "CPU of a worker for a run, in ms"),
    ("servers", 2.0, "server processes"),
    ("server-cores", 2.0, "cores of each server"),
    ("server-ms", 8.0, "CPU of a server for a run, in ms"),
    ("writes", 19.0, "writes to NATS for a run"),
    ("nats-writes", 1000.0, "writes a second that NATS takes"),
    ("kilobytes", 20.0, "kB of one copy of a run in the streams"),
    ("days", 7.0, "days that runs are kept"),
    ("disk-gigabytes", 500.0, "disk of each NATS node, in GB"),
    ("subjects", 5.0, "subjects that a run leaves"),
    ("memory-gigabytes", 32.0, "memory of each NATS node, in GB"),
    ("subject-bytes", 400.0, "memory of NATS for a subject, in bytes"),
];
/// Open runs that one cluster is made for.
const OPEN_RUNS: f64 = 100_000.0;
/// Beats of each process, a second.
const BEATS: f64 = 1.0 / 3.0;

/// Values of [`PARAMETERS`].
struct Parameters([f64; PARAMETERS.len()]);

impl Parameters {
    fn read(words: &[String]) -> anyhow::Result<Self> {
        let mut values = PARAMETERS.map(|(_, usual, _)| usual);
        for pair in words.chunks(2) {
            let place = |flag: &String| {
                PARAMETERS
                    .iter()
                    .position(|(name, ..)| flag.strip_prefix("--") == Some(name))
            };
            let (Some(flag), Some(value)) = (pair.first(), pair.get(1)) else {
                anyhow::bail!("each flag takes a number: cargo xtask capacity --runs 1000000");
            };
            let place = place(flag).with_context(|| {
                let names: Vec<String> = PARAMETERS
                    .iter()
                    .map(|(name, usual, meaning)| format!("  --{name} N  {meaning} [{usual}]"))
                    .collect();
                format!("no flag is called {flag}; there are\n{}", names.join("\n"))
            })?;
            let value: f64 = value.parse().with_context(|| format!("{flag} takes a number"))?;
            anyhow::ensure!(value > 0.0 && value < 1e12, "{flag} takes a number above 0");
            values[place] = value;
        }
        anyhow::ensure!(Self(values).get("peak") >= 1.0, "--peak is at least 1");
        Ok(Self(values))
    }

    fn get(&self, name: &str) -> f64 {
        let place = PARAMETERS.iter().position(|(known, ..)| *known == name);
        place.map_or(f64::NAN, |place| self.0[place])
    }
}

/// Pseudo-random numbers (splitmix64), the same each time.
struct Random(u64);

impl Random {
    /// Between 0 and 1, without 0.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// A number of arrivals with this mean: Poisson, counted by exponential gaps.
    fn arrivals(&mut self, mean: f64) -> u32 {
        let (mut count, mut time) = (0, -self.unit().ln());
        while time < mean {
            count += 1;
            time -= self.unit().ln();
        }
        count
    }
}

/// What a day showed. Uses are means over the busiest minute, as shares of what there is.
#[derive(Debug, Default)]
struct Day {
    slots: f64,
    writes: f64,
    worker_cpu: f64,
    server_cpu: f64,
    open_runs: f64,
    /// Seconds that runs waited for a worker, at the 99th percentile.
    wait: f64,
    /// Runs that were open at midnight.
    left: usize,
}

/// The load at a second of the day, over the mean: a wave whose top is the peak.
fn wave(second: u32, peak: f64) -> f64 {
    // A wave raised to a power has a mean below 1/2; its height is chosen so that the mean stays 1.
    let angle = f64::from(second) / f64::from(DAY) * std::f64::consts::TAU;
    let narrow = |angle: f64| ((1.0 - angle.cos()) / 2.0).powi(2);
    // The mean of the narrow wave is 3/8.
    let height = (peak - 1.0) / (1.0 - 3.0 / 8.0);
    (1.0 + height * (narrow(angle) - 3.0 / 8.0)).max(0.0)
}

/// Simulates one day. Runs arrive at random, wait for a slot, and go on as fast as NATS takes their writes.
fn simulate(parameters: &Parameters) -> Day {
    let get = |name: &str| parameters.get(name);
    let mut random = Random(1);
    let slots = get("workers") * get("slots");
    let (worker_ms, server_ms) = (
        get("workers") * get("worker-cores") * 1000.0,
        get("servers") * get("server-cores") * 1000.0,
    );
    let beats = (get("workers") + get("servers")) * BEATS;
    let mut queue: VecDeque<u32> = VecDeque::new();
    // Progress at which each running one ends, the next one first. A second of progress takes longer while runs wait for
    // their writes.
    let mut running: BinaryHeap<std::cmp::Reverse<u64>> = BinaryHeap::new();
    let mut progress = 0.0_f64;
    let mut waits: Vec<u32> = Vec::new();
    let (mut day, mut minute) = (Day::default(), Day::default());
    for second in 0..DAY {
        let arrived = random.arrivals(get("runs") / f64::from(DAY) * wave(second, get("peak")));
        queue.extend(std::iter::repeat_n(second, arrived as usize));
        let mut begun = 0;
        while (running.len() as f64) < slots
            && let Some(since) = queue.pop_front()
        {
            waits.push(second - since);
            let time = -random.unit().ln() * get("seconds");
            running.push(std::cmp::Reverse(((progress + time) * 1000.0) as u64));
            begun += 1;
        }
        // A run writes evenly over its time.
        let wanted = running.len() as f64 * get("writes") / get("seconds") + beats;
        progress += (get("nats-writes") / wanted).min(1.0);
        while running
            .peek()
            .is_some_and(|end| end.0 as f64 <= progress * 1000.0)
        {
            running.pop();
        }
        minute.slots += running.len() as f64 / slots;
        minute.writes += wanted / get("nats-writes");
        minute.worker_cpu += f64::from(begun) * get("worker-ms") / worker_ms;
        minute.server_cpu += f64::from(arrived) * get("server-ms") / server_ms;
        minute.open_runs += (running.len() + queue.len()) as f64 / OPEN_RUNS;
        if second % 60 == 59 {
            for (most, sum) in [
                (&mut day.slots, minute.slots),
                (&mut day.writes, minute.writes),
                (&mut day.worker_cpu, minute.worker_cpu),
                (&mut day.server_cpu, minute.server_cpu),
                (&mut day.open_runs, minute.open_runs),
            ] {
                *most = most.max(sum / 60.0);
            }
            minute = Day::default();
        }
    }
    waits.extend(queue.iter().map(|since| DAY - since));
    waits.sort_unstable();
    day.wait = waits.get(waits.len() * 99 / 100).copied().unwrap_or(0).into();
    day.left = running.len() + queue.len();
    day
}

/// The most runs a day, to one percent, after which runs do not wait too long.
fn most_runs(parameters: &Parameters) -> f64 {
    let is_fine = |runs: f64| {
        let mut values = parameters.0;
        values[0] = runs;
        let day = simulate(&Parameters(values));
        day.wait <= LONGEST_WAIT && day.writes <= 1.0
    };
    let (mut fine, mut too_many) = (0.0, parameters.get("runs"));
    while is_fine(too_many) {
        (fine, too_many) = (too_many, too_many * 2.0);
    }
    while too_many - fine > parameters.get("runs") / 100.0 {
        let middle = f64::midpoint(fine, too_many);
        if is_fine(middle) {
            fine = middle;
        } else {
            too_many = middle;
        }
    }
    fine
}

/// `capacity [--NAME N]...`: prints what each part has to do in the busiest minute, the fullest first.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let parameters = Parameters::read(words)?;
    let get = |name: &str| parameters.get(name);
    let (runs, kept) = (get("runs"), get("runs") * get("days"));
    let day = simulate(&parameters);
    let mut parts = vec![
        ("slots of workers", day.slots),
        ("writes of NATS", day.writes),
        ("CPU of workers", day.worker_cpu),
        ("CPU of servers", day.server_cpu),
        ("open runs (100,000)", day.open_runs),
        (
            "disk of a NATS node",
            kept * get("kilobytes") / (get("disk-gigabytes") * 1e6),
        ),
        (
            "memory of a NATS node",
            kept * get("subjects") * get("subject-bytes") / (get("memory-gigabytes") * 1e9),
        ),
    ];
    parts.sort_by(|one, other| other.1.total_cmp(&one.1));
    println!("| part | used | full at, runs a day |\n|---|---|---|");
    for (name, used) in &parts {
        println!("| {name} | {:.0} % | {:.2} M |", used * 100.0, runs / used / 1e6);
    }
    println!(
        "{:.2} M runs a day, busiest hour {} times the mean: 99 of 100 runs wait at most {} s for a worker, {} are open at the \
         end; by waits and writes the cluster takes {:.2} M",
        runs / 1e6,
        get("peak"),
        day.wait,
        day.left,
        most_runs(&parameters) / 1e6
    );
    let (name, used) = parts[0];
    println!(
        "full first: {name}, {}",
        if used > 1.0 {
            "too small"
        } else {
            "and it is enough"
        }
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(changes: &[(&str, f64)]) -> Day {
        let words = changes
            .iter()
            .flat_map(|(name, value)| [format!("--{name}"), value.to_string()]);
        simulate(&Parameters::read(&words.collect::<Vec<_>>()).unwrap())
    }

    #[test]
    fn the_wave_has_its_mean_and_its_peak() {
        let all: Vec<f64> = (0..DAY).map(|second| wave(second, 2.5)).collect();
        let mean = all.iter().sum::<f64>() / f64::from(DAY);
        let most = all.iter().fold(0.0_f64, |most, load| most.max(*load));
        assert!(
            (mean - 1.0).abs() < 0.01 && (most - 2.5).abs() < 0.01,
            "{mean} {most}"
        );
    }

    #[test]
    fn even_load_uses_what_arithmetic_says() {
        // 86,400 runs a day of 10 s: 10 slots of 20, 10 writes a second of 20.
        let day = with(&[
            ("runs", 86_400.0),
            ("peak", 1.0),
            ("seconds", 10.0),
            ("workers", 1.0),
            ("servers", 0.001),
            ("slots", 20.0),
            ("writes", 10.0),
            ("nats-writes", 100.0),
        ]);
        // The busiest minute is above the mean.
        assert!(
            (0.5..1.0).contains(&day.slots) && (0.1..0.2).contains(&day.writes),
            "{day:?}"
        );
    }

    #[test]
    fn too_few_slots_and_too_few_writes_make_runs_wait() {
        assert!(with(&[("workers", 4.0)]).wait > LONGEST_WAIT);
        assert!(with(&[("nats-writes", 100.0)]).wait > LONGEST_WAIT);
        assert!(with(&[("nats-writes", 5000.0)]).wait <= LONGEST_WAIT);
    }
}
