//! Serves the demo cloud until standard input ends: `cargo run -p sim-cloud --example demo > clouds.yaml`.

use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let cloud = sim_cloud::demo()?;
    let mut out = std::io::stdout();
    write!(out, "{}", cloud.clouds_yaml())?;
    out.flush()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
