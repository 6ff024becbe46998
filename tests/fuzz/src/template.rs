//! The whole way from files to the body of a request.

use std::path::{Path, PathBuf};

use heat_cli::template::{self, Fetch, Operation, TemplateOptions, Unread};

use crate::parts;

/// Parts: the template `t.yaml`, `u.yaml` and `e.yaml` beside it (the latter an environment), the file `v.sh`, a
/// `--parameter`, a hook. A body is no larger than the files justify (aliases may add 16 MiB, and each is text in
/// JSON in JSON); a refusal is one line.
pub(crate) fn template(data: &[u8]) {
    let [template, nested, environment, file, parameter, hook] = parts(data);
    let memory = Memory([template, nested, environment, file]);
    let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
    let name = "s".to_owned();
    let operation = if hook.first() == Some(&b'!') {
        let adopt_file = "t.yaml".to_owned();
        Operation::Adopt {
            name,
            enable_rollback: false,
            adopt_file,
        }
    } else {
        Operation::Create {
            name,
            enable_rollback: true,
        }
    };
    let options = TemplateOptions {
        template: Some("t.yaml".to_owned()),
        environments: vec!["e.yaml".to_owned()],
        parameters: vec![text(parameter)],
        parameter_files: vec!["file=v.sh".to_owned()],
        hooks: if hook.is_empty() {
            Vec::new()
        } else {
            vec![text(hook)]
        },
        ..TemplateOptions::new(operation)
    };
    match template::body(&options, &memory) {
        Ok(body) => {
            let most = (1 << 16) + 16 * (16 << 20) + 64 * data.len();
            assert!(
                body.bytes().len() <= most,
                "a body of {} bytes",
                body.bytes().len()
            );
        }
        Err(error) => {
            let shown = error.to_string();
            assert!(!shown.is_empty() && !shown.contains('\n'), "{shown:?}");
        }
    }
}

/// The files, under `/`.
struct Memory<'d>([&'d [u8]; 4]);

impl Fetch for Memory<'_> {
    fn absolute(&self, path: &Path) -> PathBuf {
        Path::new("/").join(path)
    }

    fn read(&self, url: &str) -> Result<Vec<u8>, Unread> {
        let [template, nested, environment, file] = self.0;
        let found = match url {
            "file:///t.yaml" => template,
            "file:///u.yaml" => nested,
            "file:///e.yaml" => environment,
            "file:///v.sh" => file,
            _ => return Err(Unread::new("no such file")),
        };
        Ok(found.to_vec())
    }

    fn stdin(&self) -> Result<Vec<u8>, Unread> {
        Err(Unread::new("closed"))
    }

    fn object(&self, _: &str) -> Result<(String, Vec<u8>), Unread> {
        Err(Unread::new("there is no object store"))
    }
}
