# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""A repository of a library that the operating system has installed.

The library's pkg-config (.pc) files say what each module needs and how to link it.
This rule turns the modules behind the wanted labels into cc_library targets of the
private package //modules, with aliases under the library's canonical labels. It
prefers static archives, so that binaries run on other machines.

If the library is missing, every label still exists; building it fails with a
sentence that says what to install. Targets that do not need it are not affected.
"""

_PREFIXES = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
]

_HEADER = """\
# Generated from the system's pkg-config files.
load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])
"""

_MISSING = """
genrule(
    name = "missing_{name}",
    outs = ["missing_{name}.cc"],
    cmd = "echo '{what} is not installed: apt-get install {package}' >&2; exit 1",
)

cc_library(
    name = "{name}",
    srcs = ["missing_{name}.cc"],
)
"""

def _find_pc(repository_ctx, module):
    for prefix in _PREFIXES:
        path = repository_ctx.path("{}/pkgconfig/{}.pc".format(prefix, module))
        if path.exists:
            return path
    return None

def _link_flag(repository_ctx, word):
    """-lfoo as -l:libfoo.a where there is such an archive."""
    if not word.startswith("-l") or word.startswith("-l:"):
        return word
    archive = "lib{}.a".format(word[2:])

    # Parts of glibc stay shared, as libc is.
    if word[2:] in ["pthread", "rt", "m", "dl", "atomic"]:
        return word
    for prefix in _PREFIXES:
        if repository_ctx.path(prefix + "/" + archive).exists:
            return "-l:" + archive
    return word

def _parse(repository_ctx, text):
    """Returns (linkopts, required modules) of a .pc file."""
    linkopts = []
    requires = []
    for line in text.split("\n"):
        if line.startswith("Libs:") or line.startswith("Libs.private:"):
            for word in line[line.index(":") + 1:].split(" "):
                if word and not word.startswith("-L"):
                    linkopts.append(_link_flag(repository_ctx, word))
        elif line.startswith("Requires:"):
            for item in line[len("Requires:"):].replace(",", " , ").split(","):
                words = [word for word in item.split(" ") if word]
                if words:
                    requires.append(words[0])
    return linkopts, requires

def _parse_extra(repository_ctx, text):
    """"-lfoo | bar baz": flags, then the modules required."""
    flags, requires = text.split("|")
    return (
        [_link_flag(repository_ctx, w) for w in flags.split(" ") if w],
        [w for w in requires.split(" ") if w],
    )

def _extra_present(repository_ctx, text):
    """Whether each -lfoo before the bar exists as an archive or shared library."""
    for word in text.split("|")[0].split(" "):
        if not word.startswith("-l"):
            continue
        found = False
        for prefix in _PREFIXES:
            for suffix in [".a", ".so"]:
                path = "{}/lib{}{}".format(prefix, word[2:], suffix)
                found = found or repository_ctx.path(path).exists
        if not found:
            return False
    return True

def _write_aliases(repository_ctx, form):
    """Aliases under the canonical labels; form: a target, by {label} or {module}."""
    packages = {"": []}
    for label, module in repository_ctx.attr.labels.items():
        package, name = label.split(":")
        packages.setdefault(package, []).append(
            "\nalias(\n    name = {},\n    actual = {},\n)\n".format(
                repr(name),
                repr(form.format(label = label, module = module)),
            ),
        )
    for package, aliases in packages.items():
        repository_ctx.file(
            (package + "/" if package else "") + "BUILD",
            _HEADER + "".join(aliases),
        )

def _system_library_repository_impl(repository_ctx):
    if repository_ctx.attr.source:
        _write_aliases(repository_ctx, repository_ctx.attr.source + "//{label}")
        return
    build = [_HEADER]
    done = {}
    pending = {m: True for m in repository_ctx.attr.labels.values()}

    # Starlark has no while: each round resolves one layer of requirements.
    for _ in range(100):
        if not pending:
            break
        following = {}
        for module in pending:
            done[module] = True
            extra = repository_ctx.attr.extra_modules.get(module)
            parsed = None
            if extra:
                if _extra_present(repository_ctx, extra):
                    parsed = _parse_extra(repository_ctx, extra)
            else:
                path = _find_pc(repository_ctx, module)
                if path:
                    parsed = _parse(repository_ctx, repository_ctx.read(path))
            if not parsed:
                build.append(_MISSING.format(
                    name = module,
                    what = module,
                    package = repository_ctx.attr.debian_package,
                ))
                continue
            linkopts, requires = parsed

            # Abseil 20260526's absl_strings.pc requires absl_strings.
            requires = [required for required in requires if required != module]
            build.append("\ncc_library(\n    name = {},\n    linkopts = {},\n    deps = {},\n)\n".format(
                repr(module),
                repr(linkopts),
                repr([":" + m for m in requires]),
            ))
            for required in requires:
                following[required] = True
        pending = {m: True for m in following if m not in done}

    repository_ctx.file("modules/BUILD", "".join(build))

    _write_aliases(repository_ctx, "//modules:{module}")

system_library_repository = repository_rule(
    implementation = _system_library_repository_impl,
    attrs = {
        "debian_package": attr.string(
            mandatory = True,
            doc = "What to install when the library is missing.",
        ),
        "extra_modules": attr.string_dict(
            doc = "Modules without a .pc file: \"link flags | required modules\".",
        ),
        "labels": attr.string_dict(
            mandatory = True,
            doc = "\"package:name\" to pkg-config module.",
        ),
        "source": attr.string(
            doc = "A repository with the same labels, which become aliases of its own.",
        ),
    },
    # Evaluated again at each server start: packages come and go.
    local = True,
)
