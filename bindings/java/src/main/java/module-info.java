/** Both sides of the Model Context Protocol: clients and servers, a thin layer over libmcp. */
module io.libmcp {
    exports io.libmcp;
}
