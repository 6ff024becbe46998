//! Which cloud: clouds files, secure files, profiles.
//!
//! The rules are those of `openstack/config/loader.py:70-110,640-700,760-880` (openstacksdk 4.22.0), but that a file
//! that cannot be read is an error and not passed over in silence.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::Error;
use crate::layer::{Layer, Rank, text_of};
use crate::regions::Regions;
use crate::settings::Sources;
use crate::yaml;

const SUFFIXES: &[&str] = &["yaml", "yml", "json"];

/// What the files say about the chosen cloud.
#[derive(Default)]
pub(crate) struct Chosen {
    pub(crate) name: Option<String>,
    pub(crate) origin: String,
    pub(crate) layers: Vec<Layer>,
    pub(crate) regions: Option<Regions>,
}

struct File {
    path: PathBuf,
    content: Map<String, Value>,
}

/// The names of the clouds in the files, in their order.
///
/// # Errors
/// A file that cannot be read as one.
pub fn cloud_names(sources: &Sources<'_>) -> Result<Vec<String>, Error> {
    let mut warnings = Vec::new();
    let clouds = clouds_file(sources, &mut warnings)?;
    let secure = secure_file(sources, clouds.as_ref(), &mut warnings)?;
    Ok(names(clouds.as_ref(), secure.as_ref()))
}

/// Chooses the cloud and reads what the files say about it.
pub(crate) fn choose(sources: &Sources<'_>, warnings: &mut Vec<String>) -> Result<Chosen, Error> {
    let named = match (sources.flag("cloud"), sources.var("OS_CLOUD")) {
        (Some(name), _) => Some((name, "--os-cloud")),
        (None, Some(name)) => Some((name, "OS_CLOUD")),
        (None, None) => None,
    };
    let own = sources.var("OS_CLOUD_NAME").unwrap_or("envvars");
    let of_environment = |origin: &str| Chosen {
        name: Some(own.to_owned()),
        origin: format!("environment ({origin})"),
        ..Chosen::default()
    };
    match named {
        Some((name, origin)) if name == own => return Ok(of_environment(origin)),
        None if sources.var("OS_AUTH_URL").is_some() => return Ok(of_environment("OS_AUTH_URL")),
        _ => {}
    }
    let clouds = clouds_file(sources, warnings)?;
    let secure = secure_file(sources, clouds.as_ref(), warnings)?;
    let names = names(clouds.as_ref(), secure.as_ref());
    let (name, origin) = match (named, names.as_slice()) {
        (Some((name, origin)), _) => (name.to_owned(), origin.to_owned()),
        (None, [only]) => (only.clone(), "the only one in the file".to_owned()),
        (None, _) if sources.flag("auth_url").is_some() || sources.flag("endpoint").is_some() => {
            return Ok(Chosen::default());
        }
        (None, []) => return Err(nothing(sources, clouds.as_ref())),
        (None, several) => {
            return Err(Error::config(format!(
                "no cloud is chosen; {} has: {}",
                place(clouds.as_ref()),
                several.join(", ")
            ))
            .with_hint("choose one with --os-cloud NAME or OS_CLOUD"));
        }
    };
    if !names.contains(&name) {
        return Err(unknown(&name, &origin, clouds.as_ref(), &names));
    }
    entry(
        sources,
        name,
        origin,
        clouds.as_ref(),
        secure.as_ref(),
        warnings,
    )
}

fn nothing(sources: &Sources<'_>, clouds: Option<&File>) -> Error {
    let told = match clouds {
        Some(file) => format!("no cloud is configured: {} has none", file.path.display()),
        None => {
            "no cloud is configured: there is no clouds.yaml, and OS_AUTH_URL is not set".to_owned()
        }
    };
    let places: Vec<String> = folders(sources)
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    Error::config(told).with_hint(format!(
        "set --os-auth-url or OS_AUTH_URL, or write clouds.yaml in one of: {}",
        places.join(", ")
    ))
}

