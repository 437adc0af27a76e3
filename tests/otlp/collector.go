// A collector that takes OTLP over HTTP (JSON) with the packages of OpenTelemetry's own collector. Of each request it prints a line: the
// path, and what of the request the packages did not know. They pass over unknown members, so a request is written again, and what has gone
// was unknown.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"

	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

// request is what both kinds of requests can do.
type request interface {
	UnmarshalJSON(body []byte) error
	MarshalJSON() ([]byte, error)
}

// line is what is printed of a request.
type line struct {
	Path    string          `json:"path"`
	Error   string          `json:"error,omitempty"`
	Unknown []string        `json:"unknown,omitempty"`
	Body    json.RawMessage `json:"body"`
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("http://" + listener.Addr().String())
	out := json.NewEncoder(os.Stdout)
	lines := make(chan line)
	go func() { // A collector that is asked twice at once must not mix its lines.
		for one := range lines {
			_ = out.Encode(one)
		}
	}()
	handle := func(path string, make func() request) {
		http.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			said := line{Path: path, Body: body}
			if err == nil {
				said.Unknown, err = lost(body, make())
			}
			w.Header().Set("Content-Type", "application/json")
			if err != nil {
				said.Error = err.Error()
				w.WriteHeader(http.StatusBadRequest)
			}
			lines <- said
			_, _ = io.WriteString(w, "{}")
		})
	}
	handle("/v1/traces", func() request { it := ptraceotlp.NewExportRequest(); return &it })
	handle("/v1/metrics", func() request { it := pmetricotlp.NewExportRequest(); return &it })
	fmt.Fprintln(os.Stderr, http.Serve(listener, nil))
}

// lost are the places of a body that a request has not kept.
func lost(body []byte, into request) (places []string, err error) {
	if err := into.UnmarshalJSON(body); err != nil {
		return nil, err
	}
	kept, err := into.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var before, after any
	if err := json.Unmarshal(body, &before); err != nil {
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
