import * as v from 'valibot'
import { isUnknownName } from '#shared/contract/sections.ts'
import { isWellFormed } from '#shared/identity/identity-text.ts'
import { type Fault, Problem, pointerToken } from '#shared/problem.ts'
import { allowedAt } from './allowed-values.ts'

/** The prefix for pointers to query parameters. */
const queryRoot = '#/query'
const mostFaults = 50
/** Bodies with more values than this are checked only up to the first fault, because collecting every fault is expensive. */
const mostChecked = 2000
/** Longer names are truncated in a pointer, because a name may be as long as the whole body. */
const mostNameLength = 100

/** Checks input against its schema. @throws {Problem} 400 with a pointer to each fault, but never the value */
export function validate<S extends v.GenericSchema>(
  schema: S,
  given: unknown,
  root: string,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, given, { abortEarly: true })
  if (parsed.success) return parsed.output
  const issues = holdsMoreThan(mostChecked, given) ? parsed.issues : v.safeParse(schema, given).issues
  const reported = firstAtEachPlace(issues ?? []).slice(0, mostFaults)
  const errors = reported.map((issue) => faultOf(issue, schema, root))
  const code = reported.some(isUnknownName) ? 'unknown_name' : 'invalid_request'
  throw new Problem(code, 'The request is invalid; see errors.', { errors })
}

function holdsMoreThan(most: number, given: unknown): boolean {
  const left = [given]
  for (let seen = 0; left.length > 0; seen++) {
    if (seen >= most) return true
    const value = left.pop()
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) left.push(inner)
  }
  return false
}

/** Reports only each value's first fault: a string that is not an address is not also reported as having the wrong length. */
function firstAtEachPlace(issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown>[] {
  const seen = new Map<string, v.BaseIssue<unknown>>()
  for (const issue of issues) {
    const place = JSON.stringify(keysOf(issue))
    if (!seen.has(place)) seen.set(place, issue)
  }
  return [...seen.values()]
}

function keysOf({ path }: v.BaseIssue<unknown>): string[] {
  return path?.map(({ key }) => String(key)) ?? []
}

function faultOf(issue: v.BaseIssue<unknown>, schema: v.GenericSchema, root: string): Fault {
  const pointer = [root, ...keysOf(issue).map((name) => pointerToken(shortened(name)))].join('/')
  return { pointer, message: messageOf(issue, schema, root) }
}

/** Cuts only between characters. */
function shortened(name: string): string {
  if (name.length <= mostNameLength) return name
  return `${[...name.slice(0, mostNameLength)].filter(isWellFormed).join('')}…`
}

/** The schema's own message if it has one, because valibot's would repeat the value. */
function messageOf(issue: v.BaseIssue<unknown>, schema: v.GenericSchema, root: string): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message
  if (issue.received === 'undefined') return 'Is required.'
  if (issue.received === 'Array' && root === queryRoot) return 'Must be given once.'
  const allowed = allowedAt(schema, keysOf(issue))
  return allowed === undefined ? 'Is not valid.' : `Must be ${allowed}.`
}
