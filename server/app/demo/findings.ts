import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import { en } from './wording/en.ts'
import { memberMeanings, type verifierMeanings } from './wording/meanings.ts'

/** A returned value with its name and its meaning. */
export interface Finding {
  readonly name: string
  readonly value: string
  readonly meaning: string
}

type Name = keyof typeof memberMeanings
const rounded: readonly Name[] = ['estimatedAge', 'referenceSimilarity']

/** Every member of a session result in plain language. Absent members are not shown. */
export function findingsOf(result: SessionResult): Finding[] {
  return (Object.keys(memberMeanings) as Name[]).flatMap((name) => {
    const value = valueShown(name, result[name])
    return value === undefined ? [] : [{ name, value, meaning: meaningOf(name, result) }]
  })
}

function valueShown(name: Name, value: SessionResult[Name] | null): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value))
    return value.join(', ') || (name === 'verificationFailedReasons' ? 'none' : undefined)
  if (typeof value === 'object') return pairs(value)
  return typeof value === 'number' && rounded.includes(name) ? value.toFixed(1) : value.toString()
}

function pairs(record: object): string {
  return Object.entries(record)
    .map((pair) => pair.join(': '))
    .join(', ')
}

function meaningOf(name: Name, result: SessionResult): string {
  const meaning = memberMeanings[name]
  if (typeof meaning === 'object') return meaning[result[name] as keyof typeof verifierMeanings]
  const ofReasons =
    name === 'verificationFailedReasons' ? result[name].map((reason) => en.reasons[reason]) : []
  return ofReasons.join(' ') || meaning
}
