# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""fuzz_target: a libFuzzer program, skipped unless --config=fuzz (clang)."""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//third_party:copts.bzl", "WARPCLUST_COPTS")

def fuzz_target(name, srcs, deps, **kwargs):
    """A program around LLVMFuzzerTestOneInput.

    bazel build --config=fuzz //sparse:svmlight_fuzzer
    bazel-bin/sparse/svmlight_fuzzer -max_total_time=60

    Args:
      name: by custom <parser>_fuzzer.
      srcs: one .cc file that defines LLVMFuzzerTestOneInput.
      deps: the parser's library.
      **kwargs: as for cc_binary.
    """
    cc_binary(
        name = name,
        testonly = True,
        srcs = srcs,
        copts = WARPCLUST_COPTS,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["fuzz"],
        target_compatible_with = select({
            str(Label("//:fuzz_enabled")): [],
            "//conditions:default": [str(Label("//:fuzz_required"))],
        }),
        deps = deps,
        **kwargs
    )
