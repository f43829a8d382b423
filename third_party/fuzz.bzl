# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""fuzz_target: a libFuzzer program, and a test that replays its corpus."""

load("//third_party:cc.bzl", "cc_binary", "cc_test")

def fuzz_target(name, srcs, deps, **kwargs):
    """A program around LLVMFuzzerTestOneInput, for --config=fuzz (clang).

    bazel build --config=fuzz //sparse/fuzz:svmlight_fuzzer
    bazel-bin/sparse/fuzz/svmlight_fuzzer -max_total_time=60

    <name>_corpus_test, an ordinary test, runs it on the inputs of corpus/<name>.txt
    in its folder (third_party/fuzz_corpus.sh): earlier findings, and inputs that
    cover as much code as fuzzing did.

    Args:
      name: by convention <parser>_fuzzer.
      srcs: one .cc file that defines LLVMFuzzerTestOneInput.
      deps: the parser's library.
      **kwargs: as for cc_binary.
    """
    cc_binary(
        name = name,
        testonly = True,
        srcs = srcs,
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
        srcs = srcs,
        args = ["$(location {})".format(corpus)],
        data = [corpus],
        headers = "library_headers",
        deps = deps + [str(Label("//third_party:fuzz_corpus_main"))],
    )
