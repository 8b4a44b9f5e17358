import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The files in a folder and its subfolders, as relative paths with slashes, in a stable order. Skips hidden files and tables
 * (`.csv`, including partial reports), and does not follow links.
 */
export async function* picturesIn(folder: string, within = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, within), { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.isDirectory()) yield* picturesIn(folder, path)
    else if (entry.isFile() && !/\.csv(\.part|\.whole)?$/i.test(entry.name)) yield path
  }
}
