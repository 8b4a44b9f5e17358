import { execFileSync } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { folders, sourcesOfBuild } from './source-hash.ts'

/** Written after a whole build. `build/start.mjs` reads it as well, before it has anything that understands TypeScript. */
const stamp = 'dist/.sources'

/** Size and modification time in milliseconds of each source: as long as they stay the same, no source has to be read. */
type FileStates = Readonly<Record<string, readonly [bytes: number, modified: number]>>

/** The sources that dist/ was built from. */
interface BuildStamp {
  /** One hash over the content of all sources. */
  readonly hash: string
  readonly folders: readonly string[]
  readonly files: FileStates
}

/** Whether dist/ was built as a whole from sources of this hash. */
export async function isBuiltFrom(hash: string): Promise<boolean> {
  const text = await readFile(stamp, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  try {
    return (JSON.parse(text) as BuildStamp).hash === hash
  } catch {
    return false // an interrupted write, or a stamp of an earlier version
  }
}

/** Taken before the sources are hashed, so that a change during the build makes it stale. */
export async function statesOfSources(): Promise<FileStates> {
  const states = (await sourcesOfBuild()).map(async (path) => {
    const { size, mtimeMs } = await stat(path)
    return [path, [size, mtimeMs]] as const
  })
  return Object.fromEntries(await Promise.all(states))
}

/** Notes that it was. */
export async function noteBuiltFrom(source: Omit<BuildStamp, 'folders'>): Promise<void> {
  await writeFile(stamp, JSON.stringify({ ...source, folders } satisfies BuildStamp))
}

/** For programs that look at the built product: builds it in a process of its own, where the sources have changed since. */
export function buildIfStale(): void {
  execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'build.ts', '--if-stale'], {
    stdio: 'inherit',
  })
}
