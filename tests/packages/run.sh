#!/usr/bin/env bash
# What `cargo xtask dist` has made, looked at as a distribution and its users would: run.sh FOLDER COMMAND…, where
# COMMAND… runs what follows beside a simulated cloud (`cargo xtask sim`). Needs root, lintian, rpmlint and debootstrap.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
packages=$(cd "$1" && pwd)
shift
beside_a_cloud=("$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
checks=0

check() { # check WHAT COMMAND...
    checks=$((checks + 1))
    echo "--- $1"
    shift
    "$@"
}

# --- what the distributions' own tools say

# No bug of Debian's asks for these packages: they come from here.
check "lintian" lintian --fail-on error,warning --info --suppress-tags initial-upload-closes-no-bugs "$packages"/*.deb
rpm_is_clean() {
    local said
    said=$(rpmlint -r "$here/rpmlintrc" "$packages"/*.rpm 2>&1) || true
    echo "$said"
    grep -qE '\b0 errors, 0 warnings' <<< "$said"
}
check "rpmlint" rpm_is_clean
check "checksums" env -C "$packages" sha256sum --quiet --check SHA256SUMS

# --- static binaries in a root with nothing else

mkdir -p "$scratch/empty" "$scratch/unpacked"
tar -xzf "$packages"/*-static.tar.gz -C "$scratch/unpacked" --strip-components=1
cp "$scratch/unpacked/heat-wait" "$scratch/unpacked/manila-wait" "$scratch/empty"
for program in heat-wait manila-wait; do
    check "$program --version in an empty root" chroot "$scratch/empty" "/$program" --version
    check "$program as process 1" unshare --fork --pid --kill-child chroot "$scratch/empty" "/$program" --version
done
check "a wait in an empty root" "${beside_a_cloud[@]}" chroot "$scratch/empty" /heat-wait stack wait web -q -f value -c stack_status
by_name() { # names through the resolver of the C library; no module of any name service is there
    # shellcheck disable=SC2016  # expanded by the inner shell
    "${beside_a_cloud[@]}" bash -c 'OS_AUTH_URL=${OS_AUTH_URL/127.0.0.1/cloud.test} exec chroot "$1" /manila-wait share wait data -q -f value -c status' by-name "$scratch/empty"
}
mkdir -p "$scratch/empty/etc"
echo "127.0.0.1 cloud.test" > "$scratch/empty/etc/hosts"
for order in "files dns" "resolve [!UNAVAIL=return] files dns" "mymachines resolve files myhostname dns"; do
    echo "hosts: $order" > "$scratch/empty/etc/nsswitch.conf"
    check "hosts: $order" by_name
done

# --- the package, installed in a system that has nothing but a system

# shellcheck disable=SC1091  # of the system
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
tree=$scratch/$suite
for pause in 5 20 60 0; do
    if debootstrap --variant=minbase "$suite" "$tree" > "$scratch/bootstrap" 2>&1; then break; fi
    tail -3 "$scratch/bootstrap"
    rm -rf "$tree"
    sleep "$pause"
done
cp "$packages"/*.deb "$tree/tmp"
check "apt install" chroot "$tree" sh -c 'apt-get -qq install -y --no-install-recommends /tmp/*.deb > /dev/null'
check "a wait, installed" "${beside_a_cloud[@]}" chroot "$tree" heat-wait stack wait web -q -f value -c stack_status
check "another" "${beside_a_cloud[@]}" chroot "$tree" manila-wait share wait data -q -f value -c status
check "pages" test -e "$tree/usr/share/doc/heat-wait/copyright"
check "nothing is left" chroot "$tree" sh -c 'apt-get -qq purge -y heat-wait manila-wait > /dev/null && ! find /usr /etc /var -name "*heat-wait*" ! -path "/var/*" | grep .'
echo "$checks checks"
