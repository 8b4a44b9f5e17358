import { dirname } from 'node:path'
import type { SourceFile } from './source-file.ts'

/**
 * Folders whose subfolders have an order, from top to bottom. A file imports only what is below it: the files directly in the
 * folder come first, then each subfolder. A subfolder that is not listed belongs to the nearest one that is.
 */
export const folderOrders: Readonly<Record<string, readonly string[]>> = {
  'server/features/sessions': [
    'endpoints',
    'judging',
    'steps',
    'persons',
    'opening',
    'handoff',
    'passkeys',
    'reviewing',
    'listing',
    'testing',
    'results',
    'early-pictures',
    'evidence',
    'pictures',
    'usage',
    'access',
    'records',
  ],
  'server/features/recognition': [
    'endpoints',
    'import',
    'transfer',
    'erasure',
    'model-change',
    'collections',
    'index/postgres',
    'index/threads',
    'index/memory',
    'index',
    'store',
  ],
}

type Importing = Pick<SourceFile, 'path' | 'imports'>
type Orders = typeof folderOrders

/** Imports that run back up in an ordered folder, and files in none of its listed subfolders, as `path: what`. */
export function upwardImports(files: readonly Importing[], orders: Orders = folderOrders): string[] {
  return Object.entries(orders).flatMap(([folder, order]) =>
    files
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap((file) => {
        const own = rankOf(file.path, folder, order)
        if (own === undefined) return [`${file.path}: stands in no listed folder`]
        return importedFiles(file)
          .filter((target) => target.startsWith(`${folder}/`) && isAbove(rankOf(target, folder, order), own))
          .map((target) => `${file.path}: ${target}`)
      }),
  )
}

function isAbove(rank: number | undefined, own: number): boolean {
  return rank !== undefined && rank < own
}

/** The place of a file from the top; undefined if its subfolder is not listed. */
function rankOf(path: string, folder: string, order: readonly string[]): number | undefined {
  for (let at = dirname(path); at !== folder; at = dirname(at)) {
    const rank = order.indexOf(at.slice(folder.length + 1))
    if (rank >= 0) return rank + 1
  }
  return dirname(path) === folder ? 0 : undefined
}

/** Folders that import each other, types included, as `one <-> other`. */
export function mutualFolders(files: readonly Importing[]): string[] {
  const arrows = new Set<string>()
  for (const file of files)
    for (const target of importedFiles(file)) arrows.add(`${dirname(file.path)} ${dirname(target)}`)
  return [...arrows].flatMap((arrow) => {
    const [from, to] = arrow.split(' ') as [string, string]
    return from < to && arrows.has(`${to} ${from}`) ? [`${from} <-> ${to}`] : []
  })
}

function importedFiles({ imports }: Importing): string[] {
  return imports.filter(({ isPackage, isAddress }) => !isPackage && !isAddress).map(({ target }) => target)
}
