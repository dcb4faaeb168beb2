/*
 * The disk under the host, for tests: put in front of libc by LD_PRELOAD. Calls for files under BANCA_DISK_DIR
 *   - fail as a disk fails (full, EIO, read-only), in writing or in syncing, or sync slowly, or end the process in the
 *     middle of a sync, as the control file says;
 *   - are noted in the journal: what each write replaced, until a sync of that file returns. From it disk.ts takes back what
 *     a power cut could take: nothing that was synced, anything else.
 * The -shm file is memory, the -lock file is empty: both are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* As DISK_CONTROL in disk.ts. */
struct control {
  int32_t write_errno;
  int32_t sync_errno;
  int32_t sync_ms;
  int32_t die_at_sync; /* 1 = the next one, 0 = none */
};

struct record {
  uint32_t kind; /* 1 = written or cut, 2 = synced */
  uint32_t path_len;
  int64_t offset;
  int64_t old_size;
  uint32_t old_len;
  uint32_t zero;
};

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off64_t);
static struct control *control;
static const char *dir;
static size_t dir_len;
static int journal = -1;

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_pread = dlsym(RTLD_NEXT, "pread64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  dir = getenv("BANCA_DISK_DIR");
  const char *control_path = getenv("BANCA_DISK_CONTROL"), *journal_path = getenv("BANCA_DISK_JOURNAL");
  if (!dir || !control_path || !journal_path) return;
  dir_len = strlen(dir);
  int fd = open(control_path, O_RDWR | O_CLOEXEC);
  if (fd < 0) abort();
  control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (control == MAP_FAILED) abort();
  close(fd);
  journal = open(journal_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (journal < 0) abort();
}

/* Path below the data folder into `path`; 0 = none of ours. */
static size_t ours(int fd, char *path) {
  if (!control || !dir) return 0;
  char link[32], full[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, full, sizeof full - 1);
  if (n <= (ssize_t)dir_len + 1 || strncmp(full, dir, dir_len) != 0 || full[dir_len] != '/') return 0;
  full[n] = 0;
  size_t len = (size_t)n - dir_len - 1;
  memcpy(path, full + dir_len + 1, len + 1);
  const char *tail = strrchr(path, '-');
  if (tail && (!strcmp(tail, "-shm") || !strcmp(tail, "-lock"))) return 0;
  return len;
}

static void note(uint32_t kind, const char *path, size_t len, int64_t offset, int64_t size, const void *old, uint32_t old_len) {
  size_t total = sizeof(struct record) + len + old_len;
  char *bytes = malloc(total);
  if (!bytes) abort();
  struct record r = {kind, (uint32_t)len, offset, size, old_len, 0};
  memcpy(bytes, &r, sizeof r);
  memcpy(bytes + sizeof r, path, len);
  memcpy(bytes + sizeof r + len, old, old_len);
  if (real_write(journal, bytes, total) != (ssize_t)total) abort();
  free(bytes);
}

/* Notes what `count` bytes at `offset` are before they go. */
static void note_old(int fd, const char *path, size_t len, int64_t offset, int64_t count) {
  struct stat st;
  if (fstat(fd, &st) != 0) abort();
  int64_t keep = st.st_size - offset;
  if (keep > count) keep = count;
  if (keep < 0) keep = 0;
  char *old = malloc(keep ? (size_t)keep : 1);
  if (!old) abort();
  /* A file opened for writing only cannot be read; its old bytes are then taken from the path. */
  ssize_t got = keep ? real_pread(fd, old, (size_t)keep, offset) : 0;
  if (got != keep) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s/%s", dir, path);
    int other = open(full, O_RDONLY | O_CLOEXEC);
    got = other < 0 ? 0 : real_pread(other, old, (size_t)keep, offset);
    if (other >= 0) close(other);
  }
  note(1, path, len, offset, st.st_size, old, got > 0 ? (uint32_t)got : 0);
  free(old);
}

ssize_t pwrite64(int fd, const void *buf, size_t count, off64_t offset) {
  char path[PATH_MAX];
  size_t len = ours(fd, path);
  if (len) {
    if (control->write_errno) { errno = control->write_errno; return -1; }
    note_old(fd, path, len, offset, (int64_t)count);
  }
  return real_pwrite(fd, buf, count, offset);
}
ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset) { return pwrite64(fd, buf, count, offset); }

ssize_t write(int fd, const void *buf, size_t count) {
  char path[PATH_MAX];
  size_t len = ours(fd, path);
  if (len) {
    if (control->write_errno) { errno = control->write_errno; return -1; }
    struct stat st;
    int64_t offset = lseek(fd, 0, SEEK_CUR);
    if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &st) == 0) offset = st.st_size;
    note_old(fd, path, len, offset, (int64_t)count);
  }
  return real_write(fd, buf, count);
}

int ftruncate64(int fd, off64_t size) {
  char path[PATH_MAX];
  size_t len = ours(fd, path);
  if (len) {
    if (control->write_errno) { errno = control->write_errno; return -1; }
    note_old(fd, path, len, size, INT64_MAX - size);
  }
  return real_ftruncate(fd, size);
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd, int (*real)(int)) {
  char path[PATH_MAX];
  size_t len = ours(fd, path);
  if (!len) return real(fd);
  if (control->die_at_sync > 0 && --control->die_at_sync == 0) kill(getpid(), SIGKILL);
  if (control->sync_ms) usleep((useconds_t)control->sync_ms * 1000);
  if (control->sync_errno) { errno = control->sync_errno; return -1; }
  int result = real(fd);
  if (result == 0) note(2, path, len, 0, 0, "", 0);
  return result;
}
int fsync(int fd) { return synced(fd, real_fsync); }
int fdatasync(int fd) { return synced(fd, real_fdatasync); }
