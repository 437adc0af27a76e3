package mcp_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

// authority gives tokens to a client that can sign with one key, and takes them back. It verifies with Go's own crypto.
type authority struct {
	*httptest.Server
	key crypto.PublicKey

	mu     sync.Mutex
	given  int
	tokens map[string]bool
}

func startAuthority(t *testing.T, key crypto.PublicKey) *authority {
	this := &authority{key: key, tokens: make(map[string]bool)}
	pages := http.NewServeMux()
	pages.HandleFunc("GET /.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		tell(w, http.StatusOK, map[string]any{
			"issuer": this.URL, "authorization_endpoint": this.URL + "/authorize", "token_endpoint": this.URL + "/token",
			"revocation_endpoint": this.URL + "/revoke", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported": []string{"S256"}, "grant_types_supported": []string{"client_credentials"},
			"token_endpoint_auth_methods_supported":            []string{"private_key_jwt"},
			"token_endpoint_auth_signing_alg_values_supported": []string{"ES256", "RS256"},
		})
	})
	pages.HandleFunc("POST /token", this.authenticated(func(*http.Request) map[string]any {
		this.given++
		token := "token-" + strings.Repeat("i", this.given)
		this.tokens[token] = true
		return map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": 3600}
	}))
	pages.HandleFunc("POST /revoke", this.authenticated(func(r *http.Request) map[string]any {
		delete(this.tokens, r.PostFormValue("token"))
		return map[string]any{}
	}))
	this.Server = httptest.NewUnstartedServer(pages) // Its pages know its URL.
	this.Start()
	t.Cleanup(this.Close)
	return this
}

func tell(w http.ResponseWriter, status int, what any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(what)
}

func (a *authority) authenticated(page func(*http.Request) map[string]any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !a.knows(r.PostFormValue("client_assertion")) {
			tell(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
			return
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		tell(w, http.StatusOK, page(r))
	}
}

func (a *authority) knows(assertion string) bool {
	parts := strings.Split(assertion, ".")
	if len(parts) != 3 {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	claims, bad := base64.RawURLEncoding.DecodeString(parts[1])
	var of struct{ Iss, Aud string }
	if err != nil || bad != nil || json.Unmarshal(claims, &of) != nil || of.Iss != "nightly" || of.Aud != a.URL {
		return false
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	switch key := a.key.(type) {
	case *ecdsa.PublicKey:
		r, s := new(big.Int).SetBytes(signature[:len(signature)/2]), new(big.Int).SetBytes(signature[len(signature)/2:])
		return len(signature) == 64 && ecdsa.Verify(key, digest[:], r, s)
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) == nil
	}
	return false
}

func (a *authority) count() (given, valid int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.given, len(a.tokens)
}

// guarded is a server that takes the tokens of an authority only, and says who asks.
func guarded(t *testing.T, authority *authority) string {
	server := offer(t, mcp.ServerConfig{Auth: &mcp.ServerAuthConfig{AuthorizationServers: []string{authority.URL}, Application: true}},
		mcp.OnToken(func(_ context.Context, token mcp.Token) (*mcp.Principal, error) {
			authority.mu.Lock()
			defer authority.mu.Unlock()
			if !authority.tokens[token.Token] {
				return nil, &mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "unknown"}
			}
			return &mcp.Principal{Principal: "nightly"}, nil
		}))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "who"}, func(_ context.Context, request *mcp.Request, _ struct{}) (string, error) {
		info, err := request.Info()
		if err != nil {
			return "", err
		}
		var of struct{ Subject string }
		err = json.Unmarshal(info.Principal, &of)
		return of.Subject, err
	}))
	url, err := server.ListenHTTP("http://127.0.0.1:0/mcp")
	must(t, err)
	return url
}

func service(url, issuer, algorithm string) mcp.Config {
	return mcp.Config{URL: url, Auth: &mcp.AuthConfig{Type: "client_credentials", Issuer: issuer, ClientID: "nightly",
		Signer: "application", SigningAlgorithm: algorithm, KeyID: "in the chip"}}
}

func TestAServiceSignsWithItsOwnKey(t *testing.T) {
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	prime, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	for algorithm, key := range map[string]crypto.Signer{"ES256": curve, "RS256": prime} {
		t.Run(algorithm, func(t *testing.T) {
			authority := startAuthority(t, key.Public())
			url := guarded(t, authority)
			requests := make(chan mcp.SignRequest, 8)
			client := open(t, service(url, authority.URL, algorithm), mcp.OnSign(func(ctx context.Context, request *mcp.SignRequest) (string, error) {
				requests <- *request
				return mcp.KeySigner(key)(ctx, request)
			}))
			for range 2 {
				if said := callText(t, client, "who", nil); said != "nightly" {
					t.Fatal(said)
				}
			}
			request := receive(t, requests)
			wanted := mcp.SignRequest{Purpose: mcp.SignAssertion, Algorithm: algorithm, KeyID: "in the chip", ClientID: "nightly", Audience: authority.URL}
			if wanted.Input = request.Input; request != wanted || request.Input == "" {
				t.Errorf("%+v", request)
			}
			if given, valid := authority.count(); given != 1 || valid != 1 || len(requests) != 0 {
				t.Error(given, valid, len(requests))
			}
			must(t, client.Logout(within(t)))
			if _, valid := authority.count(); valid != 0 {
				t.Error("the token is not revoked")
			}
			callText(t, client, "who", nil)
			if given, _ := authority.count(); given != 2 {
				t.Error(given)
			}
		})
	}
}

func TestASignerThatFailsIsToldAndEndsItsCalls(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	small, err := ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
	must(t, err)
	authority := startAuthority(t, key.Public())
	url := guarded(t, authority)
	for name, run := range map[string]struct {
		sign  mcp.Signer
		says  string
		tells bool
	}{
		"another key":             {mcp.KeySigner(other), "invalid_client", false},
		"a key of another type":   {mcp.KeySigner(small), "another type", true},
		"no signature":            {func(context.Context, *mcp.SignRequest) (string, error) { return "c2hvcnQ", nil }, "signature", false},
		"an error":                {func(context.Context, *mcp.SignRequest) (string, error) { return "", errors.New("the chip is busy") }, "the chip is busy", true},
		"a panic":                 {func(context.Context, *mcp.SignRequest) (string, error) { panic("hunter2") }, "panicked", true},
		"a signature with a NUL":  {func(context.Context, *mcp.SignRequest) (string, error) { return "a\x00b", nil }, "NUL", true},
		"a signature of no UTF-8": {func(context.Context, *mcp.SignRequest) (string, error) { return "a\xffb", nil }, "UTF-8", true},
	} {
		t.Run(name, func(t *testing.T) {
			failures := make(chan mcp.HandlerFailure, 64)
			client := open(t, service(url, authority.URL, "ES256"), mcp.OnSign(run.sign), collects(failures))
			_, err := client.CallTool(within(t), "who", nil)
			if !errors.Is(err, mcp.StatusAuth) || !strings.Contains(err.Error(), run.says) || strings.Contains(err.Error(), "hunter2") {
				t.Fatal(err)
			}
			if !run.tells {
				if len(failures) > 0 {
					t.Error(receive(t, failures))
				}
			} else if failure := receive(t, failures); failure.Method != "sign" {
				t.Error(failure)
			}
		})
	}
	if given, _ := authority.count(); given != 0 {
		t.Error(given)
	}
}
