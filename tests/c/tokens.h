/*
 * Tokens for the tests of authorization, made once with two keys that were thrown away: the issuer is https://as.example, the
 * audience https://mcp.example/mcp, and those that do not say otherwise end in 2100.
 */
#ifndef MCP_TESTS_TOKENS_H
#define MCP_TESTS_TOKENS_H

#define KEY_A \
    "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"a\",\"alg\":\"ES256\",\"use\":\"sig\",\"x\":\"zNb0j4FQjHQFru09JisQYb8bIS04ZukWByS_NddO3A4\",\"y\":\"3aYcUWctKiFbV7nF_egbLgBuPJkDnHViLNQeX_5zb5o\"}"
#define KEY_B \
    "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"b\",\"alg\":\"ES256\",\"use\":\"sig\",\"x\":\"uwAwEQ58uMoe31oyLT_W0WvjtDP4lKE35_M016RQgqw\",\"y\":\"2FqT2W0WaQJ7-DSIl1lE6SuwvlMKc6jJi6_uoK5kYbs\"}"

/* ann, scope read */
#define READ \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMH0.i76df" \
    "OvMXNS15UrZmSmwgxvtzM1ez8qzcDyo26OIvOxIXyr8b_JW7DVVX_nJ6s_VO7pOmZHta4OZqZ6KZHiQOg"

/* the same principal with a newer token */
#define READ_LATER \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMCwianRpI" \
    "joiMiJ9.GGzRabfrGSaQTuM9Z7z2YqpbGctNiglBhzfzmGmsDeEjJPJ7rcihoNeykbgIgiG1-jHM8_r0Y5N0ctJDwA7ydg"

/* ann, scopes read and write */
#define WRITE \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCB3cml0ZSIsImV4cCI6NDEwMjQ0NDgwM" \
    "H0.oNQ1WoPAmQximIM184URcCGYHeFg43N6dz4-TvmN-Sccc7j2tjyfsEmkokkAOTgGBVMHZD5e0cE8Y_gzOHPxSg"

/* bob, scopes read and write */
#define BOB \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImJvYiIsInNjb3BlIjoicmVhZCB3cml0ZSIsImV4cCI6NDEwMjQ0NDgwM" \
    "H0.js5QV5f9tv3wre4okik41FUFznW6DwEF9adE7ahyIFTt6mg4EXJ3jSseygWbXuAmESs8DO2goAZIAsvhkEvqtQ"

/* ann, without a scope */
#define NO_SCOPE \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsImV4cCI6NDEwMjQ0NDgwMH0.0tywp0N-8gJwG7qcnZdS75KY7" \
    "gEzY0MmewEKPbhAn7IDji_xH1vLPNmoJ3AbgToz4zI-RbmIEHEq7eS9ixMlpw"

/* for another server */
#define OTHER_AUDIENCE \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL290aGVyLmV4YW1wbGUvbWNwIiwic3ViIjoiYW5uIiwic2NvcGUiOiJyZWFkIiwiZXhwIjo0MTAyNDQ0ODAwfQ.S3" \
    "gOwecnp_Zv0bSTiq6tDpFeQiwO34RrK-1f7yPWtiM2FtberBhxGckCP91m3woEh80lIJTr-AvzDAPztQJZqQ"

/* of another issuer */
#define OTHER_ISSUER \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2V2aWwuZXhhbXBsZSIsImF1Z" \
    "CI6Imh0dHBzOi8vbWNwLmV4YW1wbGUvbWNwIiwic3ViIjoiYW5uIiwic2NvcGUiOiJyZWFkIiwiZXhwIjo0MTAyNDQ0ODAwfQ.nt" \
    "jBC51vY_k11u9edqkARMAPkf_F2wK4I9oJHgdQmECS2Dn_1dc4t4hhZ2t0PAlDr1PmkRtGKiQOH3EnOb36Dw"

/* ended in 2001 */
#define EXPIRED \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6MTAwMDAwMDAwMH0.HYbus" \
    "wVq8H5VY22igz0H2k10TeOQjt3CivRBPMwjSTOVppMGww91NXbMQ2O8I1UHoBKl2lHlWVdB4JD86dH1Ww"

/* begins in 2100 */
#define NOT_YET \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMCwibmJmI" \
    "jo0MTAyNDQ0MDAwfQ.ph9peAsbBP_5Xi7rr5D4oOV0zsj20-b3jpsD2Sns6bA1WrJIjnXlyB7Lo1pI8vpuK9H-hSuX7cOO4cL9nD" \
    "u9hA"

/* alg none */
#define UNSIGNED \
    "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0Iiwia2lkIjoiYSJ9.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiOiJ" \
    "odHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMH0."

/* HS256 with the public key as the secret */
#define HMAC \
    "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMH0.KSJHT" \
    "YBGYo8vs0o4IWG2qxaKbIcWLNohssJXBZZQN1I"

/* the name of the key, and another key */
#define FORGED \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMH0.e0Svy" \
    "oJyf-DwZFSCCM7IBWhwkeM3BEHkMsLoVuP_Gsz2mcwaFvI9yhIkJbiuvqEqWdZo_BGqfp7Jt6zTIxAq9A"

/* a key that the issuer does not have */
#define UNKNOWN_KEY \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6IngifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMH0.0ZKT8" \
    "nRRrkC-Pxe-Wc-pZSd9QwV9FYTNNvct1oYy24FTC44d_GLmnfiKyRlBmlYsmTN5pL4T5WnnW-kat3nkQg"

/* ann, scope read, signed with key b */
#define OF_KEY_B \
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImIifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJhdWQiO" \
    "iJodHRwczovL21jcC5leGFtcGxlL21jcCIsInN1YiI6ImFubiIsInNjb3BlIjoicmVhZCIsImV4cCI6NDEwMjQ0NDgwMH0.3PHuK" \
    "rAiceq7mdTrCCB4klOBKOEdoP7j7pRH7izTxZJjh3QgudBH04L7HH-VbsUJKpw0zv1Lnjqvh9B096rt-A"

#endif
