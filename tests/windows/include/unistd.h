/*
 * What the compiler's C library for Windows has of it, and functions for sockets, too: posix.c beside this folder.
 */
#ifndef MCP_TESTS_WINDOWS_UNISTD_H
#define MCP_TESTS_WINDOWS_UNISTD_H

#include_next <unistd.h>
#include <stdio.h>

int test_close(int descriptor);
ssize_t test_read(int descriptor, void *bytes, size_t length);
ssize_t test_write(int descriptor, const void *bytes, size_t length);

#define close(descriptor) test_close(descriptor)
#define read(descriptor, bytes, length) test_read(descriptor, bytes, length)
#define write(descriptor, bytes, length) test_write(descriptor, bytes, length)

int pipe2(int ends[2], int flags);
char *mkdtemp(char *pattern);
unsigned alarm(unsigned seconds);

/* Declared so that helpers compile which a program may never call; one that calls one of these does not link. */
ssize_t readlink(const char *path, char *target, size_t length);
int symlink(const char *target, const char *path);
pid_t getpgid(pid_t process);
pid_t getpgrp(void);
ssize_t getline(char **line, size_t *length, FILE *file);

#endif
