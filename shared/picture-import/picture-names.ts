import { externalIdMaximum } from '../contract/identity.ts'
import { canonicalIdentity, codePointsOf } from '../identity/identity-text.ts'
import { newNameFault } from '../identity/new-name.ts'
import { readCsv } from './csv.ts'

/** The source of external ids: none, the file name, the folder name, or a table. */
export type Naming = 'none' | 'file-name' | 'folder' | ReadonlyMap<string, string>

/** A picture's external id, or the reason why it has none. */
export type PictureName =
  | { readonly externalId: string | null }
  | { readonly reason: 'badExternalId' | 'notListed'; readonly detail: string }

/** Derives the external id from the path within the folder, which uses slashes. */
export function nameOf(file: string, naming: Naming): PictureName {
  if (naming === 'none') return { externalId: null }
  if (typeof naming !== 'string') {
    const listed = naming.get(file)
    return listed === undefined
      ? { reason: 'notListed', detail: 'The table does not name this file.' }
      : checked(listed)
  }
  const parts = file.split('/')
  const name = parts.at(-1)!
  if (naming === 'file-name') return checked(name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name)
  return parts.length === 1 ? { externalId: null } : checked(parts.at(-2)!)
}

function checked(given: string): PictureName {
  const externalId = canonicalIdentity(given)
  const isFit = newNameFault(externalId) === undefined && codePointsOf(externalId) <= externalIdMaximum
  return isFit
    ? { externalId }
    : {
        reason: 'badExternalId',
        detail:
          'An external id has 1 to 512 characters, all of them visible, without white space at either end.',
      }
}

/** External ids by file, and the table's invalid rows. */
export interface NameTable {
  readonly names: ReadonlyMap<string, string>
  readonly faults: readonly { readonly file: string; readonly detail: string }[]
}

/**
 * Reads a table of external ids, i.e. a CSV with the columns `file` and `externalId`.
 * @throws {RangeError} if the header names other columns
 */
export function readNameTable(text: string): NameTable {
  const [head = [], ...rows] = readCsv(text.replace(/^\uFEFF/, ''), true).rows
  const [file, externalId] = [head.indexOf('file'), head.indexOf('externalId')]
  if (file < 0 || externalId < 0)
    throw new RangeError('The first line of the table must name the columns file and externalId.')
  const names = new Map<string, string>()
  const faults: { file: string; detail: string }[] = []
  for (const row of rows) {
    const [path, name] = [row[file] ?? '', row[externalId]]
    if (row.length !== head.length || path === '' || name === undefined)
      faults.push({ file: path, detail: 'A row of the table is incomplete.' })
    else if (names.has(path)) faults.push({ file: path, detail: 'The table names this file twice.' })
    else names.set(path, name)
  }
  return { names, faults }
}