fn unknown(name: &str, origin: &str, clouds: Option<&File>, names: &[String]) -> Error {
    match clouds {
        None => Error::config(format!(
            "cloud {name} ({origin}) is not known: there is no clouds.yaml"
        ))
        .with_hint("OS_CLIENT_CONFIG_FILE names a clouds file elsewhere"),
        Some(_) if names.is_empty() => Error::config(format!(
            "cloud {name} ({origin}) is not known: {} has none",
            place(clouds)
        )),
        Some(_) => Error::config(format!(
            "cloud {name} ({origin}) is not in {}",
            place(clouds)
        ))
        .with_hint(format!("it has: {}", names.join(", "))),
    }
}

fn place(file: Option<&File>) -> String {
    file.map_or_else(
        || "the secure file".to_owned(),
        |file| file.path.display().to_string(),
    )
}

/// The entry of `name`: profile, clouds file, secure file, each a layer; and the regions that it lists.
fn entry(
    sources: &Sources<'_>,
    name: String,
    origin: String,
    clouds: Option<&File>,
    secure: Option<&File>,
    warnings: &mut Vec<String>,
) -> Result<Chosen, Error> {
    let mut chosen = Chosen {
        name: Some(name.clone()),
        origin,
        ..Chosen::default()
    };
    let mut profile = None;
    for (rank, file) in [(Rank::Clouds, clouds), (Rank::Secure, secure)] {
        let Some(file) = file else { continue };
        let Some(entry) = file
            .content
            .get("clouds")
            .and_then(|clouds| clouds.get(&name))
        else {
            continue;
        };
        let origin = file.path.display().to_string();
        let map = match entry {
            Value::Object(map) => map,
            Value::Null => continue,
            _ => {
                return Err(Error::config(format!(
                    "{origin}: cloud {name} is not a mapping"
                )));
            }
        };
        if !matches!(map.get("auth"), None | Some(Value::Null | Value::Object(_))) {
            return Err(Error::config(format!(
                "{origin}: auth of cloud {name} is not a mapping"
            )));
        }
        profile = map
            .get("profile")
            .or_else(|| map.get("cloud"))
            .and_then(text_of)
            .or(profile);
        chosen.layers.push(Layer::mapping(rank, map, &origin));
        if let Some(regions) = Regions::read(map, &origin, &name)? {
            chosen.regions = Some(regions);
        }
    }
    if let Some(profile) = profile {
        add_profile(sources, &profile, clouds, &mut chosen, warnings)?;
    }
    Ok(chosen)
}

fn add_profile(
    sources: &Sources<'_>,
    profile: &str,
    clouds: Option<&File>,
    chosen: &mut Chosen,
    warnings: &mut Vec<String>,
) -> Result<(), Error> {
    let public = found(sources, "clouds-public", beside(clouds), warnings)?;
    let map = public
        .as_ref()
        .and_then(|file| file.content.get("public-clouds")?.get(profile)?.as_object());
    let (Some(file), Some(map)) = (&public, map) else {
        let place = public.as_ref().map_or_else(
            || "clouds-public.yaml".to_owned(),
            |file| file.path.display().to_string(),
        );
        return Err(Error::config(format!("profile {profile} is not in {place} under public-clouds")).with_hint(
            "the profiles that openstacksdk brings with it are not known here: copy it into clouds-public.yaml, or write auth_url into the cloud itself",
        ));
    };
    let origin = format!("{} (profile {profile})", file.path.display());
    let name = chosen.name.clone().unwrap_or_default();
    let has_regions = chosen.regions.is_some()
        || chosen
            .layers
            .iter()
            .any(|layer| layer.values.contains_key("region_name"));
    if !has_regions {
        chosen.regions = Regions::read(map, &origin, &name)?;
    }
    chosen
        .layers
        .push(Layer::mapping(Rank::Profile, map, &origin));
    Ok(())
}

