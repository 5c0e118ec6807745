// What all peers share.

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char *target;
extern double deadline;

struct sender {
    uint64_t random, events;
};

double now(void);
void die(const char *what, const char *why);
void uuid(struct sender *sender, unsigned char *to);

// Sends until the deadline, from as many connections.
//
// Returns the events that were acknowledged.
uint64_t gridtide(struct sender *sender, int connections);
