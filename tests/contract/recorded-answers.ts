import { readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Answer } from './ask.ts'

const path = 'server/platform/http/description/answers.json'
const isWanted = process.env.RECORD_ANSWERS === '1'
const answers: Record<string, unknown> = isWanted ? JSON.parse(readFileSync(path, 'utf8')) : {}

/** Records a successful answer for the API document if `RECORD_ANSWERS=1` is set. */
export function recordAnswer({ method, path: at, plainText, result }: Endpoint, { text }: Answer): void {
  if (!isWanted || plainText === true) return
  const given = JSON.parse(text)
  const short = lasting(given, mostShown)
  answers[`${method} ${at}`] = v.is(result, short) ? short : lasting(given, Number.POSITIVE_INFINITY)
}

/** Writes the recorded answers, ordered by path. */
export function writeAnswers(): void {
  if (!isWanted) return
  const sorted = Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

/** Values that differ from run to run, and what replaces them in the document. The first match wins. */
const drawn: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, () => '2026-11-24T09:30:00.000Z'],
  [/^[\w-]+\.[\w-]+\.[\w-]{20,}$/, () => 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl'],
  [
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    () => '2c1b0a52-2f0c-4a5e-9d59-0c1a3b7e8f10',
  ],
  [/^http:\/\/127\.0\.0\.1:\d+/, () => 'https://verify.example'],
  [/[\w-]{20,}/g, (found) => (/\d/.test(found) ? filler(found.length) : found)],
]

function filler(length: number): string {
  return 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ'.repeat(8).slice(0, length)
}

/** How many list elements the document shows, if fewer elements are allowed. */
const mostShown = 2

function lasting(value: unknown, most: number): unknown {
  if (typeof value === 'string') {
    const [pattern, stand] = drawn.find(([one]) => new RegExp(one.source).test(value)) ?? [/^$/, String]
    return value.replace(pattern, stand)
  }
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toFixed(4))
  if (Array.isArray(value)) {
    const shown = typeof value[0] === 'object' ? value.slice(0, most) : value
    return shown.map((one) => lasting(one, most))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lasting(inner, most)]))
}
