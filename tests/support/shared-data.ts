import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'

const folder = resolve(import.meta.dirname, '../../../shared/data')

/** True if the evaluation pictures are in the folder next to the project. */
export const hasSharedData = existsSync(folder)

/** A suffix for the names of tests that need them. */
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

/** The rows of one of its tables, keyed by column name. */
export function readTable(...path: readonly string[]): Readonly<Record<string, string>>[] {
  return parse(readShared(...path), { columns: true })
}

/** Picks `count` elements that are spread evenly over a list. */
export function spreadOver<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]!)
}
