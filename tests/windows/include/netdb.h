/* Windows has all of it in one place. */
#include <sys/socket.h>
