//! Limits that a child sets for itself before it reads a byte of a task.

use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// Most memory of a child for data, in bytes, the stack of its tasks ([`STACK_BYTES`]) included.
pub const MAX_MEMORY: u64 = 512 << 20;
/// Stack for tasks, in bytes: parsers of documents and queries recurse.
pub(crate) const STACK_BYTES: usize = 64 << 20;
/// Most address space, in bytes: data, the program itself, and what the allocator only reserves.
const MAX_ADDRESS_SPACE: u64 = 4 << 30;
/// Most processor time of a child in its whole life, in seconds. The parent ends it earlier; this holds when the parent
/// cannot.
const MAX_CPU_SECONDS: u64 = 40;

/// What protects a child on this system.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protections {
    /// The process number of the child.
    pub process: u32,
    /// What could not be set, in words; empty where everything could.
    pub missing: Vec<String>,
}

/// Sets every limit that the system has. What cannot be set is named in the result, and the others stand.
pub(crate) fn apply() -> Protections {
    let mut missing = Vec::new();
    let limits = [
        (Resource::Data, MAX_MEMORY, "memory"),
        (Resource::As, MAX_ADDRESS_SPACE, "address space"),
        (Resource::Cpu, MAX_CPU_SECONDS, "processor time"),
        (Resource::Core, 0, "core dumps"),
        (Resource::Fsize, 0, "size of files"),
        (Resource::Nproc, 0, "processes"),
        (Resource::Nofile, 0, "open files"),
    ];
    for (resource, most, name) in limits {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        if let Err(error) = setrlimit(resource, limit) {
            missing.push(format!("the limit of {name} ({error})"));
        }
    }
    if !cfg!(target_os = "linux") {
        missing.push("a limit of memory that the system enforces".to_owned());
    }
    end_with_parent(&mut missing);
    filter_system_calls(&mut missing);
    Protections {
        process: std::process::id(),
        missing,
    }
}

/// Has the system end this process with the thread that started it. Elsewhere the child ends when its input ends.
fn end_with_parent(missing: &mut Vec<String>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
            missing.push(format!("the end with the parent ({error})"));
        }
        if let Err(error) = rustix::thread::set_no_new_privs(true) {
            missing.push(format!("the ban of new privileges ({error})"));
        }
    }
    #[cfg(not(target_os = "linux"))]
    missing.push("the end with the parent while a task runs".to_owned());
}

/// Leaves the system calls of a process that computes.
fn filter_system_calls(missing: &mut Vec<String>) {
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    if let Err(error) = crate::seccomp::apply() {
        missing.push(format!("the filter of system calls ({error})"));
    }
    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    missing.push("a filter of system calls".to_owned());
}
