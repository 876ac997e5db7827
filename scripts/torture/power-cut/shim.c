// Preloaded into leaddb: writes down, in order, everything that is done to the files under a folder, so that the disk
// can be rebuilt as a power cut at any moment may have left it. A sync is written down and not done: what it would
// make safe is decided in the replay. With TORTURE_KILL_AT=n the process kills itself just before its nth change.
//
// A record: u8 kind, u8 0, u16 length of path, u32 length of data, u64 inode, i64 offset; path; data.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, DIRSYNC, UNLINK, RENAME, MKDIR };
#define MOST_FDS 65536

struct record {
  uint8_t kind, zero;
  uint16_t path;
  uint32_t data;
  uint64_t inode;
  int64_t offset;
} __attribute__((packed));

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char tracked[MOST_FDS];
static int log_fd = -1;
static const char *root;
static long kill_at, changes;

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("TORTURE_LOG"), *at = getenv("TORTURE_KILL_AT");
  root = getenv("TORTURE_ROOT");
  if (at) kill_at = atol(at);
  if (path && root) log_fd = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int ours(const char *path) {
  if (log_fd < 0 || !path) return 0;
  size_t length = strlen(path);
  if (length > 4 && !strcmp(path + length - 4, "-shm")) return 0;
  return !strncmp(path, root, strlen(root));
}

static int watched(int fd) { return log_fd >= 0 && fd >= 0 && fd < MOST_FDS ? tracked[fd] : 0; }

static void lock(void) {
  pthread_mutex_lock(&mutex);
  flock(log_fd, LOCK_EX);
}
static void unlock(void) {
  flock(log_fd, LOCK_UN);
  pthread_mutex_unlock(&mutex);
}

static uint64_t inode_of(int fd) {
  struct stat s;
  return fstat(fd, &s) ? 0 : s.st_ino;
}

// To be called with the lock, before the change itself.
static void note(int kind, uint64_t inode, int64_t offset, const char *path, const void *data, size_t length) {
  if (kill_at && ++changes >= kill_at) raise(SIGKILL);
  size_t name = path ? strlen(path) : 0;
  struct record r = {kind, 0, name, length, inode, offset};
  struct iovec parts[3] = {{&r, sizeof r}, {(void *)path, name}, {(void *)data, length}};
  writev(log_fd, parts, 3);
}

static int opened(int fd, const char *path, int flags, int existed) {
  struct stat s;
  if (fd < 0 || fd >= MOST_FDS || fstat(fd, &s)) return fd;
  if (S_ISDIR(s.st_mode)) return fd;
  tracked[fd] = 1;
  if ((flags & O_CREAT) && !existed) note(CREATE, s.st_ino, 0, path, 0, 0);
  else if (flags & O_TRUNC) note(TRUNCATE, s.st_ino, 0, 0, 0, 0);
  return fd;
}

#define OPEN(name)                                                     \
  int name(const char *path, int flags, ...) {                         \
    va_list rest;                                                      \
    va_start(rest, flags);                                             \
    mode_t mode = va_arg(rest, mode_t);                                \
    va_end(rest);                                                      \
    if (!ours(path)) return REAL(name)(path, flags, mode);             \
    lock();                                                            \
    int existed = access(path, F_OK) == 0;                             \
    int fd = opened(REAL(name)(path, flags, mode), path, flags, existed); \
    unlock();                                                          \
    return fd;                                                         \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                   \
  int name(int at, const char *path, int flags, ...) {                 \
    va_list rest;                                                      \
    va_start(rest, flags);                                             \
    mode_t mode = va_arg(rest, mode_t);                                \
    va_end(rest);                                                      \
    if (!ours(path)) return REAL(name)(at, path, flags, mode);         \
    lock();                                                            \
    int existed = access(path, F_OK) == 0;                             \
    int fd = opened(REAL(name)(at, path, flags, mode), path, flags, existed); \
    unlock();                                                          \
    return fd;                                                         \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
  if (fd >= 0 && fd < MOST_FDS) tracked[fd] = 0;
  return REAL(close)(fd);
}

#define PWRITE(name, type)                                             \
  ssize_t name(int fd, const void *data, size_t length, type offset) { \
    if (!watched(fd)) return REAL(name)(fd, data, length, offset); \
    lock();                                                            \
    note(WRITE, inode_of(fd), offset, 0, data, length);                \
    ssize_t done = REAL(name)(fd, data, length, offset);               \
    unlock();                                                          \
    return done;                                                       \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t length) {
  if (!watched(fd)) return REAL(write)(fd, data, length);
  lock();
  note(WRITE, inode_of(fd), lseek(fd, 0, SEEK_CUR), 0, data, length);
  ssize_t done = REAL(write)(fd, data, length);
  unlock();
  return done;
}

#define TRUNCATED(name, type)                             \
  int name(int fd, type size) {                           \
    if (!watched(fd)) return REAL(name)(fd, size);    \
    lock();                                               \
    note(TRUNCATE, inode_of(fd), size, 0, 0, 0);          \
    int done = REAL(name)(fd, size);                      \
    unlock();                                             \
    return done;                                          \
  }
TRUNCATED(ftruncate, off_t)
TRUNCATED(ftruncate64, off64_t)

// Folders, and files that were opened past us.
static int sync_untracked(int fd) {
  char link[64], path[PATH_MAX];
  struct stat s;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || fstat(fd, &s)) return 0;
  path[length] = 0;
  if (!ours(path)) return 0;
  note(S_ISDIR(s.st_mode) ? DIRSYNC : SYNC, s.st_ino, 0, S_ISDIR(s.st_mode) ? path : 0, 0, 0);
  return 1;
}

#define SYNCED(name)                                            \
  int name(int fd) {                                            \
    if (log_fd < 0) return REAL(name)(fd);                      \
    lock();                                                     \
    int known = watched(fd);                                    \
    if (known) note(SYNC, inode_of(fd), 0, 0, 0, 0);            \
    else known = sync_untracked(fd);                            \
    unlock();                                                   \
    return known ? 0 : REAL(name)(fd);                          \
  }
SYNCED(fsync)
SYNCED(fdatasync)

int unlink(const char *path) {
  if (!ours(path)) return REAL(unlink)(path);
  lock();
  struct stat s;
  if (!stat(path, &s)) note(UNLINK, s.st_ino, 0, path, 0, 0);
  int done = REAL(unlink)(path);
  unlock();
  return done;
}

int rename(const char *from, const char *to) {
  if (!ours(from) && !ours(to)) return REAL(rename)(from, to);
  lock();
  struct stat s;
  if (!stat(from, &s)) note(RENAME, s.st_ino, 0, from, to, strlen(to));
  int done = REAL(rename)(from, to);
  unlock();
  return done;
}

int mkdir(const char *path, mode_t mode) {
  if (!ours(path)) return REAL(mkdir)(path, mode);
  lock();
  int done = REAL(mkdir)(path, mode);
  if (!done) note(MKDIR, 0, 0, path, 0, 0);
  unlock();
  return done;
}
