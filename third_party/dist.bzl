# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""dist: the tools and the libraries, for machines without this repository.

An archive that runs wherever it is unpacked, or a Debian package.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _own(owner):
    return owner.workspace_name == ""

def _dist_impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.file_name)

    # "kind<TAB>place<TAB>file", one line per file.
    lines = ["version\t-\t" + ctx.file.version.path]
    inputs = [ctx.file.version]
    for tool in ctx.attr.tools:
        program = tool[DefaultInfo].files_to_run.executable
        inputs.append(program)
        lines.append("tool\t{}\t{}".format(program.basename, program.path))
    for kind, files in [
        ("example", ctx.files.examples),
        ("doc", ctx.files.docs),
        ("library", ctx.files.shared_libraries),
    ]:
        for file in files:
            inputs.append(file)
            lines.append("{}\t{}\t{}".format(kind, file.basename, file.path))

    headers = {}
    archives = {}
    flags = {}
    for library in ctx.attr.libraries:
        for header in library[CcInfo].compilation_context.headers.to_list():
            # Not the precompiled ones, which are called x.h.gch/plain.h.
            if (_own(header.owner) and header.extension in ["h", "inc"] and
                ".gch/" not in header.path):
                headers[header.short_path] = header
        for linker_input in library[CcInfo].linking_context.linker_inputs.to_list():
            for flag in linker_input.user_link_flags:
                flags[flag] = None

            # Also CUDA's runtime. Debian's libraries are flags.
            for part in linker_input.libraries:
                archive = part.pic_static_library or part.static_library
                if archive:
                    archives[archive.path] = archive
    for place, header in headers.items():
        inputs.append(header)
        lines.append("header\t{}\t{}".format(place, header.path))
    for path, archive in archives.items():
        inputs.append(archive)
        lines.append("archive\t-\t" + path)
    for flag in flags:
        lines.append("flag\t-\t" + flag)

    manifest = ctx.actions.declare_file(ctx.label.name + ".manifest")
    ctx.actions.write(manifest, "\n".join(lines) + "\n")
    ctx.actions.run(
        executable = ctx.executable._pack,
        arguments = [ctx.attr.format, manifest.path, out.path],
        inputs = inputs + [manifest],
        outputs = [out],
        mnemonic = "Dist",
        progress_message = "Packing " + out.short_path,
        use_default_shell_env = True,
    )
    return [DefaultInfo(
        files = depset([out]),
        runfiles = ctx.runfiles(files = [out]),
    )]

dist = rule(
    implementation = _dist_impl,
    attrs = {
        "docs": attr.label_list(allow_files = True),
        "examples": attr.label_list(
            allow_files = True,
            doc = "The bundled examples of the tools.",
        ),
        "file_name": attr.string(mandatory = True),
        "format": attr.string(values = ["tar", "deb"], mandatory = True),
        "libraries": attr.label_list(
            doc = "Go, with what they need, into libwarpclust.a.",
            providers = [CcInfo],
        ),
        "shared_libraries": attr.label_list(allow_files = True),
        "tools": attr.label_list(cfg = "target"),
        "version": attr.label(
            allow_single_file = True,
            doc = "The header with kVersion.",
        ),
        "_pack": attr.label(
            default = Label("//third_party:dist_pack.sh"),
            allow_single_file = True,
            executable = True,
            cfg = "exec",
        ),
    },
)
