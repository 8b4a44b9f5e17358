import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseCsv, type Row } from '#lab/csv.ts'

/** Two files in a set, and whether they show the same person. `fold` is numbered as in the set's protocol. */
export interface Pair {
  readonly fold: string
  readonly a: string
  readonly b: string
  readonly same: boolean
}

/** A folder with labelled pictures or clips. */
export interface DataSet {
  readonly name: string
  readonly folder: string
  /** The label columns' names. */
  readonly columns: ReadonlySet<string>
  /** Each row has a `file`. A file may have several rows, one per face. */
  readonly rows: readonly Row[]
  /** The folder's other tables, keyed by their name without `.csv`. */
  readonly tables: Readonly<Record<string, readonly Row[]>>
  /** The pairs in pairs.csv, or undefined if this file does not exist. */
  readonly pairs: readonly Pair[] | undefined
}

/** All sets in a folder: its subfolders that contain a labels.csv, or the folder itself if it contains one. */
export function readSets(folder: string): DataSet[] {
  const root = resolve(folder)
  if (!existsSync(root)) throw new Error(`There is no folder ${folder}`)
  const folders = existsSync(join(root, 'labels.csv'))
    ? [root]
    : readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
        .map(({ name }) => join(root, name))
        .filter((path) => existsSync(join(path, 'labels.csv')))
        .sort()
  if (folders.length === 0)
    throw new Error(`${folder} holds no set: neither it nor a folder in it has a labels.csv`)
  return folders.map(readSet)
}

function readSet(folder: string): DataSet {
  const tables: Record<string, readonly Row[]> = {}
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.csv')))
    tables[basename(name, '.csv')] = parseCsv(readFileSync(join(folder, name), 'utf8'))
  const { labels = [], pairs, ...others } = tables
  const rows = labels.filter(({ file }) => file !== undefined && file !== '')
  return {
    name: basename(folder),
    folder,
    columns: new Set(Object.keys(rows[0] ?? {})),
    rows,
    tables: others,
    pairs: pairs?.map(({ fold = '', a = '', b = '', same }) => ({ fold, a, b, same: same === '1' })),
  }
}

/** The path of a row's file. */
export function pathOf(set: DataSet, file: string): string {
  return join(set.folder, file)
}

/** A set's files without duplicates, in the order of the labels. */
export function filesOf(set: DataSet): string[] {
  return [...new Set(set.rows.map(({ file }) => file!))]
}

/** Limits a set to `count` files that are spread evenly over it. Pairs are kept together and come first, so that even a small subset has some. */
export function limited(set: DataSet, count: number | undefined): DataSet {
  const files = filesOf(set)
  if (count === undefined || files.length <= count) return set
  const kept = new Set(pairedFiles(set, count))
  for (const file of spread(
    files.filter((name) => !kept.has(name)),
    count - kept.size,
  ))
    kept.add(file)
  return {
    ...set,
    rows: set.rows.filter(({ file }) => kept.has(file!)),
    pairs: set.pairs?.filter(({ a, b }) => kept.has(a) && kept.has(b)),
  }
}

function pairedFiles({ pairs = [] }: DataSet, count: number): Set<string> {
  const files = new Set<string>()
  for (const { a, b } of spread(pairs, pairs.length === 0 ? 0 : Math.floor(count / 2))) {
    if (files.size + 2 > count) break
    files.add(a).add(b)
  }
  return files
}

/** Picks `count` elements that are spread evenly over a list, or all of them if there are not more. */
export function spread<T>(list: readonly T[], count: number): T[] {
  if (count >= list.length) return [...list]
  return Array.from({ length: Math.max(0, count) }, (_, i) => list[Math.floor((i * list.length) / count)]!)
}
