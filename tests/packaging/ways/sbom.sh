# the bill of materials has every crate of the page of licences, with digest, licence and what needs it
# needs: python3
python3 - "$PREFIX/share/doc/libmcp" <<'EOF'
import json, os, re, sys
for bill, page in [("sbom.cdx.json", "THIRD-PARTY.md"), ("sbom-program.cdx.json", "THIRD-PARTY-PROGRAM.md")]:
    # A tree that goes to a folder of its own has no program, unless it is asked for.
    if "program" in bill and not os.path.exists(f"{sys.argv[1]}/../../../bin/mcp"):
        continue
    bom = json.load(open(f"{sys.argv[1]}/{bill}"))
    assert (bom["bomFormat"], bom["specVersion"], bom["version"]) == ("CycloneDX", "1.5", 1)
    parts = bom["components"]
    listed = re.findall(r"^## (\S+ \S+)$", open(f"{sys.argv[1]}/{page}").read(), re.M)
    ours = {"mcp", "mcp-base", "mcp-core"}
    assert sorted(f"{c['name']} {c['version']}" for c in parts if c["name"] not in ours) == sorted(listed), bill
    for c in parts:
        assert c["licenses"][0]["expression"], c
        assert c["name"] in ours or re.fullmatch("[0-9a-f]{64}", c["hashes"][0]["content"]), c
    refs = {c["bom-ref"] for c in parts} | {bom["metadata"]["component"]["bom-ref"]}
    assert {d["ref"] for d in bom["dependencies"]} == refs
    needed = {need for d in bom["dependencies"] for need in d["dependsOn"]}
    assert needed == {c["bom-ref"] for c in parts}, needed
EOF
