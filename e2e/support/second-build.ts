import { execFile } from 'node:child_process'
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { madeForRun } from './made-once.ts'

const run = promisify(execFile)
const sources = ['build', 'models', 'server', 'shared', 'web', 'workers']
const files = ['build.ts', 'package-lock.json', 'package.json', 'tsconfig.base.json', 'vite.config.ts']
/** Files that differ: the pages and their worker get new names, while the runtime and the weights keep theirs. */
const changed = ['web/capture/main.tsx', 'web/kiosk/main.tsx', 'workers/web/analysis.worker.ts']

/**
 * The folder with a second build of the pages, made from changed sources. It does not contain the first
 * build's files.
 */
export function buildSecond(): Promise<string> {
  return madeForRun('second-build', async (folder) => {
    const place = await mkdtemp(join(tmpdir(), 'selfsame-build-'))
    for (const name of [...sources, ...files]) await cp(name, join(place, name), { recursive: true })
    await symlink(resolve('node_modules'), join(place, 'node_modules'))
    for (const name of changed) await appendFile(join(place, name), "\nperformance.mark('second build')\n")
    await run(process.execPath, [resolve('node_modules/tsx/dist/cli.mjs'), 'build.ts', '--pages'], {
      cwd: place,
    })
    await cp(join(place, 'dist', 'web'), folder, { recursive: true })
    await rm(place, { recursive: true, force: true })
  })
}
