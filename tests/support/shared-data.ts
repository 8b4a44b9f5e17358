import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'

const folder = resolve(import.meta.dirname, '../../../shared/data')

/** True if the evaluation pictures are next to the project. */
export const hasSharedData = existsSync(folder)

/** Suffix for the name of a test that needs them. */
export const needsSharedData = hasSharedData ? '' : ' (needs ../shared/data, which is absent)'

export function readShared(...path: readonly string[]): Buffer {
  return readFileSync(join(folder, ...path))
}

const cases = resolve(import.meta.dirname, '../../../shared/cases')

/** True if the small inputs from the field are available. */
export const hasCases = existsSync(cases)

export function readCase(...path: readonly string[]): Buffer {
  return readFileSync(join(cases, ...path))
}

/** The rows of a table there, keyed by column name. */
export function readTable(...path: readonly string[]): Readonly<Record<string, string>>[] {
  return parse(readShared(...path), { columns: true })
}

/** `count` elements of a list, spread evenly over it. */
export function spreadOver<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]!)
}
