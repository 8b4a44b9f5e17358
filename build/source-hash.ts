import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Every file below these folders is a source. */
export const folders = ['build', 'models', 'server', 'shared', 'web', 'workers']
const files = ['build.ts', 'package-lock.json', 'package.json', 'vite.config.ts']

/** Hash over all sources of the build. */
export async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const path of await sourcesOfBuild()) {
    const content = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    hash.update(`${path} ${content}\n`)
  }
  return hash.digest('hex')
}

/** Sources of the build. Tests and benches are not part of it, so changing them does not require a rebuild. */
export async function sourcesOfBuild(): Promise<string[]> {
  const listed = await Promise.all(folders.map(filesOf))
  return [...listed.flat(), ...files].sort()
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
