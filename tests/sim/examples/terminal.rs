//! A cloud for looking at the live display, served until standard input ends: `… --example terminal > clouds.yaml`.
//!
//! What is said to last, lasts ten minutes: there is time to look.

use std::io::{Read, Write};
use std::time::Duration;

use sim_cloud::{Cloud, Config, Item, Kind, Stack, Time, secs};

const LONG: Duration = secs(600);
const SERVER: &str = "OS::Nova::Server";

fn main() -> std::io::Result<()> {
    let cloud = Cloud::start(Config::new(Time::real()))?;
    stacks(&cloud);
    shares(&cloud);
    let mut out = std::io::stdout();
    write!(out, "{}", cloud.clouds_yaml())?;
    out.flush()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

fn stacks(cloud: &Cloud) {
    let at = Duration::from_millis;
    let cache = Stack::create("web-cache-4x7h2m", LONG).built("memory", SERVER, at(50), LONG);
    cloud.stack(
        numbered(Stack::create("web", LONG), 1)
            .built("network", "OS::Neutron::Net", at(0), at(10))
            .built("volume", "OS::Cinder::Volume", at(10), at(20))
            .nested("cache", cache)
            .built("server", SERVER, at(20), LONG),
    );
    cloud.stack(numbered(Stack::standing("db"), 2));
    cloud.stack(numbered(
        Stack::failing("broken", at(20), "Resource CREATE failed: Quota exceeded"),
        3,
    ));
    for number in 0..30 {
        let span = if number < 4 { at(0) } else { LONG };
        let one = Stack::create(&format!("node-{number:02}"), span);
        cloud.stack(numbered(one, 100 + number));
    }
}

fn numbered(stack: Stack, number: u32) -> Stack {
    stack.id(&format!("aaaaaaaa-0000-4000-8000-{number:012}"))
}

fn shares(cloud: &Cloud) {
    let shares = [
        ("日本語のファイル", LONG),
        ("rocket 🚀", LONG),
        ("plain\u{1b}[2J\u{1b}[H", LONG),
        ("quick", secs(4)),
    ];
    for (number, (name, span)) in shares.into_iter().enumerate() {
        cloud.item(
            Item::new(Kind::Share, name)
                .id(&format!("bbbbbbbb-0000-4000-8000-{number:012}"))
                .status(secs(0), "creating")
                .status(span, "available"),
        );
    }
}
