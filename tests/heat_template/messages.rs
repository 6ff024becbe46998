//! What is said about files that cannot be used: file, line, column, the line itself, and who referred to it.

use heat_cli::template::{self, Error, Operation, TemplateOptions};

use crate::Memory;

fn create(template: &str, environments: &[&str]) -> TemplateOptions {
    TemplateOptions {
        template: Some(template.to_owned()),
        environments: environments.iter().map(|path| (*path).to_owned()).collect(),
        ..TemplateOptions::new(Operation::Create {
            name: "s".to_owned(),
            enable_rollback: false,
        })
    }
}

fn refused(files: &[(&str, &str)], environments: &[&str]) -> Error {
    template::body(&create("t.yaml", environments), &Memory::new(files)).unwrap_err()
}

const HOT: &str = "heat_template_version: 2021-04-16\n";

#[test]
fn a_template_that_cannot_be_used_is_named_with_its_line() {
    for (text, expected) in [
        (
            "\n\n  heat_template_version: 2021-04-16\nresources: [a, b\noutputs: {}\n",
            "t.yaml:5:8: ",
        ),
        (
            "heat_template_version: 2021-04-16\r\na: b: c\r\n",
            "t.yaml:2:5: a mapping is not allowed here (\": \" in a value needs quotes): \"a: b: c\"",
        ),
        (
            "# note\nheat_template_versoin: 1\nresources: {}\n",
            "t.yaml:2:1: \"heat_template_versoin\" is no version key: a template needs heat_template_version, \
             HeatTemplateFormatVersion or AWSTemplateFormatVersion: \"heat_template_versoin: 1\"",
        ),
        (
            "resources: {}\n",
            "t.yaml:1:1: no template: the version key is missing (heat_template_version, \
             HeatTemplateFormatVersion or AWSTemplateFormatVersion): \"resources: {}\"",
        ),
        (
            "- heat_template_version: 1\n",
            "t.yaml:1:1: no template: a list stands where a mapping belongs: \"- heat_template_version: 1\"",
        ),
        (
            "- heat_template_version\n",
            "t.yaml:1:1: no template: a list stands where a mapping belongs: \"- heat_template_version\"",
        ),
        (
            "heat_template_version\n",
            "t.yaml:1:1: no template: text stands where a mapping belongs: \"heat_template_version\"",
        ),
        ("", "t.yaml: no template: it is empty"),
        ("# nothing\n", "t.yaml: no template: it is empty"),
        (
            "<!DOCTYPE html>\n<html>\n",
            "t.yaml:1:1: this is a web page (HTML), no template: \"<!DOCTYPE html>\"",
        ),
        ("<html><body class=\"a: b\">\n&nbsp; {\n", "t.yaml:1:"),
        (
            "  {\n\"a\": 1,\n}",
            "t.yaml:3:1: not JSON, though it begins with a brace: trailing comma: \"}\"",
        ),
        (
            "{\"a\": 1} x",
            "t.yaml:1:10: not JSON, though it begins with a brace: trailing characters: \"{\\\"a\\\": 1} x\"",
        ),
    ] {
        let error = refused(&[("t.yaml", text)], &[]);
        let shown = error.to_string();
        assert!(shown.starts_with(expected), "{shown}\n{expected}");
        assert_eq!(error.exit(), wait_cli::Exit::Usage);
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_by_name() {
    let mut memory = Memory::default();
    memory.put("t.yaml", b"heat_template_version: 1\na: \xff\xfe\n");
    let error = template::body(&create("t.yaml", &[]), &memory).unwrap_err();
    assert_eq!(error.to_string(), "t.yaml:2:4: this is no text in UTF-8");
}

#[test]
fn an_environment_that_cannot_be_used_is_named_with_its_line() {
    for (text, expected) in [
        (
            "parameters: {}\nparameter: {}\n",
            "e.yaml:2:1: \"parameter\" is no section of an environment: \"parameter: {}\"",
        ),
        (
            "- a\n",
            "e.yaml:1:1: no environment: a list stands where a mapping belongs: \"- a\"",
        ),
        ("parameters: [\n", "e.yaml:2:1: "),
        (
            "resource_registry: [a]\n",
            "e.yaml:1:20: \"resource_registry\" must be a mapping, and is a list: \"resource_registry: [a]\"",
        ),
        (
            "resource_registry:\n  a: 5\n",
            "e.yaml:2:6: \"a\" must name a type or a file, and is a number: \"a: 5\"",
        ),
        (
            "resource_registry:\n  a:\n",
            "e.yaml:2:3: \"a\" must name a type or a file, and is nothing: \"a:\"",
        ),
        (
            "resource_registry:\n  resources:\n    x: y\n",
            "e.yaml:3:8: \"x\" must be a mapping, and is text: \"x: y\"",
        ),
        (
            "resource_registry: {base_url: 5}\n",
            "e.yaml:1:31: \"base_url\" must be text, and is a number: \"resource_registry: {base_url: 5}\"",
        ),
        (
            "resource_registry:\n  a: lost.yaml\n",
            "e.yaml:2:6: cannot read /here/lost.yaml (a): no such file: \"a: lost.yaml\"",
        ),
        (
            "<html>",
            "e.yaml:1:1: this is a web page (HTML), no environment: \"<html>\"",
        ),
    ] {
        let error = refused(&[("t.yaml", HOT), ("e.yaml", text)], &["e.yaml"]);
        let shown = error.to_string();
        assert!(shown.starts_with(expected), "{shown}\n{expected}");
    }
    let error = refused(&[("t.yaml", HOT)], &["t.yaml"]);
    assert_eq!(
        error.hint(),
        Some("this is a template: templates are given with --template")
    );
}

#[test]
fn who_referred_to_a_missing_file_is_named_up_to_the_command_line() {
    let inner = format!("{HOT}resources:\n  b:\n    properties: {{get_file: lost.sh}}\n");
    let outer = format!("{HOT}resources:\n  a: {{type: sub/inner.yaml}}\n");
    let error = refused(&[("t.yaml", &outer), ("sub/inner.yaml", &inner)], &[]);
    assert_eq!(
        error.to_string(),
        "/here/sub/inner.yaml:4:28: cannot read /here/sub/lost.sh (get_file): no such file: \
         \"properties: {get_file: lost.sh}\" (referred to by t.yaml:3:13)"
    );
    assert_eq!(error.position(), Some((4, 28)));
}

#[test]
fn loops_are_found_and_named() {
    let to = |name: &str| format!("{HOT}resources: {{a: {{type: {name}}}}}\n");
    let error = refused(
        &[
            ("t.yaml", &to("u.yaml")),
            ("u.yaml", &to("v.yaml")),
            ("v.yaml", &to("u.yaml")),
        ],
        &[],
    );
    assert_eq!(
        error.to_string(),
        "files refer to each other in a loop: /here/u.yaml refers to /here/v.yaml refers to /here/u.yaml"
    );
    let error = refused(&[("t.yaml", &to("t.yaml"))], &[]);
    assert!(
        error
            .to_string()
            .ends_with("/here/t.yaml refers to /here/t.yaml"),
        "{error}"
    );
    let registry = "resource_registry: {a: u.yaml}\n";
    let error = refused(
        &[
            ("t.yaml", HOT),
            ("e.yaml", registry),
            ("u.yaml", &to("u.yaml")),
        ],
        &["e.yaml"],
    );
    assert!(error.to_string().contains("loop"), "{error}");
}

#[test]
fn a_diamond_is_no_loop_and_each_file_is_read_once() {
    let text = format!(
        "{HOT}resources: {{a: {{type: u.yaml}}, b: {{type: v.yaml}}, c: {{type: u.yaml}}}}\n"
    );
    let to = |name: &str| format!("{HOT}resources: {{a: {{type: {name}}}}}\n");
    let memory = Memory::new(&[
        ("t.yaml", &text),
        ("u.yaml", &to("w.yaml")),
        ("v.yaml", &to("./w.yaml")),
        ("w.yaml", HOT),
        ("e.yaml", "resource_registry: {a: w.yaml}"),
    ]);
    let body = template::body(&create("t.yaml", &["e.yaml"]), &memory).unwrap();
    assert_eq!(body.fields["files"].as_object().unwrap().len(), 4);
    let mut reads = memory.reads.borrow().clone();
    let all = reads.len();
    reads.sort();
    reads.dedup();
    assert_eq!((all, reads.len()), (5, 5), "{reads:?}");
}

#[test]
fn a_page_in_place_of_a_nested_template_is_refused_and_a_page_as_a_file_is_sent() {
    let page = "<!doctype html><html></html>";
    let url = "http://host/x.yaml";
    let nested = format!("{HOT}resources: {{a: {{type: \"{url}\"}}}}\n");
    let error = refused(&[("t.yaml", &nested), (url, page)], &[]);
    assert!(
        error
            .to_string()
            .contains("the server answers with a web page (HTML)"),
        "{error}"
    );
    let file = format!("{HOT}resources: {{a: {{get_file: \"{url}\"}}}}\n");
    let body = template::body(
        &create("t.yaml", &[]),
        &Memory::new(&[("t.yaml", &file), (url, page)]),
    )
    .unwrap();
    assert_eq!(body.fields["files"][url], page);
}

#[test]
fn warnings_name_duplicate_keys_and_nested_templates_that_are_broken() {
    let text =
        format!("{HOT}resources:\n  a: {{type: u.yaml}}\nresources:\n  b: {{type: u.yaml}}\n");
    let broken = format!("{HOT}resources: [\n");
    let memory = Memory::new(&[("t.yaml", &text), ("u.yaml", &broken)]);
    let body = template::body(&create("t.yaml", &[]), &memory).unwrap();
    assert_eq!(body.fields["files"]["file:///here/u.yaml"], broken.as_str());
    let [duplicate, sent] = body.warnings.as_slice() else {
        panic!("{:?}", body.warnings)
    };
    assert_eq!(
        duplicate,
        "t.yaml:4:1: duplicate key \"resources\": this one wins over line 2"
    );
    assert!(
        sent.starts_with("/here/u.yaml:2:13: ")
            && sent.ends_with("sent as it is, for t.yaml:5:13 refers to it"),
        "{sent}"
    );
}

#[test]
fn the_command_line_is_refused_with_what_to_do() {
    let memory = Memory::new(&[("t.yaml", HOT)]);
    let update = |existing| Operation::Update {
        existing,
        clear_parameters: Vec::new(),
        rollback: None,
        converge: false,
        dry_run: false,
    };
    let error = template::body(&TemplateOptions::new(update(false)), &memory).unwrap_err();
    assert_eq!(
        error.hint(),
        Some("--existing uses the template that the stack has")
    );
    let options = TemplateOptions {
        parameter_files: vec!["a=x".to_owned()],
        ..TemplateOptions::new(update(true))
    };
    let error = template::body(&options, &memory).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("--parameter-file \"a\": cannot read x"),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("file:///"));
    let options = TemplateOptions {
        hooks: vec!["x".to_owned()],
        ..create("t.yaml", &["e.yaml"])
    };
    let memory = Memory::new(&[("t.yaml", HOT), ("e.yaml", "resource_registry: ~")]);
    let error = template::body(&options, &memory).unwrap_err();
    assert!(
        error.to_string().contains("pre-create hook on \"x\""),
        "{error}"
    );
}
