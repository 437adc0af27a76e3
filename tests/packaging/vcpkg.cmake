# Runs the vcpkg port without vcpkg: cmake -DPORT_DIR=... -DROOT=... -DTARGET=... -P vcpkg.cmake. The functions that vcpkg
# gives a port stand here, as far as the port uses them; anything else it calls is an error of CMake's.
cmake_minimum_required(VERSION 3.20)
file(READ "${PORT_DIR}/vcpkg.json" manifest)
foreach(key IN ITEMS name version description homepage license supports dependencies)
    string(JSON ${key} ERROR_VARIABLE missing GET "${manifest}" ${key})
    if(missing)
        message(FATAL_ERROR "vcpkg.json has no ${key}: ${missing}")
    endif()
endforeach()
file(READ "${ROOT}/Cargo.toml" cargo)
string(REGEX MATCH "\nversion = \"([^\"]*)\"" _ "${cargo}")
if(NOT version STREQUAL CMAKE_MATCH_1)
    message(FATAL_ERROR "vcpkg.json is for ${version}, Cargo.toml has ${CMAKE_MATCH_1}")
endif()

set(PORT libmcp)
set(CURRENT_PORT_DIR "${PORT_DIR}")
set(CURRENT_PACKAGES_DIR "${CMAKE_CURRENT_BINARY_DIR}/packages/libmcp")
set(build "${CMAKE_CURRENT_BINARY_DIR}/build")
set(VCPKG_TARGET_IS_LINUX ON)
set(VCPKG_TARGET_ARCHITECTURE x64)
set(VCPKG_LIBRARY_LINKAGE dynamic)

function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# What ports of prebuilt files call.
function(vcpkg_download_distfile to)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "URLS;FILENAME;SHA512" "")
    file(DOWNLOAD "${arg_URLS}" "${build}/${arg_FILENAME}" EXPECTED_HASH SHA512=${arg_SHA512})
    set(${to} "${build}/${arg_FILENAME}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive to)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
    file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION "${build}/tree")
    file(GLOB tree "${build}/tree/*")
    set(${to} "${tree}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    run("${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${build}" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Release
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" "-DMCP_CARGO_TARGET_DIR=${TARGET}" ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --build "${build}")
    run("${CMAKE_COMMAND}" --install "${build}")
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    foreach(file IN LISTS arg_FILE_LIST)
        file(READ "${file}" text)
        file(APPEND "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" "${text}")
    endforeach()
endfunction()

include("${PORT_DIR}/portfile.cmake")
