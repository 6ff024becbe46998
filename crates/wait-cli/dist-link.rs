//! The build script of both programs: what the linker leaves out of the profile `dist`.
//!
//! The tables by which a panic unwinds the stack: the profile aborts on a panic, after the hook has said what happened and
//! ended the process with 70, so nobody reads them, and they are an eighth of the program. The compiler writes them all
//! the same, because the standard library's part was compiled for unwinding; only the linker can leave them out.
//! Profilers and debuggers find no callers without them; what a distribution builds (`release`) keeps them.
//!
//! And most of the table of relocations: those that only add the base of the program are packed (`DT_RELR`), which wants
//! glibc 2.36 (Debian 12, Fedora 37, Ubuntu 22.10) of programs that are linked dynamically.

use std::path::Path;
use std::{env, fs, io};

/// Understood by GNU ld and lld: in addition to the linker's own script.
const SCRIPT: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) } } INSERT AFTER .text;\n";

#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "how cargo and a build script talk"
)]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=../wait-cli/dist-link.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|has| has == value);
    // Build scripts are not told the profile's name; no other is optimised for size.
    if is("OPT_LEVEL", "z") && is("CARGO_CFG_TARGET_OS", "linux") {
        let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
        let script = Path::new(&folder).join("unwind-tables.ld");
        fs::write(&script, SCRIPT)?;
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", script.display());
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}
