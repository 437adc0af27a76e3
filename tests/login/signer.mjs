// Has a key that no other process sees, as a security chip does: prints its public half as a JSON Web Key, then for each line
// that it reads a signature in Base64url, or, where the line is JSON, a whole signed token with these claims. Its argument is how
// it signs: ES256 or RS256.
import { generateKeyPairSync, sign } from "node:crypto";
import { createInterface } from "node:readline";

const algorithm = process.argv[2];
const { privateKey, publicKey } =
    algorithm === "RS256"
        ? generateKeyPairSync("rsa", { modulusLength: 2048 })
        : generateKeyPairSync("ec", { namedCurve: "P-256" });
const signature = (text) => sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url");
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

console.log(JSON.stringify(publicKey.export({ format: "jwk" })));
for await (const line of createInterface({ input: process.stdin })) {
    if (line.startsWith("{")) {
        const text = `${encoded({ alg: algorithm, typ: "JWT" })}.${encoded(JSON.parse(line))}`;
        console.log(`${text}.${signature(text)}`);
    } else {
        console.log(signature(line));
    }
}
