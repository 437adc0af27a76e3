# An overlay port: it builds the checkout that it is in. cargo has to be installed.
cmake_path(GET CURRENT_PORT_DIR PARENT_PATH SOURCE_PATH)
cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)

# A release build serves debug builds too: the C API has one form.
set(VCPKG_BUILD_TYPE release)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DMCP_INSTALL=ON -DCMAKE_INSTALL_LIBDIR=lib)
vcpkg_cmake_install()

# vcpkg looks for the package's files below share/mcp.
file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share/mcp")
file(WRITE "${CURRENT_PACKAGES_DIR}/share/mcp/mcpConfig.cmake"
    "include(\"\${CMAKE_CURRENT_LIST_DIR}/../../lib/cmake/mcp/mcpConfig.cmake\")\n")
file(RENAME "${CURRENT_PACKAGES_DIR}/lib/cmake/mcp/mcpConfigVersion.cmake"
    "${CURRENT_PACKAGES_DIR}/share/mcp/mcpConfigVersion.cmake")
set(VCPKG_POLICY_SKIP_LIB_CMAKE_MERGE_CHECK enabled)

file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
