//! `share … wait`: follow what runs to its end. Nothing is changed.

use poll_core::Deadline;
use wait_cli::options::Shape;
use wait_cli::run::Stage;
use wait_cli::{Exit, Failure, duration, engine};

use crate::after::{After, tell};
use crate::args::WaitArgs;
use crate::client::Client;
use crate::follow::follow;
use crate::goal::{Appear, Goal};
use crate::kind::{ACCESS, ACCESS_BY_ID, Kind, SHARE};
use crate::resume::Resume;
use crate::watch::{Looks, Watch};
use crate::{lookup, result};

/// Runs a wait.
///
/// # Errors
/// What kept it from beginning.
pub fn run(kind: &'static Kind, args: &WaitArgs, stage: &mut Stage<'_>) -> Result<Exit, Failure> {
    let goal = goal(kind, args)?;
    let shape = if args.ids.len() == 1 {
        Shape::One
    } else {
        Shape::List
    };
    let layout = stage.layout(shape)?;
    let hint = Resume::new(kind, args, &goal);
    stage.set_last_words(
        &format!(
            "nothing was changed, and whatever runs on {} goes on",
            args.ids.join(", ")
        ),
        Some(&hint.command(stage, &args.ids, true)),
    );
    let deadline = stage.deadline(kind.deadline);
    let client = Client::open(stage, deadline)?;
    needed(&client, &goal)?;
    let share = share_of_rules(&client, kind, args, stage, deadline)?;
    let wide = goal.appear == Appear::Now;
    // The kind's own field is seen to by its microversion.
    let fields = goal
        .fields()
        .into_iter()
        .skip(1)
        .map(str::to_owned)
        .collect();
    let watch = Watch::new(
        &client,
        stage.clock,
        kind,
        &args.ids,
        Looks {
            share,
            wide,
            fields,
        },
    );
    let ends = follow(&goal, args.any, &watch, &hint, stage, deadline);
    let after = After::begin(&client, deadline, stage);
    tell(&goal, &ends, &after, &hint, stage);
    let exits: Vec<Exit> = ends.iter().map(|end| end.exit).collect();
    let result = if let [end] = ends.as_slice() {
        result::one(&goal, end, &after, layout, stage)
    } else {
        result::several(&goal, &ends, client.version(), layout)
    };
    let exit = if args.any {
        Exit::of_any(&exits)
    } else {
        Exit::of_all(exits)
    };
    let printed = result.and_then(|text| text.map_or(Ok(()), |text| stage.print(&text)));
    match printed {
        // What became of the resources says more than that it could not be printed as asked for.
        Err(failure) if exit != Exit::Reached => {
            stage.reporter.failure(&failure);
            Ok(exit)
        }
        printed => printed.map(|()| exit),
    }
}

fn goal(kind: &'static Kind, args: &WaitArgs) -> Result<Goal, Failure> {
    let goal = Goal::read(kind, &args.for_words, &args.and).map_err(Failure::usage)?;
    if args.share.is_some() && *kind != ACCESS {
        return Err(Failure::usage(
            "--share: only access rules belong to a share that must be named",
        ));
    }
    if let Some(empty) = args.ids.iter().find(|id| id.trim().is_empty()) {
        return Err(Failure::usage(format!(
            "'{empty}' is neither a name nor an ID"
        )));
    }
    let span = |option: &str, text: &str| {
        duration::parse(text).map_err(|message| Failure::usage(format!("{option}: {message}")))
    };
    let appear = match args.appear.as_deref() {
        None => Appear::Now,
        Some("none") => Appear::Within(None),
        Some(text) => Appear::Within(Some(span("--appear", text)?)),
    };
    let tolerate = args
        .tolerate_error
        .as_deref()
        .map(|text| span("--tolerate-error", text))
        .transpose()?;
    Ok(Goal {
        appear,
        tolerate: tolerate.unwrap_or_default(),
        ..goal
    })
}

/// Refuses what the microversion does not have.
fn needed(client: &Client<'_>, goal: &Goal) -> Result<(), Failure> {
    let kind = goal.kind;
    // Rules were there before they had an address.
    client.need(&format!("{} wait", kind.command.join(" ")), kind.since)?;
    let fields = goal.fields();
    // Without a word that is waited for, the kind's own field is only looked at.
    let own = usize::from(goal.for_words().iter().all(|word| word == "deleted"));
    for field in fields.into_iter().skip(own) {
        client.need(&format!("{field} of a {}", kind.noun), kind.since_of(field))?;
    }
    Ok(())
}

/// The ID of the share whose rules are listed, on services where rules have no address.
fn share_of_rules(
    client: &Client<'_>,
    kind: &Kind,
    args: &WaitArgs,
    stage: &Stage<'_>,
    deadline: Deadline,
) -> Result<Option<String>, Failure> {
    if *kind != ACCESS || client.version() >= ACCESS_BY_ID {
        return Ok(None);
    }
    let Some(asked) = &args.share else {
        let what = "share access wait without --share SHARE";
        return client.need(what, ACCESS_BY_ID).map(|()| None);
    };
    let what = format!("share {asked}");
    let found = engine::persist(
        &stage.retries(deadline),
        stage.clock,
        stage.reporter,
        &what,
        &mut |budget| lookup::find(client, &SHARE, asked, true, &|| budget),
    )?;
    let missing = || Failure::new(Exit::NotFound, SHARE.missing(asked));
    found
        .map(|share| Some(lookup::id_of(&share)))
        .ok_or_else(missing)
}
