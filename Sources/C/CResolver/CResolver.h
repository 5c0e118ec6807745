// What the resolver has as macros, or in structures that Swift does not see.
//
// It includes nothing of sockets: Swift takes a C declaration for that of the module in which it saw it first,
// and would find SOCK_STREAM then only where this module is imported.
#ifndef CRESOLVER_H
#define CRESOLVER_H

#include <stdint.h>

#define CRESOLVER_NAME_MAX 1025
#define CRESOLVER_A 1
#define CRESOLVER_PTR 12
#define CRESOLVER_AAAA 28
#define CRESOLVER_SRV 33

struct cresolver_record {
    int type;
    uint16_t priority, port;
    char name[CRESOLVER_NAME_MAX];
    // Of SRV and PTR.
    char target[CRESOLVER_NAME_MAX];
    // Of A and AAAA: 4 or 16 bytes.
    uint8_t address[16];
};

// Asks the system's name servers, or the one at an IPv4 address if `server` is not NULL. The length of the answer, or -1.
int cresolver_ask(const char *name, int type, const char *server, uint16_t port, uint8_t *answer, int size);

// A question as a message. Its length, or -1.
int cresolver_question(const char *name, int type, uint8_t *message, int size);

// The records of a message that are of a known type, of its answers and what was added to them. Their number; -1 for
// what is no message.
int cresolver_read(const uint8_t *message, int size, struct cresolver_record *records, int most);

#endif
