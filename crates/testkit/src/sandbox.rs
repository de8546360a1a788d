//! A sandbox whose children are the test program itself.

use sandbox::{Sandbox, child};

/// Makes a child of the sandbox of a test program that was started as one, before the harness reads its arguments.
#[ctor::ctor(unsafe)]
fn serve_as_child() {
    if child::is_requested() {
        let code = child::run();
        std::process::exit(i32::from(code != std::process::ExitCode::SUCCESS));
    }
}

/// The sandbox.
pub fn sandbox() -> Sandbox {
    Sandbox::of_this_program().expect("the test program knows its own path")
}
