"""Writes and compiles libmcp/_cffi, the extension module in which the library is: cffi in API mode.

setup.py runs it. It needs the header and the library: from the folders in LIBMCP_INCLUDE and LIBMCP_LIBDIR, or from pkg-config.
With libmcp.a the module has the library in itself and needs no other file; else it is linked to libmcp.so. LIBMCP_NEEDS are
the options for what the archive needs of the system, if they are not gcc's.
"""

import os
import shutil
import subprocess
from pathlib import Path

import cffi

HERE = Path(__file__).parent

#: What is in the module beside the library's functions: native.c, and callbacks.
DECLARATIONS = """
typedef struct mcp_py_message {
    mcp_message_t *handle;
    int32_t kind, status;
    uint64_t tag, call_id;
    const char *method, *json;
    size_t length;
} mcp_py_message_t;
typedef struct mcp_py_inbox mcp_py_inbox_t;
#define MCP_PY_REPLY ...
#define MCP_PY_DRIVER ...
#define MCP_PY_LOST ...
mcp_status_t mcp_py_poll(mcp_client_t *client, int32_t timeout_ms, mcp_py_message_t *out);
mcp_status_t mcp_py_server_poll(mcp_server_t *server, int32_t timeout_ms, mcp_py_message_t *out);
mcp_py_inbox_t *mcp_py_inbox_new(mcp_client_t *client);
void mcp_py_inbox_end(mcp_py_inbox_t *inbox);
void mcp_py_inbox_free(mcp_py_inbox_t *inbox);
int mcp_py_lead(mcp_py_inbox_t *inbox, uint64_t tag);
void mcp_py_follow(mcp_py_inbox_t *inbox, uint64_t tag, mcp_py_message_t *own);
uint64_t mcp_py_revoke(mcp_py_inbox_t *inbox);
int mcp_py_own(mcp_py_inbox_t *inbox, uint64_t tag, mcp_py_message_t *out);
size_t mcp_py_take(mcp_py_inbox_t *inbox, mcp_py_message_t *out, size_t most, int32_t *status, int *is_led);
uint64_t mcp_py_steps(mcp_py_inbox_t *inbox, int *is_led);
extern "Python" void mcp_py_log(void *, int32_t, const char *);
extern "Python" void mcp_py_log_end(void *);
extern "Python" void mcp_py_span(void *, const char *);
extern "Python" void mcp_py_span_end(void *);
extern "Python" void mcp_py_request(void *, mcp_message_t *);
extern "Python" void mcp_py_request_end(void *);
extern "Python" void mcp_py_opened(void *, const char *, mcp_client_t *, mcp_status_t, const char *);
mcp_status_t mcp_py_http_begin(mcp_server_t *server, const char *method, const char *target, const char *const *headers,
                               const char *peer, int descriptor, uint64_t number,
                               mcp_exchange_t **out, char **error_json);
"""


def declarations() -> str:
    """The part of libmcp/_generated/abi.py for cffi; importing the package needs the module that is only being made."""
    names: dict[str, str] = {}
    text = (HERE / "libmcp/_generated/abi.py").read_text()
    exec(compile(text, "abi.py", "exec"), names)
    return names["CDEF"] + DECLARATIONS


def package(flag: str) -> list[str]:
    tool = shutil.which("pkg-config")
    if tool is None:
        raise SystemExit("libmcp was not found: set LIBMCP_INCLUDE and LIBMCP_LIBDIR, or install pkg-config and mcp.pc")
    done = subprocess.run([tool, flag, "mcp"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"libmcp was not found: set LIBMCP_INCLUDE and LIBMCP_LIBDIR, or PKG_CONFIG_PATH: {done.stderr}")
    return done.stdout.split()


def places() -> tuple[str, Path]:
    """Where the header is, and where the library."""
    include, libraries = os.environ.get("LIBMCP_INCLUDE"), os.environ.get("LIBMCP_LIBDIR")
    return (
        include or package("--variable=includedir")[0],
        Path(libraries or package("--variable=libdir")[0]),
    )


def linking(libraries: Path) -> dict[str, list[str]]:
    """The library itself where its archive is, of which only what is used stays, and nothing of which is exported."""
    archive = libraries / "libmcp.a"
    hidden = ["-Wl,--gc-sections", f"-Wl,--version-script={HERE / 'exports.map'}", "-Wl,-z,nodelete", "-Wl,-s"]
    if archive.exists():
        needs = os.environ.get("LIBMCP_NEEDS", "-lgcc_s -lpthread -ldl -lm").split()
        return {"extra_link_args": [*hidden, str(archive), *needs]}
    return {"library_dirs": [str(libraries)], "libraries": ["mcp"]}


def builder() -> cffi.FFI:
    include, libraries = places()
    ffi = cffi.FFI()
    ffi.cdef(declarations())
    ffi.set_source("libmcp._cffi", (HERE / "native.c").read_text(), include_dirs=[include], **linking(libraries))
    return ffi
