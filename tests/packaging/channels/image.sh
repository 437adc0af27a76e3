# the container image, by its layout: the program starts as a user who is not root, in a root of its own
mkdir image root
tar -xf /release/libmcp-*.oci.tar -C image
manifest=$(sed 's/.*"digest": "sha256:\([0-9a-f]*\)".*/\1/' image/index.json)
layer=$(sed 's/.*"layers".*"digest": "sha256:\([0-9a-f]*\)".*/\1/' "image/blobs/sha256/$manifest")
(cd image/blobs/sha256 && for name in *; do echo "$name  $name"; done | sha256sum --check --quiet)
tar -xzf "image/blobs/sha256/$layer" -C root
cp "$SERVER" root/usr/bin/server
# What runs containers brings that.
mkdir root/dev && mount --bind /dev root/dev
test "$(stat -c '%u %a' root/home/mcp root/tmp | tr '\n' ' ')" = "65532 755 0 1777 "
chroot --userspec=65532:65532 root /usr/bin/mcp call echo text=Hello -- /usr/bin/server
