/* Notes which bytes of its process's SQLite files were written but not flushed, so that torture.py can lose them as a
 * machine without power does. For LD_PRELOAD; the notes go to the file that UNFLUSHED names, which outlives SIGKILL. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANGES_MAX = 1 << 16 };

/* As torture.py reads it. `is_full` says that there was more than fits: then nothing can be said of this round. */
struct notes {
    uint64_t count, is_full;
    struct range { uint64_t inode, offset, length, number; } ranges[RANGES_MAX];
};

static struct notes *notes;
static uint64_t next_number;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void open_notes(void) {
    const char *path = getenv("UNFLUSHED");
    int file = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof *notes)) abort();
    notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (notes == MAP_FAILED) abort();
}

static uint64_t inode(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? status.st_ino : 0;
}

/* Noted before the write: afterwards would be too late for a kill between the two. */
static void will_write(int file, uint64_t offset, uint64_t length) {
    uint64_t of = inode(file);
    if (!of) return;
    pthread_mutex_lock(&mutex);
    if (notes->count < RANGES_MAX) {
        notes->ranges[notes->count] = (struct range){of, offset, length, ++next_number};
        __atomic_store_n(&notes->count, notes->count + 1, __ATOMIC_RELEASE);
    } else {
        notes->is_full = 1;
    }
    pthread_mutex_unlock(&mutex);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    static ssize_t (*next)(int, const void *, size_t, off64_t);
    if (!next) next = dlsym(RTLD_NEXT, "pwrite64");
    will_write(file, (uint64_t)offset, length);
    return next(file, bytes, length, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite64(file, bytes, length, offset);
}

/* What was noted before a flush began is on the disk when it ends. */
static int flush(int file, const char *name) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    uint64_t of = inode(file);
    pthread_mutex_lock(&mutex);
    uint64_t last = next_number;
    pthread_mutex_unlock(&mutex);
    int result = next(file);
    if (result != 0 || !of) return result;
    pthread_mutex_lock(&mutex);
    uint64_t kept = 0;
    for (uint64_t n = 0; n < notes->count; n++)
        if (notes->ranges[n].inode != of || notes->ranges[n].number > last) notes->ranges[kept++] = notes->ranges[n];
    __atomic_store_n(&notes->count, kept, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
    return result;
}

int fdatasync(int file) { return flush(file, "fdatasync"); }
int fsync(int file) { return flush(file, "fsync"); }
