import { circlesIn } from './circles.ts'
import type { SourceFile } from './source-file.ts'

/**
 * Rooms of one folder, which are its files and subfolders, whose imports lead from one to the other and back, as `folder: room, room`. Type
 * imports count. Without such rooms, no two folders import each other and no import runs back up.
 */
export function roomCircles(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const folders = new Map<string, Map<string, Set<string>>>()
  for (const { path, imports } of files) {
    for (const { target, isPackage, isAddress } of imports) {
      if (isPackage || isAddress || !paths.has(target) || target === path) continue
      const { folder, from, to } = roomsOf(path, target)
      const rooms = folders.get(folder) ?? new Map<string, Set<string>>()
      folders.set(folder, rooms)
      rooms.set(from, (rooms.get(from) ?? new Set()).add(to))
    }
  }
  return [...folders].flatMap(([folder, rooms]) =>
    circlesIn(asFiles(rooms)).map((circle) => `${folder}: ${circle.toSorted().join(', ')}`),
  )
}

/** The innermost folder that holds both files, and the room of each in it. */
function roomsOf(path: string, target: string): { folder: string; from: string; to: string } {
  const from = path.split('/')
  const to = target.split('/')
  const parting = from.findIndex((name, i) => name !== to[i])
  return { folder: from.slice(0, parting).join('/'), from: from[parting]!, to: to[parting]! }
}

function asFiles(rooms: ReadonlyMap<string, ReadonlySet<string>>): Pick<SourceFile, 'path' | 'imports'>[] {
  return [...rooms].map(([path, targets]) => ({
    path,
    imports: [...targets].map((target) => ({ target, isPackage: false, isType: false, isAddress: false })),
  }))
}
