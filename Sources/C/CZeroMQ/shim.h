#include <errno.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <zmq.h>

// Swift cannot call variadic functions. Names the calling thread, by at most 15 bytes.
static inline void czeromq_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
