#include <sys/resource.h>

#ifdef __linux__
#include <sys/prctl.h>
// Variadic, which Swift does not see. 0 when other processes of this user can no longer read our memory either.
static inline int cprocess_close_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int cprocess_memory_is_open(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
#else
static inline int cprocess_close_memory(void) { return 0; }
static inline int cprocess_memory_is_open(void) { return 0; }
#endif

static inline int cprocess_forbid_core_files(void) {
    struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none);
}
