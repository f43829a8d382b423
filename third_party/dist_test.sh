#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# dist_test.sh ARCHIVE DEB WHEEL_FOLDER: the archive runs where it is unpacked, with its
# own libraries; a program builds against it; the package installs and removes. All of
# them, and the CHANGELOG, have the same version.
set -euo pipefail

archive=$PWD/$1 deb=$PWD/$2 wheel=$PWD/$3
runfiles=$PWD
cd "$TEST_TMPDIR"

fail() {
  echo "$*" >&2
  exit 1
}

tar xf "$archive"
top=$(echo "$PWD"/warpclust-*)
version=${top##*-}
changes=$(grep -m 1 '^## ' "$top/share/doc/warpclust/CHANGELOG.md")
[ "$changes" = "## $version" ] || fail "expected a CHANGELOG of $version, found $changes"
ls "$wheel"/warpclust-"$version"{-,+cuda-}py3-none-*.whl >names 2>/dev/null || true
[ "$(wc -l <names)" = 1 ] || fail "expected a wheel of $version, found $(ls "$wheel")"

# Shared libraries: the archive's or glibc's.
ldd "$top"/bin/* | awk '$2 == "=>" { print $1, $3 }' | sort -u |
  while read -r name path; do
    case $name in
      libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so* | libcuda.so*) ;;
      *) [ "$(realpath "$path")" = "$(realpath "$top/lib/$name")" ] ||
        fail "$name comes from $path" ;;
    esac
  done

# Without the environment of this test there are no runfiles.
env -i "$top/bin/oclustr" --quiet >clusters.tsv
env -i "$top/bin/evaluate" --clusters=clusters.tsv --quiet >measures.json
grep -q fbcubed measures.json || fail "evaluate: $(cat measures.json)"
for tool in "$top"/bin/*; do
  name=${tool##*/}
  [ "$("$tool" --version)" = "$name $version" ] || fail "$name: version"
  gunzip -c "$top/share/man/man1/$name.1.gz" >page
  grep -q '^\.SH OPTIONS' page || fail "$name: manual page"
  if command -v groff >/dev/null; then
    groff -man -Tascii -P-cbou -ww page >rendered 2>warnings
    [ -s warnings ] && fail "$name: $(cat warnings)"
    grep -q EXAMPLES rendered || fail "$name: manual page without examples"
  fi
done
[ -s "$top/share/doc/warpclust/LICENSE" ] || fail "no licence"
[ -n "$(ls "$top/share/doc/warpclust/licenses")" ] || fail "no licences of libraries"

# Completion: `oclustr WORD...` with the cursor at the end.
complete_words() {
  # shellcheck disable=SC1091
  source "$top/share/bash-completion/completions/oclustr"
  COMP_WORDS=(oclustr "$@")
  COMP_CWORD=$#
  _warpclust_oclustr
  printf '%s\n' "${COMPREPLY[@]}"
}
[ "$(complete_words --bet)" = --beta= ] || fail "completion of --bet"
[ "$(complete_words --format = j)" = json ] || fail "completion of --format=j"
[ "$(complete_words --format = | wc -l)" -ge 2 ] || fail "completion of --format="
[ "$(complete_words --nostem)" = --nostem ] || fail "completion of --nostem"
touch "some file.jsonl"
[ "$(complete_words --input = some)" = "some file.jsonl" ] || fail "completion of paths"

large=$(find "$top/include" -type f -size +1M)
[ -z "$large" ] || fail "no header: $large"

# A program of the archive's libraries, without Bazel. CI has pkg-config.
build_example() {
  local flags
  read -ra flags < <(pkg-config --cflags --libs warpclust)
  g++ -O1 "$runfiles/examples/oclustr.cc" "${flags[@]}" -o example
  (cd "$runfiles" && "$TEST_TMPDIR/example") >output.txt
  diff "$runfiles/examples/oclustr_output.txt" output.txt
}
export PKG_CONFIG_PATH=$top/lib/pkgconfig
if command -v pkg-config >/dev/null; then
  [ "$(pkg-config --modversion warpclust)" = "$version" ] || fail "pkg-config: version"
  build_example
fi

# The package, in a root of its own.
dpkg-deb --field "$deb" Version Depends >fields
grep -q "^Version: $version" fields || fail "$(cat fields)"
grep -q "^Depends: libc6, .*libstdc++6" fields || fail "$(cat fields)"
root=$PWD/root
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
touch "$root/var/lib/dpkg/status"
in_root() {
  dpkg --root="$root" --log=/dev/null --force-not-root --force-depends \
    --force-bad-path "$@" >dpkg.log 2>&1 || fail "dpkg $1: $(cat dpkg.log)"
}
in_root --install "$deb"
env -i "$root/usr/bin/oclustr" --quiet | cmp - clusters.tsv
for folder in man bash-completion; do
  diff -r "$top/share/$folder" "$root/usr/share/$folder" ||
    fail "$folder of the package differs from that of the archive"
done
if command -v man >/dev/null; then
  env -i PATH="$PATH" MANPATH="$root/usr/share/man" MANWIDTH=80 man oclustr >rendered
  grep -q OPTIONS rendered || fail "man oclustr: $(cat rendered)"
fi
in_root --remove warpclust
[ -z "$(find "$root/usr" -type f 2>/dev/null)" ] ||
  fail "left behind: $(find "$root/usr" -type f)"
