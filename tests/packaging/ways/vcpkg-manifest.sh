# the vcpkg port's manifest is one that vcpkg reads, and damaged ones are found
# needs: cmake
check() { cmake -DMANIFEST="$1" -P "$TESTS/vcpkg_manifest.cmake"; }
check "$ROOT/packaging/vcpkg/vcpkg.json"
for damage in 's/"license"/"licence"/' 's/"libmcp"/"Libmcp"/' 's/"version": "/&v/' 's/"host": true/"host": "yes"/' \
        's/"host"/"hots"/' '/"description"/d' 's/"vcpkg-cmake"/"core"/' '3{h;d};4{G}' 's/^  "name"/"name"/' 's/,$//'; do
    sed "$damage" "$ROOT/packaging/vcpkg/vcpkg.json" >damaged.json
    refuse cmp -s damaged.json "$ROOT/packaging/vcpkg/vcpkg.json"
    refuse check damaged.json
done
