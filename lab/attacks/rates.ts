import { clusterBootstrap } from '#lab/statistics/bootstrap.ts'
import { wilson } from '#lab/statistics/wilson.ts'

/** One entry per session of a person, in order. True if it passed. */
export type Sessions = readonly boolean[]

/** A link is closed after this many failed sessions. This is the default for `ATTEMPT_LIMITS`. */
export const attemptLimit = 5

/** A share of sessions with a 95 % interval over people, because the sessions of one person are not independent. */
export interface Rate {
  readonly value: number
  /** The number of sessions. */
  readonly n: number
  readonly people: number
  readonly low: number
  readonly high: number
}

/** The share of sessions that passed. */
export function passRate(people: readonly Sessions[]): Rate | undefined {
  const sessions = people.flat()
  if (sessions.length === 0) return undefined
  const value = shareOf(sessions)
  return { value, n: sessions.length, people: people.length, ...intervalOf(people, value) }
}

/** The share of visits that were rejected. */
export function refusalRate(people: readonly Sessions[]): Rate | undefined {
  return passRate(people.map((visits) => visits.map((passed) => !passed)))
}

/** Resamples whole people. If all or none of the sessions passed, the bootstrap interval has no width, so Wilson's interval is used instead. */
function intervalOf(people: readonly Sessions[], value: number): { low: number; high: number } {
  const isEven = value === 0 || value === 1
  const drawn = isEven ? undefined : clusterBootstrap(people, shareOf)
  return drawn ?? wilson(value * people.length, people.length)
}

function shareOf(sessions: Sessions): number {
  return sessions.filter(Boolean).length / sessions.length
}

/** The share of people with a session that passed before their link was closed. */
export function withinLimits(people: readonly Sessions[]): Rate | undefined {
  if (people.length === 0) return undefined
  const hits = people.filter((sessions) => sessions.slice(0, attemptLimit).some(Boolean)).length
  return {
    value: hits / people.length,
    n: people.length,
    people: people.length,
    ...wilson(hits, people.length),
  }
}
