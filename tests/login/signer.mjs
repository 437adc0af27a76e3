// Has a key that nobody else gets to see, as a security chip does: prints its public half as a JSON Web Key, then an ES256
// signature in Base64url for each line that it reads.
import { generateKeyPairSync, sign } from "node:crypto";
import { createInterface } from "node:readline";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
console.log(JSON.stringify(publicKey.export({ format: "jwk" })));
for await (const line of createInterface({ input: process.stdin })) {
    console.log(sign("sha256", Buffer.from(line), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url"));
}
