package io.libmcp;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Finds the native library, and carries texts and errors across. */
@SuppressWarnings("restricted")
final class Library {
    /** Names the library, in place of the one in the jar. */
    private static final String PROPERTY = "io.libmcp.library";
    private static final String VARIABLE = "MCP_LIBRARY";
    private static final long FUNCTION_OF_ANY_LENGTH = Long.MAX_VALUE;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LOOKUP;
    private static final String FAILURE;

    static {
        SymbolLookup lookup = null;
        String failure = null;
        try {
            lookup = find();
            failure = mismatch(lookup);
        } catch (IOException | IllegalArgumentException | IllegalCallerException | UnsupportedOperationException why) {
            failure = "the native library could not be loaded: " + why.getMessage() + "; name another one in the property "
                    + PROPERTY + " or the variable " + VARIABLE;
        }
        LOOKUP = lookup;
        FAILURE = failure;
    }

    private Library() {
    }

    /** Fails where the library is not there or has another ABI. */
    static void need() {
        if (FAILURE != null) {
            throw new McpException(Status.UNSUPPORTED, "load", FAILURE);
        }
    }

    private static SymbolLookup find() throws IOException {
        String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        if (named != null && !named.isEmpty()) {
            return SymbolLookup.libraryLookup(Path.of(named).toAbsolutePath(), Arena.global());
        }
        String resource = "native/" + platform() + "/" + System.mapLibraryName("mcp");
        try (InputStream inside = Library.class.getResourceAsStream(resource)) {
            if (inside == null) {
                return SymbolLookup.libraryLookup(System.mapLibraryName("mcp"), Arena.global());
            }
            // A new folder that only this user may read: no other user can put a file there.
            Path folder = Files.createTempDirectory("libmcp-");
            Path file = folder.resolve(System.mapLibraryName("mcp"));
            try {
                Files.copy(inside, file);
                return SymbolLookup.libraryLookup(file, Arena.global());
            } finally {
                // Once loaded it needs no name.
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        }
    }

    /** The folder of this platform in the jar. */
    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).split(" ")[0];
        String machine = System.getProperty("os.arch");
        machine = machine.equals("amd64") ? "x86_64" : machine;
        // With glibc musl's loader may be there, too.
        Path glibc = Path.of(machine.equals("x86_64") ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-" + machine + ".so.1");
        boolean isMusl = system.equals("linux") && Files.exists(Path.of("/lib/ld-musl-" + machine + ".so.1")) && !Files.exists(glibc);
        return system + "-" + machine + (isMusl ? "-musl" : "");
    }

    private static String mismatch(SymbolLookup lookup) {
        MemorySegment version = lookup.find("mcp_abi_version").orElse(null);
        if (version == null) {
            return "the native library that was found is not libmcp: it has no mcp_abi_version";
        }
        try {
            int found = (int) LINKER.downcallHandle(version, FunctionDescriptor.of(ValueLayout.JAVA_INT)).invokeExact();
            return found == Abi.VERSION ? null : "the native library has ABI " + found + ", and this jar needs " + Abi.VERSION
                    + "; use the library that the jar came with";
        } catch (Throwable why) {
            return "the native library does not say its version: " + why;
        }
    }

    static MethodHandle function(String name, FunctionDescriptor descriptor) {
        need();
        MemorySegment symbol = LOOKUP.find(name).orElseThrow(() -> new McpException(Status.UNSUPPORTED, name,
                name + ": this build of the native library lacks it; use one with all features"));
        return LINKER.downcallHandle(symbol, descriptor);
    }

    /**
     * A pointer to a static method, valid to the end of the process: the library may call it until then. What the
     * method throws would end the process, so it catches everything.
     */
    static MemorySegment callback(MethodHandles.Lookup in, String name, FunctionDescriptor descriptor) {
        try {
            MethodType type = descriptor.toMethodType();
            return LINKER.upcallStub(in.findStatic(in.lookupClass(), name, type), descriptor, Arena.global());
        } catch (ReflectiveOperationException why) {
            throw new IllegalStateException(why);
        }
    }

    /** A text for C; NULL for null. */
    static MemorySegment text(Arena arena, String operation, String text) {
        if (text == null) {
            return MemorySegment.NULL;
        }
        if (text.indexOf('\0') >= 0) {
            throw new McpException(Status.INVALID_ARGUMENT, operation, operation + ": a text contains a NUL; remove it");
        }
        return text(arena, text);
    }

    /** JSON for C; NULL for null. */
    static MemorySegment json(Arena arena, Object value) {
        return value == null ? MemorySegment.NULL : text(arena, JsonValue.of(value).toString());
    }

    /** A text for C that contains no NUL. The functions that JDK 22 has for texts and arrays have other names in JDK 21. */
    static MemorySegment text(Arena arena, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // The memory of an arena is zero at first, so that the text has its end.
        MemorySegment place = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, place, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return place;
    }

    /** Bytes for C. */
    static MemorySegment bytes(Arena arena, byte[] bytes) {
        MemorySegment place = arena.allocate(Math.max(bytes.length, 1));
        MemorySegment.copy(bytes, 0, place, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return place;
    }

    /** A borrowed text that ends with a NUL; null for NULL. */
    static String text(MemorySegment borrowed) {
        if (borrowed.address() == 0) {
            return null;
        }
        MemorySegment start = borrowed.reinterpret(FUNCTION_OF_ANY_LENGTH);
        long length = 0;
        while (start.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return text(start, length);
    }

    static String text(MemorySegment start, long length) {
        if (start.address() == 0) {
            return "";
        }
        byte[] bytes = start.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The text at a pointer to one, which is freed; null for NULL. */
    static String taken(MemorySegment place) {
        MemorySegment owned = place.get(ValueLayout.ADDRESS, 0);
        try {
            return text(owned);
        } finally {
            Abi.mcp_string_free(owned);
        }
    }

    /** Throws where a function failed. `error` is the place of its error object. */
    static void check(String operation, int status, MemorySegment error) {
        if (status < 0) {
            String json = taken(error);
            throw json == null ? new McpException(status, operation) : new McpException(status, operation, parsed(json));
        }
    }

    private static JsonValue parsed(String errorObject) {
        return Json.parse(errorObject);
    }

    static int milliseconds(java.time.Duration time) {
        if (time == null) {
            return -1;
        }
        if (time.isNegative()) {
            throw new IllegalArgumentException("a time must not be negative; it is " + time);
        }
        boolean isLong = time.compareTo(java.time.Duration.ofMillis(Integer.MAX_VALUE)) >= 0;
        return isLong ? Integer.MAX_VALUE : (int) Math.ceilDiv(time.toNanos(), 1_000_000L);
    }
}
