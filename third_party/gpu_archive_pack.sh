#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# gpu_archive_pack.sh MANIFEST OUT MAX_MEGABYTES: what gpu_archive.bzl runs.
#
# All programs are one folder deep and search shared libraries in ../lib. Libraries
# that are not part of glibc or of the NVIDIA driver go there, so the programs do not
# depend on the target machine's C++ and OpenMP libraries.
set -euo pipefail

manifest=$1 out=$2 max_megabytes=$3
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
top=$stage/warpclust_gpu
mkdir -p "$top"/{lib,tests,benchmarks,tools,runfiles}

while IFS=$'\t' read -r kind place file; do
  mkdir -p "$top/$(dirname "$place")"
  cp -L "$file" "$top/$place"
  chmod u+w "$top/$place"
  case $kind in
    data)
      # The Python package loads one library.
      [[ $place == *.so ]] || continue
      ;;
    script)
      chmod +x "$top/$place"
      continue
      ;;
  esac
  strip --strip-unneeded "$top/$place"
  ldd "$top/$place" | awk '$2 == "=>" { print $1, $3 }' >"$stage/libraries"
  while read -r name path; do
    case $name in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libcuda.so.*)
        continue
        ;;
    esac
    if [ ! -f "$path" ]; then
      echo "$place needs $name, which this machine does not have" >&2
      exit 1
    fi
    if [ ! -e "$top/lib/$name" ]; then
      cp -L "$path" "$top/lib/$name"
    fi
  done <"$stage/libraries"
done <"$manifest"

# Every program has its own copy of the libraries that it links, mostly CUDA code. A
# window as large as the archive stores each once, which matters more than the
# preset: 9 is a tenth smaller than 1 and takes seven times as long. One thread, so
# that the same members make the same bytes.
tar --directory="$stage" --sort=name --mtime=@0 --owner=0 --group=0 \
  --numeric-owner --create warpclust_gpu |
  xz --threads=1 --lzma2=preset=1,dict=256MiB >"$out"

bytes=$(stat --format=%s "$out")
if [ "$bytes" -gt $((max_megabytes * 1000000)) ]; then
  echo "the GPU archive has $bytes bytes, more than $max_megabytes MB:" >&2
  (cd "$top" && find . -type f -printf '%s %p\n' | sort -rn | head -20) >&2
  exit 1
fi
