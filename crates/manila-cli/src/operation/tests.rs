use super::*;

#[test]
fn every_command_has_one_row() {
    let mut names: Vec<String> = all().map(Operation::name).collect();
    let rows = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rows);
    // The 26 commands with --wait of python-manilaclient 6.3.0, and five that it cannot wait for.
    assert_eq!(rows, 31);
}

#[test]
fn what_is_named_comes_first() {
    for operation in all().filter(|operation| operation.names.is_some()) {
        let first = operation.arguments.first().unwrap();
        assert!(
            first.required && !first.name.starts_with("--"),
            "{}",
            operation.name()
        );
    }
}

#[test]
fn whatever_is_created_is_printed_and_nothing_else() {
    for operation in all() {
        let verb = operation.words.last().unwrap();
        assert_eq!(
            operation.prints,
            ["create", "adopt"].contains(verb),
            "{}",
            operation.name()
        );
    }
}
