import * as v from 'valibot'
import type { Environment } from '#shared/contract/environment.ts'
import { type TestOutcome, testOutcome } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { decodedNames } from './query-signature.ts'

/** The parameters with which a test account's link requests an outcome. */
const names = { result: 'reTestOutcome', age: 'reTestAge', faceId: 'reTestFaceId' } as const

/**
 * Refuses to sign a link that requests an outcome with a live key, or an unknown outcome.
 * @throws {Problem} 400
 */
export function refuseTestNames(query: string, environment: Environment, given = decodedNames(query)): void {
  if (!given.some((name) => name.startsWith('reTest'))) return
  if (environment === 'live') throw refused('Only a test key signs a link that asks for an outcome.')
  outcomeInQuery(query)
}

/** The outcome that a test account's signed link requests; null if the page may choose. @throws {Problem} 400 */
export function outcomeInQuery(query: string): TestOutcome | null {
  const all = new URLSearchParams(`?${query}`)
  const given = [all.getAll(names.result), all.getAll(names.age), all.getAll(names.faceId)]
  if (given.some((values) => values.length > 1)) throw refused('Must not carry a reserved parameter twice.')
  const [[result], [age], [faceId]] = given as [string[], string[], string[]]
  if (result === undefined && age === undefined && faceId === undefined) return null
  const asked = {
    result: result ?? 'passed',
    ...(age !== undefined && { age: /^\d{1,3}(\.\d{1,6})?$/.test(age) ? Number(age) : Number.NaN }),
    ...(faceId !== undefined && { faceId }),
  }
  const parsed = v.safeParse(testOutcome, asked)
  if (parsed.success) return parsed.output
  const at = String(parsed.issues[0].path?.[0]?.key) as keyof typeof names
  throw refused(`${names[at]} is not a value that a test can request.`)
}

function refused(message: string): Problem {
  return Problem.at('#/queryString', message)
}
