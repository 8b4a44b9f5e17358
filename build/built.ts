import { execFileSync } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { folders, sourcesOfBuild } from './source-hash.ts'

/** Written after a complete build. `build/start.mjs` reads it too, before TypeScript can be loaded. */
const stamp = 'dist/.sources'

/** Size and modification time in milliseconds of each source. If they have not changed, no source has to be read. */
type FileStates = Readonly<Record<string, readonly [bytes: number, modified: number]>>

/** The sources of the existing build. */
interface BuildStamp {
  /** Hash over the content of all sources. */
  readonly hash: string
  readonly folders: readonly string[]
  readonly files: FileStates
}

/** True if dist/ is a complete build of sources with this hash. */
export async function isBuiltFrom(hash: string): Promise<boolean> {
  const text = await readFile(stamp, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  try {
    return (JSON.parse(text) as BuildStamp).hash === hash
  } catch {
    return false // interrupted write, or a stamp of an earlier version
  }
}

/** Read before the sources are hashed, so that a change during the build makes it stale. */
export async function statesOfSources(): Promise<FileStates> {
  const states = (await sourcesOfBuild()).map(async (path) => {
    const { size, mtimeMs } = await stat(path)
    return [path, [size, mtimeMs]] as const
  })
  return Object.fromEntries(await Promise.all(states))
}

/** Stores the stamp of a complete build. */
export async function noteBuiltFrom(source: Omit<BuildStamp, 'folders'>): Promise<void> {
  await writeFile(stamp, JSON.stringify({ ...source, folders } satisfies BuildStamp))
}

/** Runs a build in a separate process if the sources have changed. For programs that examine the built product. */
export function buildIfStale(): void {
  execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'build.ts', '--if-stale'], {
    stdio: 'inherit',
  })
}
