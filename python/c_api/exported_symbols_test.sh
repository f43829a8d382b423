#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# exported_symbols_test.sh LIBRARY HEADER: the library exports exactly the functions
# of the header, and needs only the libraries that the wheel brings or every Linux has.
set -euo pipefail
library=$1 header=$2
# The linker also exports functions of std::string that other libraries define too.
diff <(nm --dynamic --defined-only "$library" |
  awk '$3 !~ /^_ZNSt/ { print $3 }' | sort) \
  <(grep -oE '\bwarpclust_[a-z_]+\(' "$header" | tr -d '(' | sort -u)
allowed='libabsl_[a-z_]+|libisal|liblmdb|libz|libzstd|libgomp|libstdc\+\+|libgcc_s|libm|libc|libpthread|libdl|librt|ld-linux-x86-64'
if readelf --dynamic "$library" | grep NEEDED | grep -vE "\[($allowed)\.so\.[0-9]+\]"; then
  echo "the library needs more shared libraries than are expected"
  exit 1
fi
