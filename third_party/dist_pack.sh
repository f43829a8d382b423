#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# dist_pack.sh tar|deb MANIFEST OUT: what dist.bzl runs.
#
# tar: warpclust-VERSION/ with bin, lib, include and share. Programs search shared
#   libraries in ../lib. Those that are not part of glibc or of the NVIDIA driver are
#   there, so the archive runs on any distribution with glibc of this machine's age.
# deb: the same below /usr, without the C++ library and without shared libraries: it
#   depends on the Debian packages that have them.
set -euo pipefail

format=$1 manifest=$2 out=$PWD/$3
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

of_kind() { awk -F '\t' -v kind="$1" '$1 == kind { print $2 "\t" $3 }' "$manifest"; }

version=$(sed -n 's/.*kVersion\[\] = "\(.*\)";/\1/p' "$(of_kind version | cut -f 2)")
if [ -z "$version" ]; then
  echo "dist: expected kVersion in $(of_kind version), found none" >&2
  exit 1
fi
case $format in
  tar) top=$stage/warpclust-$version ;;
  deb) top=$stage/root/usr ;;
esac
share=$top/share

install_file() { # FROM TO [MODE]
  install -D --mode="${3:-644}" "$1" "$2"
}

# Each tool, and what it says of itself.
while IFS=$'\t' read -r name file; do
  install_file "$file" "$top/bin/$name" 755
  strip --strip-unneeded "$top/bin/$name"
  mkdir -p "$share/man/man1" "$share/bash-completion/completions"
  "$file" --help=man | gzip -9n >"$share/man/man1/$name.1.gz"
  "$file" --help=bash >"$share/bash-completion/completions/$name"
done < <(of_kind tool)

while IFS=$'\t' read -r name file; do
  install_file "$file" "$share/warpclust/examples/$name"
done < <(of_kind example)
while IFS=$'\t' read -r name file; do
  install_file "$file" "$share/doc/warpclust/$name"
done < <(of_kind doc)

# The shared libraries of the tools, but for glibc's and the driver's.
needed_libraries() {
  ldd "$top"/bin/* | awk '$2 == "=>" { print $1, $3 }' | sort -u |
    grep -Ev '^(libc|libm|libdl|libpthread|librt|libcuda)\.so'
}

# The Debian package that has a file; nothing if none has.
package_of() {
  { dpkg-query --search "$1" || dpkg-query --search "$(readlink -f "$1")"; } \
    2>/dev/null | head -1 | cut -d : -f 1 || true
}

pack_tar() {
  local name path package flag archive
  local licenses=$share/doc/warpclust/licenses
  mkdir -p "$top/lib/pkgconfig" "$licenses"
  while read -r name path; do
    install_file "$path" "$top/lib/$name"
    package=$(package_of "$path")
    if [ -n "$package" ] && [ -r "/usr/share/doc/$package/copyright" ]; then
      install_file "/usr/share/doc/$package/copyright" "$licenses/$package"
    fi
  done < <(needed_libraries)
  while IFS=$'\t' read -r name path; do
    install_file "$path" "$top/lib/$name"
    strip --strip-unneeded "$top/lib/$name"
  done < <(of_kind library)

  while IFS=$'\t' read -r name path; do
    install_file "$path" "$top/include/warpclust/$name"
  done < <(of_kind header)
  {
    echo "CREATE $top/lib/libwarpclust.a"
    while IFS=$'\t' read -r _ archive; do echo "ADDLIB $archive"; done \
      < <(of_kind archive)
    echo SAVE
    echo END
  } | ar -M
  strip --strip-debug "$top/lib/libwarpclust.a"
  {
    # shellcheck disable=SC2016 # pkg-config replaces them.
    printf '%s\n' 'prefix=${pcfiledir}/../..' 'libdir=${prefix}/lib' \
      'includedir=${prefix}/include/warpclust' ''
    echo 'Name: warpclust'
    echo 'Description: Clustering of documents, networks and points, exact'
    echo "Version: $version"
    # shellcheck disable=SC2016
    echo 'Cflags: -I${includedir} -std=c++20'
    # shellcheck disable=SC2016
    printf 'Libs: -L${libdir} -lwarpclust'
    while IFS=$'\t' read -r _ flag; do printf ' %s' "$flag"; done < <(of_kind flag)
    echo
  } >"$top/lib/pkgconfig/warpclust.pc"

  # Tools have code in common: as in gpu_archive_pack.sh, a window stores it once.
  tar --directory="$stage" --sort=name --mtime=@0 --owner=0 --group=0 \
    --numeric-owner --create "warpclust-$version" |
    xz --threads=1 --lzma2=preset=1,dict=256MiB >"$out"
}

pack_deb() {
  local depends package path
  depends=$(
    while read -r _ path; do package_of "$path"; done < <(needed_libraries) |
      sort -u | paste -s -d , | sed 's/,/, /g'
  )
  mv "$share/doc/warpclust/LICENSE" "$share/doc/warpclust/copyright"
  gzip -9n "$share/doc/warpclust/CHANGELOG.md"
  mkdir -p "$stage/root/DEBIAN"
  cat >"$stage/root/DEBIAN/control" <<CONTROL
Package: warpclust
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The warpclust authors <authors@warpclust.invalid>
Installed-Size: $(du --summarize --block-size=1024 "$top" | cut -f 1)
Depends: libc6${depends:+, $depends}
Section: science
Priority: optional
Description: clustering of documents, networks and points
 Overlapping clustering of growing document collections, online clustering of
 streams, correlation clustering of signed networks and density peaks
 clustering of points, exact, with the same answer on every number of threads.
CONTROL
  find "$stage/root" -print0 | xargs -0 touch --date=@0 --no-dereference
  # 9 for its window, the largest that dpkg-deb has.
  SOURCE_DATE_EPOCH=0 dpkg-deb --root-owner-group -Zxz -z9 --build "$stage/root" \
    "$out" >/dev/null
}

"pack_$format"

# What PyPI takes of a wheel, too (make_wheel.py).
bytes=$(stat --format=%s "$out")
if [ "$bytes" -gt 100000000 ]; then
  echo "$out has $bytes bytes, more than 100 MB: name fewer --cuda_archs" >&2
  exit 1
fi