fn names(clouds: Option<&File>, secure: Option<&File>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for file in [clouds, secure].into_iter().flatten() {
        let map = file.content.get("clouds").and_then(Value::as_object);
        for name in map.into_iter().flat_map(Map::keys) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

fn clouds_file(sources: &Sources<'_>, warnings: &mut Vec<String>) -> Result<Option<File>, Error> {
    match sources.var("OS_CLIENT_CONFIG_FILE") {
        Some(path) => named(sources, path, "OS_CLIENT_CONFIG_FILE", warnings).map(Some),
        None => found(sources, "clouds", None, warnings),
    }
}

fn secure_file(
    sources: &Sources<'_>,
    clouds: Option<&File>,
    warnings: &mut Vec<String>,
) -> Result<Option<File>, Error> {
    match sources.var("OS_CLIENT_SECURE_FILE") {
        Some(path) => named(sources, path, "OS_CLIENT_SECURE_FILE", warnings).map(Some),
        None => found(sources, "secure", beside(clouds), warnings),
    }
}

fn beside(file: Option<&File>) -> Option<PathBuf> {
    file.and_then(|file| file.path.parent()).map(Path::to_owned)
}

/// A file that was named outright.
fn named(
    sources: &Sources<'_>,
    path: &str,
    variable: &str,
    warnings: &mut Vec<String>,
) -> Result<File, Error> {
    let path = sources.expand(path);
    let bytes = sources.files.read(&path).map_err(|error| {
        Error::config(format!(
            "cannot read {} ({variable}): {error}",
            path.display()
        ))
    })?;
    content(path, &bytes, warnings)
}

/// The first file of that stem that exists, `first` before all other folders.
fn found(
    sources: &Sources<'_>,
    stem: &str,
    first: Option<PathBuf>,
    warnings: &mut Vec<String>,
) -> Result<Option<File>, Error> {
    for folder in first.into_iter().chain(folders(sources)) {
        for suffix in SUFFIXES {
            let path = folder.join(format!("{stem}.{suffix}"));
            match sources.files.read(&path) {
                Ok(bytes) => return content(path, &bytes, warnings).map(Some),
                Err(error)
                    if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    warnings.push(format!("{} is passed over: {error}", path.display()));
                }
                Err(error) => {
                    return Err(Error::config(format!(
                        "cannot read {}: {error}",
                        path.display()
                    )));
                }
            }
        }
    }
    Ok(None)
}

fn content(path: PathBuf, bytes: &[u8], warnings: &mut Vec<String>) -> Result<File, Error> {
    let name = path.display().to_string();
    match yaml::read(&name, bytes, warnings)? {
        Value::Object(content) => {
            for key in ["clouds", "public-clouds"] {
                if !matches!(
                    content.get(key),
                    None | Some(Value::Null | Value::Object(_))
                ) {
                    return Err(Error::config(format!("{name}: {key} is not a mapping")));
                }
            }
            Ok(File { path, content })
        }
        Value::Null => Ok(File {
            path,
            content: Map::new(),
        }),
        _ => Err(Error::config(format!("{name} is not a mapping"))),
    }
}

/// Where files are looked for, the first first.
fn folders(sources: &Sources<'_>) -> Vec<PathBuf> {
    let mut folders = vec![sources.cwd.to_owned()];
    let mut add = |folder: PathBuf| {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    };
    if let Some(home) = sources.var("XDG_CONFIG_HOME") {
        add(Path::new(home).join("openstack"));
    }
    if let Some(home) = sources
        .var("SNAP_REAL_HOME")
        .or_else(|| sources.var("HOME"))
    {
        add(Path::new(home).join(".config/openstack"));
    }
    for folder in sources
        .var("XDG_CONFIG_DIRS")
        .unwrap_or("/etc/xdg")
        .split(':')
        .filter(|folder| !folder.is_empty())
    {
        add(Path::new(folder).join("openstack"));
    }
    add(PathBuf::from("/etc/openstack"));
    folders
}
