package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/labstack/echo/v4"
	mcp "github.com/libmcp/libmcp-go"
)

// The routers that programs use, each with the handler as its pages have it.
func TestServerInsideRouters(t *testing.T) {
	hosts := map[string]func(mcp http.Handler) http.Handler{
		"net/http": func(mcp http.Handler) http.Handler {
			router := http.NewServeMux()
			router.Handle("/mcp", mcp)
			return router
		},
		"chi": func(mcp http.Handler) http.Handler {
			router := chi.NewRouter()
			router.Handle("/mcp", mcp)
			return router
		},
		"chi mounted": func(mcp http.Handler) http.Handler {
			router := chi.NewRouter()
			router.Mount("/mcp", mcp)
			return router
		},
		"echo": func(mcp http.Handler) http.Handler {
			router := echo.New()
			router.Any("/mcp", echo.WrapHandler(mcp))
			return router
		},
	}
	for name, host := range hosts {
		for _, revisions := range []string{"modern", "legacy"} {
			t.Run(name+" "+revisions, func(t *testing.T) {
				server, err := mcp.NewServer(mcp.ServerConfig{Name: "hosted"})
				if err != nil {
					t.Fatal(err)
				}
				defer server.Close()
				hello := func(context.Context, *mcp.Request, struct{}) (string, error) { return "hello", nil }
				if err := mcp.AddTool(server, &mcp.Tool{Name: "hello"}, hello); err != nil {
					t.Fatal(err)
				}
				handler, err := server.Handler("")
				if err != nil {
					t.Fatal(err)
				}
				web := httptest.NewServer(host(handler))
				defer web.Close()
				client, err := mcp.New(map[string]any{"url": web.URL + "/mcp", "protocol": revisions})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
				defer cancel()
				result, err := client.CallTool(ctx, "hello", nil)
				if err != nil || result.Text() != "hello" {
					t.Fatal(result, err)
				}
			})
		}
	}
}
