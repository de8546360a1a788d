//! `huntsman demo-site`: a made-up web of shops, news pages and widgets on this machine.

use std::net::Ipv4Addr;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use tokio::net::TcpListener;

use crate::composition;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman demo-site --port 8800\n  huntsman scrape http://127.0.0.1:8800/shop/plain"
)]
pub(crate) struct DemoSite {
    /// The port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 8800)]
    port: u16,
}

impl DemoSite {
    /// Says where the site is and serves it until Ctrl+C.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        composition::runtime()?.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).await;
            let listener = listener
                .with_context(|| format!("cannot listen on port {}; name another with --port", self.port))?;
            let address = listener.local_addr().context("the listener has no port")?;
            let mut output = Output::new();
            output.text(&format!("http://{address}/"))?;
            output.done()?;
            tokio::select! {
                ended = demo::serve::serve(listener) => ended.context("the demo site broke")?,
                _ = tokio::signal::ctrl_c() => {}
            }
            Ok(ExitCode::SUCCESS)
        })
    }
}
