//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"fmt"
	"math/big"
)

// What a [SignRequest] is for.
const (
	// SignProof is signed by the key of "auth.dpop_key": the proof that a request comes from the owner of its token (DPoP).
	SignProof = "proof"
	// SignAssertion is signed by the key that identifies the client to the authorization server ("auth.signer").
	SignAssertion = "assertion"
)

// SignRequest is a text to sign.
type SignRequest struct {
	// Purpose is SignProof or SignAssertion.
	Purpose string `json:"purpose"`
	// Algorithm is "ES256" or "RS256".
	Algorithm string `json:"algorithm"`
	// Input is what is signed; all its characters are ASCII.
	Input string `json:"input"`

	// KeyID is that of the key at the authorization server, if the configuration has one (SignAssertion).
	KeyID string `json:"key_id"`
	// ClientID is who the client is there (SignAssertion).
	ClientID string `json:"client_id"`
	// Audience is whom the assertion is for (SignAssertion). Sign only for an audience that the program trusts.
	Audience string `json:"audience"`
}

// Signer gives the signature of the input in Base64url without padding: 64 bytes (r and s) for "ES256", as many bytes as the key
// has for "RS256". For an assertion it may instead give a whole signed token about the client, for the audience. An error fails
// what waits for the signature, as StatusAuth, and is a [HandlerFailure]. The context ends when the client is closed.
type Signer func(ctx context.Context, request *SignRequest) (signature string, err error)

// OnSign signs with a key that only the program has, such as one in hardware; see [KeySigner]. The function runs on a goroutine of
// its own each time. The configuration must have "auth.signer" or "auth.dpop_key".
func OnSign(sign Signer) Option {
	return func(h *handlers) { h.sign = sign }
}

// KeySigner signs with a key of crypto, whatever keeps it: ECDSA on P-256 for "ES256", RSA for "RS256".
func KeySigner(key crypto.Signer) Signer {
	return func(_ context.Context, request *SignRequest) (string, error) {
		digest := sha256.Sum256([]byte(request.Input))
		public := key.Public()
		switch of := public.(type) {
		case *ecdsa.PublicKey:
			if request.Algorithm == "ES256" && of.Curve == elliptic.P256() {
				return signES256(key, digest[:])
			}
		case *rsa.PublicKey:
			if request.Algorithm == "RS256" {
				signature, err := key.Sign(rand.Reader, digest[:], crypto.SHA256)
				return base64.RawURLEncoding.EncodeToString(signature), err
			}
		}
		return "", invalid(askedSign, fmt.Sprintf("the key is a %T, and %q takes a key of another type: "+
			"ES256 one of ECDSA on P-256, RS256 one of RSA", public, request.Algorithm))
	}
}

// signES256 signs as JSON Web Signatures do: r and s have 32 bytes each, where crypto has them in ASN.1.
func signES256(key crypto.Signer, digest []byte) (string, error) {
	encoded, err := key.Sign(rand.Reader, digest, crypto.SHA256)
	if err != nil {
		return "", err
	}
	var pair struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(encoded, &pair); err != nil {
		return "", fmt.Errorf("the signature of the key is no ECDSA signature in ASN.1: %w", err)
	}
	const size = 32
	if pair.R.Sign() < 0 || pair.S.Sign() < 0 || pair.R.BitLen() > 8*size || pair.S.BitLen() > 8*size {
		return "", fmt.Errorf("the signature of the key has numbers of %d and %d bits, and P-256 has 256", pair.R.BitLen(), pair.S.BitLen())
	}
	var signature [2 * size]byte
	pair.R.FillBytes(signature[:size])
	pair.S.FillBytes(signature[size:])
	return base64.RawURLEncoding.EncodeToString(signature[:]), nil
}
