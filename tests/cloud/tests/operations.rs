//! Every operation of both programs, to its good end and to a bad one: the exit codes. The stories are in `stories/`; what
//! the Python clients make of the same is in docs/comparison.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use cloud_tests::{Place, Program, User};
use serde_json::Value;

const HEAT: &str = include_str!("stories/heat.txt");
const MANILA: &str = include_str!("stories/manila.txt");

#[test]
fn every_operation_on_stacks_ends_with_the_right_code() {
    play(HEAT, Program::heat);
}

#[test]
fn every_operation_on_shares_ends_with_the_right_code() {
    play(MANILA, Program::manila);
}

/// So many stories at a time: with more, services on a slow machine miss their own heartbeats, and schedulers take them for
/// dead.
const SIDE_BY_SIDE: usize = 8;

/// Plays all stories, some side by side, and fails with what differs in each.
fn play(stories: &str, program: fn(&[String]) -> Program) {
    let users = [User::demo(), User::admin()];
    let stories: Vec<(&str, &str)> = stories
        .split("\n== ")
        .skip(1)
        .filter_map(|story| story.split_once('\n'))
        .collect();
    assert!(stories.len() > 5, "the stories are lost");
    let left = Mutex::new(stories.into_iter());
    let next = || left.lock().expect("no story panics").next();
    let play = || {
        let mut differences = Vec::new();
        while let Some((title, lines)) = next() {
            if let Err(difference) = Story::new(&users, program).tell(lines) {
                differences.push(format!("{title}: {difference}"));
            }
        }
        differences
    };
    let differences: Vec<String> = thread::scope(|scope| {
        let running = [(); SIDE_BY_SIDE].map(|()| scope.spawn(play));
        let ended = running.into_iter();
        ended
            .flat_map(|player| player.join().expect("no story panics"))
            .collect()
    });
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

/// What one story knows.
struct Story<'u> {
    users: &'u [User; 2],
    program: fn(&[String]) -> Program,
    known: BTreeMap<String, String>,
    folder: PathBuf,
}

impl<'u> Story<'u> {
    fn new(users: &'u [User; 2], program: fn(&[String]) -> Program) -> Self {
        let name = Place::unique("story");
        let folder = std::env::temp_dir().join(&name);
        let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        let mut known = BTreeMap::from([("n".to_owned(), name)]);
        for template in ["basic", "config"] {
            let file = templates.join(format!("{template}.yaml"));
            known.insert(template.to_owned(), file.display().to_string());
        }
        Self {
            users,
            program,
            known,
            folder,
        }
    }

    fn tell(mut self, lines: &str) -> Result<(), String> {
        fs::create_dir_all(&self.folder).map_err(|e| e.to_string())?;
        for line in lines
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        {
            let words: Vec<&str> = line.split(' ').collect();
            let told = match words[0] {
                "file" => self.file(&words[1..]),
                word if word == "request" || word.ends_with("=request") => {
                    self.request(word.strip_suffix("=request"), &line[word.len() + 1..])
                }
                head => self.command(head, &words[1..]),
            };
            told.map_err(|difference| format!("{line}\n{difference}"))?;
        }
        self.tidy();
        Ok(())
    }

    /// `[NAME[.COLUMN]=]EXIT[@admin] WORDS`
    fn command(&mut self, head: &str, words: &[&str]) -> Result<(), String> {
        let (keep, code) = head
            .split_once('=')
            .map_or((None, head), |(k, c)| (Some(k), c));
        let (code, user) = code.split_once('@').unwrap_or((code, "demo"));
        let mut words: Vec<String> = words.iter().map(|word| self.filled(word)).collect();
        let (name, column) = keep.map_or(("", "id"), |keep| {
            keep.split_once('.').unwrap_or((keep, "id"))
        });
        if keep.is_some() {
            words.extend(["-f", "value", "-c", column].map(str::to_owned));
        }
        let ended = (self.program)(&words).env("OS_CLOUD", user).run();
        if ended.exit.to_string() != code {
            return Err(format!(
                "exit {}\n{}{}",
                ended.exit, ended.stdout, ended.stderr
            ));
        }
        if keep.is_some() {
            let value = ended.stdout.lines().next().unwrap_or_default().to_owned();
            if column == "host" {
                // The backends london and paris take shares from each other.
                let other = if value.contains("london") {
                    "paris"
                } else {
                    "london"
                };
                let pool = format!("testcloud@{other}#fake_pool_for_{}", other.to_uppercase());
                self.known.insert("other".to_owned(), pool);
            }
            self.known.insert(name.to_owned(), value);
        }
        Ok(())
    }

