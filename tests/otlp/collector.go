// OTLP over HTTP (JSON) as the receiver of OpenTelemetry's own collector takes it, on a Unix socket in the folder that is given. A proxy
// before it prints a line of each request: the path, what the receiver handed on, and what of the request is not in that. The receiver
// passes over unknown members, so what is gone was unknown. Its answers go back as they are.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
)

const socket = "receiver.socket"

// line is what is printed of a request.
type line struct {
	Path    string          `json:"path"`
	Error   string          `json:"error,omitempty"`
	Unknown []string        `json:"unknown,omitempty"`
	Body    json.RawMessage `json:"body,omitempty"`
}

// handed is what the receiver hands on of the request at hand: there is one at a time.
type handed struct {
	sync.Mutex
	body []byte
}

func main() {
	fmt.Fprintln(os.Stderr, serve())
	os.Exit(1)
}

func serve() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: %s FOLDER: where the socket is made", os.Args[0])
	}
	// The names of sockets are short.
	if err := os.Chdir(os.Args[1]); err != nil {
		return err
	}
	var last handed
	if err := receive(&last); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	to, err := url.Parse("http://" + listener.Addr().String())
	if err != nil {
		return err
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", socket)
	}}
	fmt.Println(to)
	out := json.NewEncoder(os.Stdout)
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // The client has gone.
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		last.Lock()
		defer last.Unlock()
		last.body = nil
		answer := httptest.NewRecorder()
		proxy.ServeHTTP(answer, r)
		said := line{Path: r.URL.Path, Body: last.body}
		if answer.Code != http.StatusOK {
			said.Error = fmt.Sprintf("%d %s", answer.Code, answer.Body)
		} else if said.Unknown, err = lost(body, last.body); err != nil {
			said.Error = err.Error()
		}
		_ = out.Encode(said)
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
}

// receive has the receiver listen, as a collector with this configuration does.
func receive(last *handed) error {
	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig()
	given := confmap.NewFromStringMap(map[string]any{"protocols": map[string]any{
		"http": map[string]any{"transport": "unix", "endpoint": socket},
	}})
	if err := given.Unmarshal(config); err != nil {
		return err
	}
	settings := receiver.Settings{
		ID:                component.NewID(factory.Type()),
		TelemetrySettings: componenttest.NewNopTelemetrySettings(),
	}
	spans, err := consumer.NewTraces(func(_ context.Context, all ptrace.Traces) (err error) {
		last.body, err = (&ptrace.JSONMarshaler{}).MarshalTraces(all)
		return err
	})
	if err != nil {
		return err
	}
	metrics, err := consumer.NewMetrics(func(_ context.Context, all pmetric.Metrics) (err error) {
		last.body, err = (&pmetric.JSONMarshaler{}).MarshalMetrics(all)
		return err
	})
	if err != nil {
		return err
	}
	ctx, host := context.Background(), componenttest.NewNopHost()
	ofSpans, err := factory.CreateTraces(ctx, settings, config, spans)
	if err != nil {
		return err
	}
	ofMetrics, err := factory.CreateMetrics(ctx, settings, config, metrics)
	if err != nil {
		return err
	}
	// Both are the same receiver, which is started once.
	if err := ofSpans.Start(ctx, host); err != nil {
		return err
	}
	return ofMetrics.Start(ctx, host)
}

// lost are the places of what was sent that were not kept.
func lost(sent, kept []byte) (places []string, err error) {
	var before, after any
	if err := json.Unmarshal(sent, &before); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(kept, &after); err != nil {
		return nil, err
	}
	compare(before, after, "", &places)
	return places, nil
}

// compare finds what is in one value and not in the other. What has the default of its field is left out by those who write it.
func compare(before, after any, place string, places *[]string) {
	switch value := before.(type) {
	case map[string]any:
		other, _ := after.(map[string]any)
		for name, member := range value {
			compare(member, other[name], place+"/"+name, places)
		}
	case []any:
		other, _ := after.([]any)
		if len(other) != len(value) {
			*places = append(*places, place)
			return
		}
		for at, item := range value {
			compare(item, other[at], place+"/"+strconv.Itoa(at), places)
		}
	default:
		if plain(before) != plain(after) {
			*places = append(*places, fmt.Sprintf("%s: %v became %v", place, before, after))
		}
	}
}

// plain is a scalar: numbers of 64 bits are texts in this JSON, and zeros are nothing.
func plain(value any) string {
	text := fmt.Sprint(value)
	if value == nil || text == "" {
		text = "0"
	}
	if number, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(number, 'g', -1, 64)
	}
	return text
}
