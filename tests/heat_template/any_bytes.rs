//! Whatever bytes the files hold: a body or a refusal, never a panic, and no more memory than the files justify.

use heat_cli::template::{self, Operation, TemplateOptions};
use proptest::prelude::*;

use crate::Memory;

/// Pieces that lead deep into the code when put together.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        any::<Vec<u8>>(),
        prop::sample::select(vec![
            "heat_template_version: 2021-04-16\n",
            "{\"heat_template_version\": \"x\"",
            ", \"a\": ",
            "}",
            "resources:\n",
            "  a: ",
            "  type: u.yaml\n",
            "  get_file: v.sh\n",
            "{type: t.yaml}",
            "{get_file: e.yaml}",
            "&x ",
            "*x",
            "<<: ",
            "- ",
            "[",
            "]",
            "? ",
            ": ",
            "\"",
            "'",
            "|\n",
            "\t",
            "\r\n",
            "#",
            "!!int ",
            "0x1f",
            "1:30",
            "\u{feff}",
            "\u{2028}",
            "resource_registry:\n",
            "  base_url: ",
            "  resources:\n",
            "parameters: {a: ~}\n",
            "..",
            "/",
            "%zz",
            "?q#f",
            ";p",
            "http://h/",
            "file:",
            "::",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

/// A template with something behind it.
fn template_bytes() -> impl Strategy<Value = Vec<u8>> {
    (any::<bool>(), bytes()).prop_map(|(good, rest)| {
        let mut all = if good {
            b"heat_template_version: 2021-04-16\n".to_vec()
        } else {
            Vec::new()
        };
        all.extend(rest);
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_files_give_a_body_or_a_refusal(
        template in template_bytes(),
        nested in template_bytes(),
        environment in bytes(),
        file in any::<Vec<u8>>(),
        parameter in ".*",
        hook in ".{0,8}",
        adopted in any::<bool>(),
    ) {
        let mut memory = Memory::default();
        let most = 64 + 64 * (template.len() + nested.len() + environment.len() + file.len() + parameter.len() + hook.len());
        memory.put("t.yaml", &template);
        memory.put("u.yaml", &nested);
        memory.put("e.yaml", &environment);
        memory.put("v.sh", &file);
        let name = "s".to_owned();
        let operation = if adopted {
            Operation::Adopt { name, enable_rollback: false, adopt_file: "t.yaml".to_owned() }
        } else {
            Operation::Create { name, enable_rollback: true }
        };
        let options = TemplateOptions {
            template: Some("t.yaml".to_owned()),
            environments: vec!["e.yaml".to_owned()],
            parameters: vec![parameter],
            parameter_files: vec!["file=v.sh".to_owned()],
            hooks: vec![hook],
            ..TemplateOptions::new(operation)
        };
        match template::body(&options, &memory) {
            // A file is in the body as JSON in JSON at most, each byte as six characters and those doubled.
            Ok(body) => prop_assert!(body.bytes().len() <= 4096 + most),
            Err(error) => {
                let shown = error.to_string();
                prop_assert!(!shown.is_empty() && !shown.contains('\n'), "{shown:?}");
            }
        }
    }

    #[test]
    fn any_reference_gives_a_key_that_is_the_same_when_it_is_referred_to_again(reference in "[^\"\\\\\\pC]{1,20}") {
        let text = format!("heat_template_version: 2021-04-16\nresources: {{get_file: \"{reference}\"}}\n");
        let options = TemplateOptions {
            template: Some("t.yaml".to_owned()),
            ..TemplateOptions::new(Operation::Create { name: "s".to_owned(), enable_rollback: false })
        };
        // All that can be asked for is there.
        struct All(Memory);
        impl template::Fetch for All {
            fn absolute(&self, path: &std::path::Path) -> std::path::PathBuf {
                self.0.absolute(path)
            }
            fn read(&self, url: &str) -> Result<Vec<u8>, template::Unread> {
                self.0.read(url).or_else(|_| Ok(url.as_bytes().to_vec()))
            }
            fn stdin(&self) -> Result<Vec<u8>, template::Unread> {
                self.0.stdin()
            }
            fn object(&self, name: &str) -> Result<(String, Vec<u8>), template::Unread> {
                self.0.object(name)
            }
        }
        let first = template::body(&options, &All(Memory::new(&[("t.yaml", &text)]))).unwrap();
        let Some(key) = first.fields["template"]["resources"]["get_file"].as_str() else {
            return Ok(());
        };
        prop_assert_eq!(first.fields["files"].as_object().unwrap().keys().next().unwrap().as_str(), key);
    }
}
