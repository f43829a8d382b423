# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""The external repositories of warpclust: one macro, for us and for dependants.

In a dependant's WORKSPACE:

    load("@warpclust//third_party:deps.bzl", "warpclust_deps")
    warpclust_deps()

Nothing is downloaded. A name that the workspace has declared before is left alone,
so a repository of your own (such as Abseil from source) takes precedence. Projects
with a MODULE.bazel use modules.bzl instead.
"""

load("//third_party:local_cuda.bzl", "local_cuda")
load("//third_party:stubs.bzl", "stub_repository")
load("//third_party:system_files.bzl", "system_files_repository")
load("//third_party:system_libraries.bzl", "system_library_repository")
load(
    "//third_party:system_library_labels.bzl",
    "ABSL_LABELS",
    "BENCHMARK_LABELS",
    "GTEST_LABELS",
    "ISAL_LABELS",
    "LMDB_LABELS",
    "OPENMPI_LABELS",
    "OPENSSL_LABELS",
    "SIMDJSON_LABELS",
    "STEMMER_LABELS",
    "ZLIB_LABELS",
    "ZSTD_LABELS",
)

def declare_libraries(declare):
    """Calls declare(rule, name, **attributes) for each library and toolkit.

    Args:
      declare: a function.
    """
    declare(
        system_library_repository,
        "com_google_absl",
        debian_package = "libabsl-dev",
        labels = ABSL_LABELS,
    )
    declare(
        system_library_repository,
        "com_google_googletest",
        debian_package = "libgtest-dev libgmock-dev",
        labels = GTEST_LABELS,
    )
    declare(
        system_library_repository,
        "com_github_google_benchmark",
        debian_package = "libbenchmark-dev",
        labels = BENCHMARK_LABELS,
        # libbenchmark_main.a has no .pc file.
        extra_modules = {"benchmark_main": "-lbenchmark_main | benchmark"},
    )
    declare(
        system_library_repository,
        "isal",
        debian_package = "libisal-dev",
        labels = ISAL_LABELS,
    )
    declare(
        system_library_repository,
        "simdjson",
        debian_package = "libsimdjson-dev",
        labels = SIMDJSON_LABELS,
    )
    declare(
        system_library_repository,
        "zlib",
        debian_package = "zlib1g-dev",
        labels = ZLIB_LABELS,
    )
    declare(
        system_library_repository,
        "zstd",
        debian_package = "libzstd-dev",
        labels = ZSTD_LABELS,
    )
    declare(
        system_library_repository,
        "lmdb",
        debian_package = "liblmdb-dev",
        labels = LMDB_LABELS,
    )
    declare(
        system_library_repository,
        "openmpi",
        debian_package = "libopenmpi-dev openmpi-bin",
        labels = OPENMPI_LABELS,
        # The .pc file names what only static linking needs.
        extra_modules = {"mpi": "-lmpi |"},
    )
    declare(
        system_library_repository,
        "openssl",
        debian_package = "libssl-dev",
        labels = OPENSSL_LABELS,
    )
    declare(
        system_library_repository,
        "libstemmer",
        debian_package = "libstemmer-dev",
        labels = STEMMER_LABELS,
        # libstemmer has no .pc file either.
        extra_modules = {"libstemmer": "-lstemmer |"},
    )
    declare(
        system_files_repository,
        "d3",
        debian_package = "libjs-d3",
        files = {"d3.min.js": ["/usr/share/javascript/d3/d3.min.js"]},
    )
    declare(local_cuda, "local_cuda")

def _maybe(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def warpclust_deps():
    """Declares every repository that warpclust's targets name."""

    # Bazel's own WORKSPACE suffix would download three of them; Bazel 4 has the
    # rules of rules_shell built in.
    for kind in ["rules_cc", "rules_java", "rules_shell", "remote_coverage_tools"]:
        _maybe(stub_repository, kind, kind = kind)
    declare_libraries(_maybe)
