"""libmcp for Conan 2. Builds the checkout that this recipe is in; cargo has to be installed."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout


class LibmcpRecipe(ConanFile):
    name = "libmcp"
    license = "MIT OR Apache-2.0"
    url = "https://github.com/libmcp/libmcp"
    description = "Library for both sides of the Model Context Protocol"
    topics = ("mcp", "model-context-protocol", "json-rpc")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # features: "default", or the features of the crate joined by commas, "client" or "server" among them.
    options = {"shared": [True, False], "features": ["ANY"]}
    default_options = {"shared": True, "features": "default"}

    @property
    def _checkout(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", ".."))

    def set_version(self):
        manifest = load(self, os.path.join(self._checkout, "Cargo.toml"))
        self.version = re.search(r'^version = "(.+)"', manifest, re.MULTILINE).group(1)

    def export_sources(self):
        # What cargo needs to know the workspace, and what the package has in it.
        for pattern in ("Cargo.*", "library/*", "cbindgen.toml", "clippy.toml", ".cargo/*", "src/*", "crates/*", "include/*", "cmake/*",
                        "packaging/debugging/*", "docs/*", "examples/*", "xtask/*", "benches/*", "cli/*", "tests/servers/*", "*.md",
                        "LICENSE-*"):
            copy(self, pattern, self._checkout, self.export_sources_folder, excludes=("target/*", "*/target/*"))

    def layout(self):
        basic_layout(self, src_folder="src")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("libmcp runs on Linux only, so far")

    def package_id(self):
        # The C API is the same whatever C or C++ compiler uses it.
        del self.info.settings.compiler

    def package(self):
        profile = "dev" if self.settings.build_type == "Debug" else "release"
        # Several builds may share what cargo made: -c user.libmcp:cargo_target_dir=DIR
        target = self.conf.get("user.libmcp:cargo_target_dir", default=os.path.join(self.build_folder, "cargo"))
        arguments = ["--to", self.package_folder, "--docdir", "licenses", "--no-tarball", "--profile", profile]
        arguments.append("--no-static" if self.options.shared else "--no-shared")
        if self.options.features != "default":
            arguments.append("--no-default-features")
            arguments += ["--features", str(self.options.features)]
        command = ["cargo", "run", "--quiet", "--locked", "--package", "xtask", "--target-dir", target, "--", "dist"]
        self.run(" ".join(f'"{word}"' for word in command + arguments), cwd=self.export_sources_folder)

    def package_info(self):
        self.cpp_info.libs = ["mcp"]
        self.cpp_info.set_property("cmake_file_name", "mcp")
        self.cpp_info.set_property("cmake_target_name", "mcp::mcp" if self.options.shared else "mcp::mcp-static")
        self.cpp_info.set_property("cmake_target_aliases", ["mcp::mcp"] if not self.options.shared else [])
        self.cpp_info.set_property("pkg_config_name", "mcp")
        if not self.options.shared:
            self.cpp_info.system_libs = ["util", "rt", "pthread", "m", "dl"]
