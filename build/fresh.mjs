import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * Whether no source has changed since the build, judged by sizes and modification times alone: a start must not spend seconds on
 * reading every source. False if in doubt; then `build.ts --if-stale` compares the content. Plain JavaScript, like `start.mjs`.
 * @param {string} stamp the file that the build left: see built.ts
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
    return false // no build, an older stamp, or a source that is gone
  }
}

/** A source that was added is in no stamp: the number of files tells. */
function countFiles(folder) {
  let count = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) count += countFiles(join(folder, entry.name))
    else if (entry.isFile()) count++
  }
  return count
}
