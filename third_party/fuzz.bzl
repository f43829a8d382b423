# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""fuzz_target: a libFuzzer program, and a test that replays its corpus."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//third_party:copts.bzl", "WARPCLUST_COPTS")

def fuzz_target(name, srcs, deps, **kwargs):
    """A program around LLVMFuzzerTestOneInput, for --config=fuzz (clang).

    bazel build --config=fuzz //sparse/fuzz:svmlight_fuzzer
    bazel-bin/sparse/fuzz/svmlight_fuzzer -max_total_time=60

    <name>_corpus_test, a test like any other, runs it on the inputs of
    corpus/<name>.txt in its folder (third_party/fuzz_corpus.sh): what was
    found once, and what reaches as much of the code as fuzzing did.

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
    corpus = "corpus/{}.txt".format(name)
    cc_test(
        name = name + "_corpus_test",
        size = "small",
        srcs = srcs,
        args = ["$(location {})".format(corpus)],
        copts = WARPCLUST_COPTS,
        data = [corpus],
        deps = deps + [str(Label("//third_party:fuzz_corpus_main"))],
    )
