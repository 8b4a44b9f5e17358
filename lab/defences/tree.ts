import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Change } from './defence.ts'

/** A copy of the sources in a temporary folder, so that defences can be removed without touching the originals. */
export interface Tree {
  readonly folder: string
  /** Applies the changes, waits for `act`, and restores the files. @throws if a text does not occur exactly once */
  changed<T>(changes: readonly Change[], act: () => Promise<T>): Promise<T>
  remove(): void
}

/** Folders that are not copied, so that programs in the copy run from its sources and not from a build. */
const left = new Set(['node_modules', '.git', 'dist', 'data', '.cache', 'test-results', 'screens'])

/** Copies the working folder's sources and links to its packages. */
export function copyTree(): Tree {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-defences-'))
  for (const name of readdirSync('.').filter((name) => !left.has(name))) {
    cpSync(name, join(folder, name), { recursive: true, filter: (from) => !from.endsWith('/node_modules') })
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    changed: async (changes, act) => {
      const originals = new Map(changes.map(([file]) => [file, readFileSync(join(folder, file))]))
      try {
        for (const change of changes) replace(folder, change)
        return await act()
      } finally {
        for (const [file, bytes] of originals) writeFileSync(join(folder, file), bytes)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  }
}

function replace(folder: string, [file, text, replacement]: Change): void {
  const path = join(folder, file)
  const parts = readFileSync(path, 'utf8').split(text)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${text}`)
  writeFileSync(path, parts.join(replacement))
}
