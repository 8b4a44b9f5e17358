import { clusterBootstrap } from '#lab/evaluate/statistics/bootstrap.ts'
import { wilson } from '#lab/evaluate/statistics/wilson.ts'

/** One entry for each of a person's sessions, in order; true if it passed. */
export type Sessions = readonly boolean[]

/** A link is closed after this number of failed sessions: the default of `ATTEMPT_LIMITS`. */
export const attemptLimit = 5

/** A share of sessions with a 95 % interval over people, because sessions of the same person are not independent. */
export interface Rate {
  readonly value: number
  /** Sessions. */
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

/** The share of visits that were refused. */
export function refusalRate(people: readonly Sessions[]): Rate | undefined {
  return passRate(people.map((visits) => visits.map((passed) => !passed)))
}

/** Resamples whole people. If all or none of the sessions passed, the bootstrap has no width and Wilson's interval is used. */
function intervalOf(people: readonly Sessions[], value: number): { low: number; high: number } {
  const isEven = value === 0 || value === 1
  const drawn = isEven ? undefined : clusterBootstrap(people, shareOf)
  return drawn ?? wilson(value * people.length, people.length)
}

function shareOf(sessions: Sessions): number {
  return sessions.filter(Boolean).length / sessions.length
}

/** The share of people for whom one session passed before their link was closed. */
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
