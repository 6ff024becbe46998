//! `heat-wait stack create | adopt | update` and the legacy `stack-create`: requests made of templates.

use std::cell::RefCell;
use std::time::Duration;

use os_identity::{Error, Method, Reply, Session};
use serde_json::Value;
use wait_cli::options::Shape;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure};

use crate::args::{Adopt, Create, Definition, StackCreate, Update, Waiting};
use crate::baseline::{After, Baseline};
use crate::change::{self, Change, Sent};
use crate::client::Client;
use crate::goal::{Goal, StackJudge};
use crate::going::{Going, ask, finish};
use crate::lost::{self, Looked};
use crate::model::{Stack, StackRef};
use crate::names;
use crate::preview::{advised, preview, show_preview};
use crate::reading;
use crate::report;
use crate::resolve::{self, Resolved};
use crate::status::{Action, Status};
use crate::template::{self, Body, Operation, Outside, TemplateOptions};

pub(crate) fn create(args: &Create, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let operation = Operation::Create {
        name: args.name.clone(),
        enable_rollback: args.enable_rollback,
    };
    let mut options = options_of(&args.definition, operation);
    options.template = Some(args.template.clone());
    options.hooks.clone_from(&args.hooks);
    let made = Making {
        options: &options,
        action: Action::Create,
        name: &args.name,
        dry_run: args.definition.dry_run,
        waiting: &args.waiting,
        legacy: false,
    };
    make(&made, stage)
}

pub(crate) fn adopt(args: &Adopt, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let operation = Operation::Adopt {
        name: args.name.clone(),
        enable_rollback: args.enable_rollback,
        adopt_file: args.adopt_file.clone(),
    };
    let options = options_of(&args.definition, operation);
    let made = Making {
        options: &options,
        action: Action::Adopt,
        name: &args.name,
        dry_run: false,
        waiting: &args.waiting,
        legacy: false,
    };
    make(&made, stage)
}

/// The legacy command, which waits if `--poll` was given.
pub(crate) fn stack_create(args: &StackCreate, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let sources = [
        &args.template_file,
        &args.template_url,
        &args.template_object,
    ];
    let mut given = sources.into_iter().flatten();
    let (Some(template), None) = (given.next(), given.next()) else {
        return Err(Failure::usage(
            "give one of --template-file, --template-url and --template-object",
        ));
    };
    let operation = Operation::Create {
        name: args.name.clone(),
        enable_rollback: args.enable_rollback,
    };
    let options = TemplateOptions {
        template: Some(template.clone()),
        environments: args.environments.clone(),
        parameters: args.parameters.clone(),
        parameter_files: args.parameter_files.clone(),
        hooks: args.hooks.clone(),
        tags: args.tags.clone(),
        timeout: args.timeout,
        ..TemplateOptions::new(operation)
    };
    let waiting = Waiting {
        no_wait: !stage.given().has("--poll"),
        ..Waiting::default()
    };
    let made = Making {
        options: &options,
        action: Action::Create,
        name: &args.name,
        dry_run: false,
        waiting: &waiting,
        legacy: true,
    };
    make(&made, stage)
}

fn options_of(given: &Definition, operation: Operation) -> TemplateOptions {
    TemplateOptions {
        environments: given.environments.clone(),
        files_container: given.files_container.clone(),
        parameters: given.parameters.clone(),
        parameter_files: given.parameter_files.clone(),
        tags: given.tags.clone(),
        timeout: given.timeout,
        ..TemplateOptions::new(operation)
    }
}

/// Reads the files and makes the body. Nothing was sent to Heat then; the session signs in only where a file needs it.
fn body(
    options: &TemplateOptions,
    session: &Session<'_>,
    stage: &mut Stage<'_>,
) -> Result<Body, Failure> {
    let outside = Outside {
        files: stage.files,
        cwd: stage.cwd,
        stdin: RefCell::new(Some(&mut *stage.stdin)),
        session: Some(session),
    };
    let body = template::body(options, &outside)?;
    for warning in &body.warnings {
        stage.reporter.warning(warning);
    }
    Ok(body)
}

/// A create or an adoption.
struct Making<'m> {
    options: &'m TemplateOptions,
    action: Action,
    name: &'m str,
    dry_run: bool,
    waiting: &'m Waiting,
    /// What is printed is that of `heat stack-create`.
    legacy: bool,
}

