/**
 * Clients and servers of the Model Context Protocol.
 *
 * <p>{@link io.libmcp.Client} calls a server, {@link io.libmcp.Server} is one. {@link io.libmcp.Settings} has what is
 * configured, {@link io.libmcp.Protocol} the types of the protocol.
 */
package io.libmcp;
