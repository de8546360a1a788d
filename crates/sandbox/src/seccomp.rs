//! The filter of system calls of a child (seccomp): memory, clocks, open pipes, its own end, and nothing else.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter_all_threads,
};

/// Allowed with all arguments. None of them opens, connects, starts or signals anything.
const ALLOWED: &[i64] = &[
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_gettimeofday,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Installs the filter for all threads. A call that is not allowed fails with `EPERM`.
pub(crate) fn apply() -> Result<(), seccompiler::Error> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    // Memory of its own that holds data and no code.
    let no_code = || without_bit(2, libc::PROT_EXEC);
    rules.insert(
        libc::SYS_mmap,
        vec![SeccompRule::new(vec![
            no_code()?,
            without_bit(3, libc::MAP_SHARED)?,
        ])?],
    );
    rules.insert(libc::SYS_mprotect, vec![SeccompRule::new(vec![no_code()?])?]);
    // `abort` signals its own process.
    let own = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Dword,
        SeccompCmpOp::Eq,
        u64::from(std::process::id()),
    )?;
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![own])?]);
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let architecture = std::env::consts::ARCH.try_into()?;
    let filter = SeccompFilter::new(rules, refusal, SeccompAction::Allow, architecture)?;
    let program: BpfProgram = filter.try_into()?;
    apply_filter_all_threads(&program)
}

/// The condition that an argument lacks a bit.
fn without_bit(argument: u8, bit: libc::c_int) -> Result<SeccompCondition, seccompiler::BackendError> {
    let mask = u64::from(bit.unsigned_abs());
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), 0)
}
