// Prints what a run of the conformance suite found, one check a line: its status and its id.
import { readFileSync } from "node:fs";

for (const check of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
    console.log(check.status, check.id);
}
