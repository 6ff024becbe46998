#!/usr/bin/env bash
# A test of the fault matrix: breaks the programs in five named ways, in a copy of the tree, and wants to see the cells of
# the table turn red that are about it. tests/faults/mutations.sh [--all]: with --all every cell runs, each time.
#
# All patches are applied at once and built once; the variable MUTATION says which of them is at work.
set -euo pipefail
cd "$(dirname "$0")/../.."
built=$(realpath -m "${CARGO_TARGET_DIR:-target}")
here=$built/mutations
tree=$here/tree
log=$here/log
# A folder of its own: cargo tells packages apart by their place in the workspace, and would take what was built from the
# broken copy for what it builds from this tree.
export CARGO_TARGET_DIR=$here/target

# The cells that each has to turn red.
declare -A about=(
    [no-renewal]="expired once"
    [no-patience]="502 once"
    [no-deadline-cut]="hang stays"
    [post-repeated]="reset-before"
    [redirect-followed]="redirect-host"
)

# Modification times are kept, so that only what the patches touch is built anew the next time.
rm -rf "$tree"
mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -p --parents -t "$tree"
for name in "${!about[@]}"; do
    # The folder is inside another repository, which git must not see.
    if ! GIT_CEILING_DIRECTORIES=$here git -C "$tree" apply "$PWD/tests/faults/mutations/$name.patch"; then
        echo "$name.patch does not apply any more: make it anew"
        exit 1
    fi
done

# What is built already need not be built again; programs are not taken along.
if [ ! -d "$CARGO_TARGET_DIR/debug" ] && [ -d "$built/debug/deps" ]; then
    mkdir -p "$CARGO_TARGET_DIR/debug/deps"
    cp -a "$built/debug/.fingerprint" "$built/debug/build" "$CARGO_TARGET_DIR/debug"
    find "$built/debug/deps" -name '*.*' -exec cp -a -t "$CARGO_TARGET_DIR/debug/deps" {} +
fi
# With the features of the whole workspace the dependencies are those that were built.
program=$(cd "$tree" && cargo test --quiet --locked --workspace --test faults --no-run --message-format=json |
    sed -nE 's/.*"executable":"([^"]*\/faults-[0-9a-f]+)".*/\1/p' | tail -1)

bad=0
cells() { # cells MUTATION CELLS: what the matrix says of these cells
    (cd "$tree/tests/faults" && MUTATION=$1 FAULT_CELLS=$2 "$program" --nocapture every_fault > "$log" 2>&1) || true
    sed -nE 's/.*fault matrix: ([0-9]+) cells, ([0-9]+) red.*/\1 \2/p' "$log"
}
for name in $(printf '%s\n' "${!about[@]}" | sort); do
    which=${about[$name]}
    if [ "${1:-}" = --all ]; then which=""; fi
    read -r all red < <(cells none "$which") || true
    if [ "${all:-0}" = 0 ] || [ "$red" != 0 ]; then
        echo "$name: without it ${red:-?} of ${all:-0} cells are red"
        tail -40 "$log"
        bad=1
    fi
    read -r all red < <(cells "$name" "$which") || true
    echo "$name: ${red:-?} of ${all:-?} cells turn red"
    [ "${red:-0}" != 0 ] || bad=1
done
echo "${#about[@]} checks"
exit $bad
