/* How a contender ends when something goes wrong. */
#ifndef FAIL_H
#define FAIL_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noreturn)) static void fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("contender: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

#endif
