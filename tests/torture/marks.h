/* What the host tells the torture, by a prctl() that the kernel does not know: see mark() in host.c. */
#ifndef MCP_TORTURE_MARKS_H
#define MCP_TORTURE_MARKS_H

enum {
    MARK = 0x6d637074,
    BEGIN = 1, /* from here on system calls are counted and failed */
    END = 2,   /* as far as here */
    PAUSE = 3, /* the calling thread does something that is not the library's */
    GO_ON = 4,
    APART = 5, /* the calling thread is not the library's user */
};

#endif
