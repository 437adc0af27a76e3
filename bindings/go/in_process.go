//go:build cgo || (linux && (amd64 || arm64))

package mcp

// NewInProcess makes a client of a server in this process, for tests and for programs that have both: messages go from one to the
// other without a descriptor of the system. The configuration is a [Config] without Command, URL and Socket, or nil. The client keeps
// the server from being closed as forgotten. If an entry could not be added before, that is the error, as of [Server.Serve].
func NewInProcess(server *Server, config any, options ...Option) (*Client, error) {
	if config == nil {
		config = Config{}
	}
	client, err := newClientWith(nil, config, options, func(text []byte) (handle clientHandle, err error) {
		err = server.use("new", func(core *serverCore) (err error) {
			if err = core.firstServe(); err != nil {
				return err
			}
			handle, err = newInProcessHandle(text, core.handle)
			return err
		})
		return handle, err
	})
	if client != nil {
		client.server = server
	}
	return client, err
}
