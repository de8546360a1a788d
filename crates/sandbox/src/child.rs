//! The child's side: sets its limits, then answers requests from its standard input until that ends.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use crate::error::Error;
use crate::limits::{self, Protections, STACK_BYTES};
use crate::protocol::{ARGUMENT, ResponseTag, TaskKind, encode, read_frame, write_frame};
use crate::{document, jq, pdf, regex};

/// Whether this process was started as a child.
pub fn is_requested() -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == ARGUMENT)
}

/// Serves requests until the standard input ends.
pub fn run() -> ExitCode {
    // A panic is reported to the parent; its text may hold data of the task.
    std::panic::set_hook(Box::new(|_| {}));
    // The thread is started before the limits forbid it.
    let serving = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(|| serve().is_ok());
    match serving.map(|thread| thread.join()) {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn serve() -> io::Result<()> {
    // Parsers of documents print; that goes to the standard error, away from the frames.
    let output = File::from(rustix::io::dup(io::stdout())?);
    rustix::stdio::dup2_stdout(io::stderr())?;
    let (mut input, mut output) = (io::stdin().lock(), BufWriter::new(output));
    let protections = limits::apply();
    write_frame(
        &mut output,
        ResponseTag::Ready,
        &encode(&protections).unwrap_or_default(),
    )?;
    while let Some((tag, payload)) = read_frame(&mut input)? {
        let task = AssertUnwindSafe(|| execute(tag, &payload, &protections, &mut output));
        let outcome = catch_unwind(task).unwrap_or_else(|panic| Err(of_panic(panic.as_ref())));
        match outcome {
            Ok(result) => write_frame(&mut output, ResponseTag::Done, &result)?,
            Err(error) => {
                write_frame(
                    &mut output,
                    ResponseTag::Failed,
                    &encode(&error).unwrap_or_default(),
                )?;
            }
        }
    }
    Ok(())
}

fn execute(
    tag: u8,
    payload: &[u8],
    protections: &Protections,
    output: &mut impl Write,
) -> Result<Vec<u8>, Error> {
    match TaskKind::from_repr(tag) {
        Some(TaskKind::Jq) => jq::execute(payload),
        Some(TaskKind::Regex) => regex::execute(payload),
        Some(TaskKind::Pdf) => pdf::execute(payload, &mut |part: &[u8]| {
            write_frame(output, ResponseTag::Part, part).is_ok()
        }),
        Some(TaskKind::Document) => document::execute(payload),
        Some(TaskKind::Check) => encode(protections),
        None => Err(Error::Failed("there is no such kind of work".into())),
    }
}

/// The error of a panic. The standard library panics when a capacity is beyond the address space.
fn of_panic(panic: &(dyn std::any::Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    if text == Some("capacity overflow") {
        Error::Memory
    } else {
        Error::Crashed
    }
}
