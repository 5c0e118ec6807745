#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

// Few arenas, and large blocks on their own, so that what a burst took can be given back. That is done now and then
// (cmalloc_give_back), not by each free: under load the heap's end went up and down all the time, which took a tenth of
// the processor; and with fewer arenas than busy threads they waited for each other.
static inline void cmalloc_configure(void) {
    mallopt(M_ARENA_MAX, 4);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 16 * 1024 * 1024);
}

// Bytes that malloc holds and nobody uses.
static inline size_t cmalloc_free_bytes(void) { return mallinfo2().fordblks; }

static inline void cmalloc_give_back(void) { malloc_trim(0); }
#else
static inline void cmalloc_configure(void) {}
static inline size_t cmalloc_free_bytes(void) { return 0; }
static inline void cmalloc_give_back(void) {}
#endif
