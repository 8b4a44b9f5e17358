import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'

const stamp = 'dist/.sources'

/** Whether dist/ was built as a whole from sources of this hash. */
export async function isBuiltFrom(hash: string): Promise<boolean> {
  return existsSync(stamp) && (await readFile(stamp, 'utf8')) === hash
}

/** Notes that it was. */
export async function noteBuiltFrom(hash: string): Promise<void> {
  await writeFile(stamp, hash)
}

/** For programs that look at the built product: builds it in a process of its own, where the sources have changed since. */
export function buildIfStale(): void {
  execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'build.ts', '--if-stale'], {
    stdio: 'inherit',
  })
}
