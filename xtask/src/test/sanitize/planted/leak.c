/* Planted: what the library gave out is lost. */
#include <mcp.h>

#include <stddef.h>

int main(void) {
    char *volatile text = NULL;
    char *given = NULL;
    mcp_json_quote("text", &given);
    text = given;
    given = NULL;
    text = NULL;
    return text != NULL;
}
