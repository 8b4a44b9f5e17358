import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Every file below them is a source. */
export const folders = ['build', 'models', 'server', 'shared', 'web', 'workers']
const files = ['build.ts', 'package-lock.json', 'package.json', 'vite.config.ts']

/** One hash over everything that the build is made from. */
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

/** What the build is made from. What only measures and tests is not: a change to it leaves the build as it stands. */
export async function sourcesOfBuild(): Promise<string[]> {
  const listed = await Promise.all(folders.map(filesOf))
  return [...listed.flat(), ...files].sort()
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
