//! `cargo xtask completions FOLDER`: what bash, zsh and fish complete. The scripts come from clap_complete; names of clouds are
//! asked of the program (`--list-clouds`), which alone knows how to read clouds.yaml.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command};
use clap_complete::{Shell, generate};

use crate::manual;
use crate::tools::{Failure, say};

/// Where completions are written.
#[derive(Args)]
pub struct Arguments {
    /// The folder; it is made when it is not there
    folder: PathBuf,
}

/// The shells that there are scripts for.
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

/// Writes them.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    write(&arguments.folder).map(|count| say(&format!("{count} completions")))
}

/// Writes `bash/heat-wait`, `zsh/_heat-wait`, `fish/heat-wait.fish` … below `folder`, and counts them.
pub fn write(folder: &Path) -> Result<usize, Failure> {
    let mut count = 0;
    for program in manual::programs() {
        let name = program.command.get_name().to_owned();
        let command = short(program.command);
        for shell in SHELLS {
            let mut bytes = Vec::new();
            generate(shell, &mut command.clone(), &name, &mut bytes);
            let mut text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
            if shell == Shell::Bash {
                // clap_complete 4.6 writes a dash in the program's name in two ways, and finds no command below it then.
                text = text.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
            }
            let path = folder.join(shell.to_string()).join(file(shell, &name));
            let failed = |e| format!("{}: {e}", path.display());
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(failed)?;
            }
            fs::write(&path, with_clouds(shell, &name, &text)?).map_err(failed)?;
            count += 1;
        }
    }
    Ok(count)
}

/// The file that a shell looks for.
fn file(shell: Shell, name: &str) -> String {
    match shell {
        Shell::Zsh => format!("_{name}"),
        Shell::Fish => format!("{name}.fish"),
        _ => name.to_owned(),
    }
}

/// The options of every command that `-h` does not show are completed before the command's words alone: behind each of fifty
/// commands they would make scripts of a megabyte, which a shell reads at its first completion.
fn short(command: Command) -> Command {
    let seldom = |arg: &Arg| arg.is_hide_set() || arg.is_hide_short_help_set();
    command.mut_args(|arg| {
        let seldom = seldom(&arg);
        if seldom { arg.global(false) } else { arg }
    })
}

/// Lets `--os-cloud` ask the program for the names of clouds.
fn with_clouds(shell: Shell, name: &str, text: &str) -> Result<String, Failure> {
    let function = format!("_{}_clouds", name.replace('-', "_"));
    let clouds = format!("{name} --list-clouds 2>/dev/null");
    let (from, to, before, after) = match shell {
        Shell::Bash => (
            "                --os-cloud)\n                    COMPREPLY=($(compgen -f \"${cur}\"))"
                .to_owned(),
            format!(
                "                --os-cloud)\n                    COMPREPLY=($(compgen -W \"$({clouds})\" -- \"${{cur}}\"))"
            ),
            String::new(),
            String::new(),
        ),
        Shell::Zsh => (
            "--os-cloud=[Cloud name in clouds.yaml]:VALUE:_default".to_owned(),
            format!("--os-cloud=[Cloud name in clouds.yaml]:VALUE:{function}"),
            String::new(),
            format!(
                "\n{function}() {{\n    local -a clouds\n    clouds=(${{(f)\"$({clouds})\"}})\n    compadd -a clouds\n}}\n"
            ),
        ),
        _ => (
            "-l os-cloud -d 'Cloud name in clouds.yaml' -r".to_owned(),
            format!("-l os-cloud -d 'Cloud name in clouds.yaml' -x -a '({clouds})'"),
            String::new(),
            String::new(),
        ),
    };
    if !text.contains(&from) {
        return Err(format!(
            "{shell}: clap_complete writes --os-cloud in another way now"
        ));
    }
    let text = text.replace(&from, &to);
    // zsh's script ends by calling or registering its main function: what that calls has to stand before.
    let Some((start, end)) = text.split_once("\n\n").filter(|_| !after.is_empty()) else {
        return Ok(before + &text);
    };
    Ok(format!("{start}\n{after}\n{end}"))
}
