import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * True if no source has changed since the build, judged by size and modification time only, because reading every source would delay
 * each start by seconds. False if in doubt; then `build.ts --if-stale` compares the content. Plain JavaScript, like `start.mjs`.
 * @param {string} stamp the file written by the build: see built.ts
 */
export function isFresh(stamp) {
  try {
    const { folders, files } = JSON.parse(readFileSync(stamp, 'utf8'))
    const known = Object.entries(files)
    const inFolders = known.filter(([path]) => folders.some((folder) => path.startsWith(folder + sep)))
    if (folders.reduce((sum, folder) => sum + countFiles(folder), 0) !== inFolders.length) return false
    return known.every(([path, [bytes, modified]]) => {
      const { size, mtimeMs } = statSync(path)
      return size === bytes && mtimeMs === modified
    })
  } catch {
    return false // no build, an older stamp, or a deleted source
  }
}

/** Added sources are not in the stamp, so the number of files is compared. */
function countFiles(folder) {
  let count = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) count += countFiles(join(folder, entry.name))
    else if (entry.isFile()) count++
  }
  return count
}
