// Prints what runs of the conformance suite found: of each checks.json its path, and then one check a line: its status, its id,
// and why it did not succeed.
import { readFileSync } from "node:fs";

for (const path of process.argv.slice(2)) {
    console.log(`# ${path}`);
    for (const check of JSON.parse(readFileSync(path, "utf8"))) {
        const why = (check.errorMessage ?? "").replace(/\s+/g, " ");
        console.log([check.status, check.id, why].join(" ").trimEnd());
    }
}
