# Removes what `cmake --install` wrote: cmake -DBUILD=FOLDER -P uninstall.cmake. The files are in install_manifest.txt, the
# folders that the installation made in mcp-folders.txt. A folder that has other files stays. DESTDIR counts as in `install`.
set(files "${BUILD}/install_manifest.txt")
set(folders "${BUILD}/mcp-folders.txt")
if(NOT EXISTS "${files}")
    message(FATAL_ERROR "nothing is installed from ${BUILD}: it has no install_manifest.txt")
endif()

file(STRINGS "${files}" paths ENCODING UTF-8)
foreach(path IN LISTS paths)
    set(path "$ENV{DESTDIR}${path}")
    # A link that leads nowhere does not "exist".
    if(EXISTS "${path}" OR IS_SYMLINK "${path}")
        message(STATUS "Removing: ${path}")
        file(REMOVE "${path}")
        if(EXISTS "${path}" OR IS_SYMLINK "${path}")
            message(FATAL_ERROR "cannot remove ${path}")
        endif()
    else()
        message(STATUS "Not there: ${path}")
    endif()
endforeach()

if(EXISTS "${folders}")
    file(STRINGS "${folders}" paths ENCODING UTF-8)
    list(SORT paths ORDER DESCENDING) # the inner ones first
    foreach(path IN LISTS paths)
        file(GLOB left LIST_DIRECTORIES true "${path}/*" "${path}/.*")
        list(FILTER left EXCLUDE REGEX "/\\.\\.?$")
        if(IS_DIRECTORY "${path}" AND NOT IS_SYMLINK "${path}" AND NOT left)
            message(STATUS "Removing: ${path}")
            file(REMOVE_RECURSE "${path}")
        endif()
    endforeach()
endif()
# What is installed there later is not ours.
file(REMOVE "${files}" "${folders}")