fn make(made: &Making<'_>, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let layout = stage.layout(Shape::One)?;
    if !made.dry_run {
        report::check_columns(&layout, Shape::One)?;
    }
    stage.set_last_words("nothing was sent", None);
    let session = stage.session(stage.deadline(names::DEADLINE))?;
    let body = body(made.options, &session, stage)?;
    let bytes = body.bytes();
    let client = Client::open(session, stage.clock)?;
    let deadline = stage.deadline(limit_of(&body, None));
    client.set_deadline(deadline);
    if made.dry_run {
        let url = format!("{}/stacks/preview", client.base());
        let reply = preview(&client, stage, deadline, (Method::Post, &url), &bytes)?;
        return show_preview(stage, &layout, &reply, "stack");
    }
    let label = format!("stack {}", made.name);
    let find = |budget: Option<Duration>| client.find(made.name, budget);
    // The baseline for a lost answer. A name that is taken is the service's to refuse.
    let before = ask(stage, deadline, &label, &mut |left| find(left))?;
    let goal = Goal::Action(made.action).word();
    let resume = stage.command(["stack", "wait", made.name, "--for", &goal, "--appear=2m"]);
    stage.set_last_words(
        &format!("{label} was being asked for, and may come"),
        Some(&resume),
    );
    let url = format!("{}/stacks", client.base());
    let change = Change {
        label: &label,
        method: Method::Post,
        url: &url,
        body: Some(&bytes),
        when_idle: made.waiting.when_idle,
    };
    let mut again = false;
    let stack = loop {
        let lost = match change::send(&change, &client, stage, deadline, &mut |_| Ok(())) {
            Sent::Taken(reply) => match created(&reply, &client, made.name) {
                Ok(stack) => break stack,
                Err(error) => lost::said(&error),
            },
            Sent::Lost(error) => lost::said(&error),
            // The name was absent before the first request: that one was taken.
            Sent::Refused(failure)
                if again && before.is_none() && failure.message.contains("HTTP 409") =>
            {
                "the first request was taken: the name is in use now".to_owned()
            }
            Sent::Refused(failure) => {
                stage.set_last_words("nothing was created", None);
                return Err(advised(failure, &bytes));
            }
        };
        let mut absent = false;
        let proof = lost::prove(stage, deadline, &label, &lost, &mut |budget| {
            let found = find(budget)?;
            absent = found.is_none();
            Ok(match found {
                Some(stack) if before.as_ref().is_none_or(|old| old.id != stack.id) => {
                    Looked::Proof(stack)
                }
                Some(_) => Looked::Nothing("the name belongs to the stack of before".to_owned()),
                None => Looked::Nothing("there is no stack of that name".to_owned()),
            })
        });
        match proof {
            Ok(stack) => {
                stage.reporter.note(&format!(
                    "{} exists: the request was taken; waiting goes on",
                    stack.label()
                ));
                break stack;
            }
            // The name is unique: a double would be refused.
            Err(_) if absent && !again && !deadline.has_come(stage.clock.now()) => {
                stage.reporter.note(&format!(
                    "{label}: there is no such stack; the request is sent once more"
                ));
                again = true;
            }
            Err(failure) => return Err(failure),
        }
    };
    let resume = stage.command(["stack", "wait", &stack.id, "--for", &goal]);
    let judge = StackJudge::new(Goal::Action(made.action), Vec::new(), stage.timing.settle);
    let judge = Box::new(After::new(judge, made.action, stage));
    let going = Going {
        client: &client,
        deadline,
        name: made.name,
        stack,
        action: made.action,
        since: None,
        seen: None,
        waiting: made.waiting,
        legacy: made.legacy,
        resume: &resume,
    };
    finish(going, judge, stage, &layout)
}

/// The stack that a create was answered with.
fn created(reply: &Reply, client: &Client<'_>, name: &str) -> Result<StackRef, Error> {
    let answer: Value = reply.json()?;
    let id = answer.get("stack").and_then(|stack| stack.get("id"));
    match id.and_then(Value::as_str).filter(|id| !id.is_empty()) {
        Some(id) => Ok(StackRef {
            base: client.base().to_owned(),
            name: name.to_owned(),
            id: id.to_owned(),
        }),
        None => Err(Error::new(
            os_identity::Kind::Unknown,
            "the answer names no stack",
        )),
    }
}

