import { readFileSync } from 'node:fs'
import type { Defence } from './defence.ts'

const files = ['http', 'callers', 'console', 'sessions', 'analysis', 'storage', 'operation']

/** All defences claimed in docs/data/asvs.csv and docs/data/defences.csv. */
export const defences: readonly Defence[] = files.flatMap(
  (name) => JSON.parse(readFileSync(`lab/defences/list/${name}.json`, 'utf8')) as Defence[],
)
