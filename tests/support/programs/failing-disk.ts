import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** While the file FAULT exists, writing to the first two pages of any file fails with EIO. */
const library = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
static int fails(off_t at) {
  const char *fault = getenv("FAULT");
  return at < 8192 && fault && access(fault, F_OK) == 0;
}
#define GUARDED(name) \\
  ssize_t name(int file, const void *bytes, size_t count, off_t at) { \\
    static ssize_t (*real)(int, const void *, size_t, off_t); \\
    if (!real) real = dlsym(RTLD_NEXT, #name); \\
    if (fails(at)) { errno = EIO; return -1; } \\
    return real(file, bytes, count, at); \\
  }
GUARDED(pwrite)
GUARDED(pwrite64)
`

export const hasCompiler = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
export const needsCompiler = hasCompiler ? '' : ' (skipped: needs a C compiler on Linux)'

/** A disk that fails on demand, for processes that are started with its environment. */
export function createFailingDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-disk-'))
  const [source, built, fault] = ['disk.c', 'disk.so', 'fault'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(source, library)
  execFileSync('cc', ['-shared', '-fPIC', '-o', built, source, '-ldl'])
  return {
    env: { LD_PRELOAD: built, FAULT: fault },
    fail: () => writeFileSync(fault, ''),
    mend: () => rmSync(fault, { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
