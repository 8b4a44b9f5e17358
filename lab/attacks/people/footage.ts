import { type Rest, restOf } from '../../../models/rules/challenge/rest.ts'
import { isStraight } from '../../../models/rules/fair-frame.ts'
import { median } from '../../../models/rules/median.ts'
import type { Action } from '../../../shared/contract/sessions/session.ts'
import type { Look } from './looks.ts'

/** A single picture of a person. */
export interface Shot {
  read(): Promise<Buffer>
  /** The source clip. Pictures are only consecutive within the same clip. */
  readonly clip: string
  readonly look: Look | undefined
  /** The action assigned by the segments table, or `frontal` for a straight look. */
  readonly labelled?: string
}

/** All pictures of a person in chronological order. */
export interface Footage {
  readonly name: string
  /** Notes on the person and the place, taken from the labels table. */
  readonly about?: string
  readonly shots: readonly Shot[]
}

/** How much each measure changes in a complete movement (strength 1), as in the product. In degrees or shares. */
const whole = { turn: 15, up: 14, happy: 0.6, shut: 0.4, closer: 0.25 } as const

/** The minimum strength at which a forger relies on an action. */
export const shownFrom = 1.1

/** How strongly a look shows an action. At 1 and above, it is likely to count. */
export function strengthOf(look: Look, rest: Rest & { eyeOpenness: number }, action: Action): number {
  const turn = (look.yaw - rest.yaw) / whole.turn
  switch (action) {
    case 'turnLeft':
      return turn
    case 'turnRight':
      return -turn
    case 'lookUp':
      return (look.pitch - rest.pitch) / whole.up
    case 'smile':
      return (look.happy - rest.happy) / whole.happy
    case 'blink':
      return (1 - look.eyeOpenness / rest.eyeOpenness) / whole.shut
    case 'comeCloser':
      return (look.size / rest.size - 1) / whole.closer
  }
}

/** The range around the straight pose, in degrees, that counts as a straight look. */
const straightWithin = 5

/** A person's straight looks: the longest run of almost motionless pictures, and the face in them. */
export interface AtRest {
  readonly rest: Rest & { readonly eyeOpenness: number }
  readonly straight: readonly number[]
}

/** Undefined if the person never looks at the camera. */
export function restIn({ shots }: Footage): AtRest | undefined {
  const straight = [...shots.entries()].filter(([, { look }]) => look !== undefined && isStraight(look))
  const labelled = straight.filter(([, shot]) => shot.labelled === 'frontal')
  const unlabelled = straight.filter(([, shot]) => shot.labelled === undefined)
  const candidates = [labelled, unlabelled, straight].find(({ length }) => length >= 4) ?? straight
  const looks = candidates.map(([, { look }]) => look!)
  const yaw = median(looks.map((look) => look.yaw))
  const pitch = median(looks.map((look) => look.pitch))
  if (yaw === undefined || pitch === undefined) return undefined
  const calm = candidates.filter(
    ([, { look }]) =>
      Math.abs(look!.yaw - yaw) <= straightWithin && Math.abs(look!.pitch - pitch) <= straightWithin,
  )
  const run = longestRun(calm.map(([index]) => index))
  if (run.length === 0) return undefined
  const own = run.map((index) => shots[index]!.look!)
  return {
    rest: { ...restOf(own), eyeOpenness: median(own.map((look) => look.eyeOpenness))! },
    straight: run,
  }
}

/** The longest run of indices without gaps of more than one. */
function longestRun(indices: readonly number[]): number[] {
  let best: number[] = []
  let run: number[] = []
  for (const index of indices) {
    run = run.length > 0 && index - run.at(-1)! <= 2 ? [...run, index] : [index]
    if (run.length > best.length) best = run
  }
  return best
}

/** The point at which an action is at its strongest. */
export interface Peak {
  readonly index: number
  readonly strength: number
}

/** The picture that shows an action most strongly. Pictures that the segments table assigns to the action take precedence. */
export function peakOf(footage: Footage, { rest }: AtRest, action: Action): Peak | undefined {
  const seen = [...footage.shots.entries()].filter(([, { look }]) => look !== undefined)
  const labelled = seen.filter(([, shot]) => shot.labelled === action)
  const candidates = labelled.length > 0 ? labelled : seen
  let best: Peak | undefined
  for (const [index, { look }] of candidates) {
    const strength = Math.min(2.2, strengthOf(look!, rest, action))
    if (best === undefined || strength > best.strength) best = { index, strength }
  }
  return best
}