    /// `SERVICE[@admin] METHOD PATH BODY [POINTER]`
    fn request(&mut self, keep: Option<&str>, line: &str) -> Result<(), String> {
        let line = self.filled(line);
        let (head, pointer) = match keep {
            Some(_) => line.rsplit_once(' ').ok_or("no pointer")?,
            None => (line.as_str(), ""),
        };
        let mut parts = head.splitn(4, ' ');
        let mut part = || parts.next().ok_or("a request has four parts");
        let (service, method, path, body) = (part()?, part()?, part()?, part()?);
        let (service, user) = match service.split_once('@') {
            Some((service, _)) => (service, &self.users[1]),
            None => (service, &self.users[0]),
        };
        let root = if service == "heat" {
            &user.heat
        } else {
            &user.manila
        };
        let body: Value = serde_json::from_str(body).map_err(|e| e.to_string())?;
        let reply = user.send(
            method,
            &format!("{root}{path}"),
            Some(&body).filter(|body| !body.is_null()),
        );
        if !(200..300).contains(&reply.status) {
            return Err(format!("{reply:?}"));
        }
        if let Some(name) = keep {
            let value = reply
                .body
                .pointer(pointer.trim_end_matches('/'))
                .unwrap_or(&Value::Null);
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            self.known.insert(name.to_owned(), text);
        }
        Ok(())
    }

    /// `NAME TEXT [POINTER]`: a file with this JSON, without what the pointer leads to.
    fn file(&mut self, words: &[&str]) -> Result<(), String> {
        let file = self.folder.join(words[0]);
        let mut data: Value =
            serde_json::from_str(&self.filled(words[1])).map_err(|e| e.to_string())?;
        if let Some((parent, key)) = words.get(2).and_then(|pointer| pointer.rsplit_once('/')) {
            let parent = data.pointer_mut(parent).and_then(Value::as_object_mut);
            parent.ok_or("no such place")?.remove(key);
        }
        fs::write(&file, data.to_string()).map_err(|e| e.to_string())?;
        self.known
            .insert(words[0].to_owned(), file.display().to_string());
        Ok(())
    }

    fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, value) in &self.known {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }

    /// Asks that what has the story's name go; what will not is left to `cloud down`.
    fn tidy(&self) {
        let _ = fs::remove_dir_all(&self.folder);
        let (name, [demo, admin]) = (&self.known["n"], self.users);
        for tail in ["", "-whole", "-broken", "-fails"] {
            let url = format!("{}/stacks?name={name}{tail}", demo.heat);
            let found = demo.send("GET", &url, None).body;
            for stack in found["stacks"].as_array().into_iter().flatten() {
                let id = stack["id"].as_str().unwrap_or_default();
                let url = format!("{}/stacks/{name}{tail}/{id}", demo.heat);
                let _ = demo.send("DELETE", &url, None);
            }
        }
        let force = serde_json::json!({"force_delete": null});
        for (kind, key) in [
            ("snapshots", "snapshots"),
            ("share-groups", "share_groups"),
            ("shares", "shares"),
        ] {
            let list = format!("{}/{kind}/detail?all_tenants=1&name~={name}", admin.manila);
            let found = admin.send("GET", &list, None).body;
            for one in found[key].as_array().into_iter().flatten() {
                let id = one["id"].as_str().unwrap_or_default();
                let url = format!("{}/{kind}/{id}/action", admin.manila);
                if one["name"]
                    .as_str()
                    .is_some_and(|own| own.starts_with(name.as_str()))
                {
                    let _ = admin.send("POST", &url, Some(&force));
                }
            }
        }
    }
}