pub(crate) fn update(args: &Update, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let dry_run = args.definition.dry_run;
    let layout = stage.layout(Shape::One)?;
    if !dry_run {
        report::check_columns(&layout, Shape::One)?;
    }
    names::distinct(std::slice::from_ref(&args.stack))?;
    let operation = Operation::Update {
        existing: args.existing,
        clear_parameters: args.clear_parameters.clone(),
        rollback: match args.rollback.as_deref() {
            Some("enabled") => Some(true),
            Some("disabled") => Some(false),
            _ => None,
        },
        converge: args.converge,
        dry_run,
    };
    let mut options = options_of(&args.definition, operation);
    options.template.clone_from(&args.template);
    options.hooks.clone_from(&args.hooks);
    stage.set_last_words("nothing was sent", None);
    let deadline = stage.deadline(names::DEADLINE);
    let session = stage.session(deadline)?;
    let body = body(&options, &session, stage)?;
    let bytes = body.bytes();
    let client = Client::open(session, stage.clock)?;
    let found = ask(
        stage,
        deadline,
        &format!("stack {}", args.stack),
        &mut |left| resolve::one(&client, &args.stack, left),
    )?;
    let Some(Resolved { stack, seen }) = found else {
        return Err(reading::no_stack(&args.stack));
    };
    let deadline = stage.deadline(limit_of(&body, seen.as_ref()));
    client.set_deadline(deadline);
    let method = if args.existing {
        Method::Patch
    } else {
        Method::Put
    };
    if dry_run {
        let nested = if args.show_nested {
            "?show_nested=True"
        } else {
            ""
        };
        let url = format!("{}/preview{nested}", stack.url());
        let reply = preview(&client, stage, deadline, (method, &url), &bytes)?;
        return show_preview(stage, &layout, &reply, "resource_changes");
    }
    let label = stack.label();
    let first = ask(stage, deadline, &label, &mut |left| {
        Baseline::take(&client, &stack, seen.as_ref(), left)
    })?;
    let Some(first) = first else {
        return Err(reading::no_stack(&args.stack));
    };
    let baseline = RefCell::new(first);
    let resume_of = |baseline: &Baseline| {
        let mut words = vec!["stack", "wait", &stack.id, "--for", "update"];
        if let Some(event) = baseline.since() {
            words.extend(["--since", event]);
        }
        stage.command(words)
    };
    stage.set_last_words(
        "the update was being asked for, and may come",
        Some(&resume_of(&baseline.borrow())),
    );
    let url = stack.url();
    let change = Change {
        label: &label,
        method,
        url: &url,
        body: Some(&bytes),
        when_idle: args.waiting.when_idle,
    };
    let sent = change::send(&change, &client, stage, deadline, &mut |left| {
        if let Some(newer) = Baseline::take(&client, &stack, None, left)? {
            *baseline.borrow_mut() = newer;
        }
        Ok(())
    });
    let baseline = baseline.into_inner();
    let resume = resume_of(&baseline);
    match sent {
        Sent::Taken(_) => {}
        Sent::Refused(failure) => {
            stage.set_last_words("nothing was changed", None);
            return Err(advised(failure, &bytes));
        }
        Sent::Lost(error) => {
            let claims = |status: Status, _: &str| status.action == Some(Action::Update);
            let status = lost::prove(stage, deadline, &label, &lost::said(&error), &mut |left| {
                baseline.look_for(&client, &stack, &claims, left)
            })?;
            stage.reporter.note(&format!(
                "{label} is {status}: the request was taken; waiting goes on"
            ));
        }
    }
    let judge = StackJudge::new(
        Goal::Action(Action::Update),
        Vec::new(),
        stage.timing.settle,
    );
    let since = baseline.since().map(str::to_owned);
    let seen = Some(baseline.stack.clone());
    let judge = Box::new(After::since(judge, baseline, Some(Action::Update), stage));
    let going = Going {
        client: &client,
        deadline,
        name: &args.stack,
        stack,
        action: Action::Update,
        since,
        seen,
        waiting: &args.waiting,
        legacy: false,
        resume: &resume,
    };
    finish(going, judge, stage, &layout)
}

/// How long the operation may take, by what is asked for and, where that leaves it open, by the stack as it is.
fn limit_of(body: &Body, seen: Option<&Stack>) -> Duration {
    let minutes = body.fields.get("timeout_mins").and_then(Value::as_u64);
    let rolls_back = match body.fields.get("disable_rollback") {
        Some(off) => off == &Value::Bool(false),
        None => seen.is_some_and(|seen| seen.rolls_back() == Some(true)),
    };
    names::limit(minutes.or(seen.and_then(Stack::timeout_mins)), rolls_back)
}
