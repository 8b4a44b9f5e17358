import { groupBy } from '#lab/statistics/bootstrap.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import type { Limits } from '../../../models/rules/signals.ts'

/** The network's share for a flag's emotion when the face is clearly visible, and whether the label agrees. */
export interface Share {
  readonly set: string
  readonly value: number
  readonly shown: boolean
}

/** Slightly above the promised accuracy, which is 90 of 100 for true and 95 of 100 for false. */
const wanted = { yes: 0.93, no: 0.96 } as const
const levels = {
  yes: [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98],
  no: [0.3, 0.2, 0.1, 0.05, 0.02],
} as const
/** With fewer answers, a set only counts against a level if its entire interval is below the desired accuracy. */
const enough = 100

type Answer = keyof typeof wanted

/**
 * The lowest levels at which answers are accurate enough, both over all sets and in each individual set, and stay so at all higher levels. Null if
 * there are none. Faces in the wild are decisive, because those are what callers send.
 */
export function thresholdsOf(shares: readonly Share[]): Limits {
  return { yes: easiest(shares, 'yes'), no: easiest(shares, 'no') }
}

function easiest(shares: readonly Share[], answer: Answer): number | null {
  const fails = levels[answer].map((level) => !holds(shares, answer, level)).lastIndexOf(true)
  return levels[answer][fails + 1] ?? null
}

function holds(shares: readonly Share[], answer: Answer, level: number): boolean {
  const given = shares.filter(({ value }) => (answer === 'yes' ? value >= level : value <= level))
  const bySet = [...groupBy(given, ({ set }) => set).values()]
  return (
    given.length > 0 &&
    rightOf(given, answer) / given.length >= wanted[answer] &&
    bySet.every((ofSet) => {
      const right = rightOf(ofSet, answer)
      const best = ofSet.length >= enough ? right / ofSet.length : wilson(right, ofSet.length).high
      return best >= wanted[answer]
    })
  )
}

function rightOf(given: readonly Share[], answer: Answer): number {
  return given.filter(({ shown }) => shown === (answer === 'yes')).length
}
