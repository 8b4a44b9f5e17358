import { execFile } from 'node:child_process'
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const sources = ['build', 'models', 'server', 'shared', 'web', 'workers']
const files = ['build.ts', 'package-lock.json', 'package.json', 'tsconfig.base.json', 'vite.config.ts']
/** What differs: the pages and their worker get other names, and the runtime and the weights keep theirs. */
const changed = ['web/visit/main.tsx', 'web/kiosk/main.tsx', 'workers/web/analysis.worker.ts']

/** The pages built anew from sources that say something else; the files of the first build are not among them. */
export interface SecondBuild {
  readonly folder: string
  remove(): Promise<void>
}

/** Builds the pages a second time, elsewhere, with another version stamp. */
export async function buildSecond(): Promise<SecondBuild> {
  const place = await mkdtemp(join(tmpdir(), 'selfsame-build-'))
  for (const name of [...sources, ...files]) await cp(name, join(place, name), { recursive: true })
  await symlink(resolve('node_modules'), join(place, 'node_modules'))
  for (const name of changed) await appendFile(join(place, name), "\nperformance.mark('second build')\n")
  await run(process.execPath, [resolve('node_modules/tsx/dist/cli.mjs'), 'build.ts', '--pages'], {
    cwd: place,
  })
  return {
    folder: join(place, 'dist', 'web'),
    remove: () => rm(place, { recursive: true, force: true }),
  }
}
