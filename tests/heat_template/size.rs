//! Many and large files.

use heat_cli::template::{self, Operation, TemplateOptions};

use crate::Memory;

fn create() -> TemplateOptions {
    TemplateOptions {
        template: Some("t.yaml".to_owned()),
        ..TemplateOptions::new(Operation::Create {
            name: "s".to_owned(),
            enable_rollback: false,
        })
    }
}

#[test]
fn thirty_megabytes_of_files_are_sent_as_they_are() {
    let mut memory = Memory::default();
    let mut text = "heat_template_version: 2021-04-16\nresources:\n".to_owned();
    for number in 0..30 {
        text += &format!("  r{number}: {{get_file: data/{number}}}\n");
        memory.put(
            &format!("data/{number}"),
            "0123456789abcde\n".repeat(1 << 16).as_bytes(),
        );
    }
    memory.put("t.yaml", text.as_bytes());
    let body = template::body(&create(), &memory).unwrap();
    let files = body.fields["files"].as_object().unwrap();
    assert_eq!(files.len(), 30);
    assert!(
        files
            .values()
            .all(|file| file.as_str().unwrap().len() == 1 << 20)
    );
}

#[test]
fn more_files_than_make_sense_are_refused() {
    let mut memory = Memory::default();
    let mut text = "heat_template_version: 2021-04-16\nresources:\n".to_owned();
    for number in 0..=10_000 {
        text += &format!("  r{number}: {{get_file: f{number}}}\n");
        memory.put(&format!("f{number}"), b"x");
    }
    memory.put("t.yaml", text.as_bytes());
    let error = template::body(&create(), &memory).unwrap_err();
    assert!(error.to_string().contains("too many files"), "{error}");
}

#[test]
fn a_long_chain_of_nested_templates_does_not_exhaust_the_stack() {
    let mut memory = Memory::default();
    for number in 0..3000 {
        let text = format!(
            "heat_template_version: 2021-04-16\nresources: {{a: {{type: n{}.yaml}}}}\n",
            number + 1
        );
        memory.put(&format!("n{number}.yaml"), text.as_bytes());
    }
    memory.put("n3000.yaml", b"heat_template_version: 2021-04-16\n");
    memory.put(
        "t.yaml",
        b"heat_template_version: 2021-04-16\nresources: {a: {type: n0.yaml}}\n",
    );
    let body = template::body(&create(), &memory).unwrap();
    assert_eq!(body.fields["files"].as_object().unwrap().len(), 3001);
}
