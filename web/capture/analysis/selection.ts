/** An encoded camera picture. */
export interface Picture {
  readonly bytes: Uint8Array
  /** Milliseconds since the camera started. */
  readonly time: number
}

/** An encoded picture that may be submitted, with its scores. */
export interface Candidate extends Picture {
  /** How strongly the requested action is performed; 0 during a hold. */
  readonly strength: number
  /** How good it is as a frontal picture; higher is better. */
  readonly merit: number
  /** True if it shows a movement that was not requested. The server must see these. */
  readonly stray: boolean
  /** True if it shows a wrong turn that the person may still correct. */
  readonly isWrongTurn?: boolean
  /** True if it was already sent while the step was in progress. */
  readonly isSent?: boolean
}

/**
 * [Note: Frame budget] A session accepts 24 frames. Three for the first hold, four or five for each step (including one
 * repeat), and three to five for the final hold stay within this limit.
 */
export const frameLimits = {
  inAll: 24,
  frontal: 3,
  step: 4,
  sized: 2,
  strays: 2,
  reserve: 4,
  snapshot: 3,
} as const

/**
 * Selects from the pictures that a stage still has to submit. [Note: Times do not go back] The server judges pictures in the order in which
 * they arrive, so a picture taken before one that was already sent can no longer be submitted.
 */
export function unsent(
  candidates: readonly Candidate[],
  choose: (left: readonly Candidate[], sent: number) => Picture[],
): Picture[] {
  const sent = candidates.filter(({ isSent }) => isSent === true)
  const last = Math.max(Number.NEGATIVE_INFINITY, ...sent.map(({ time }) => time))
  return choose(
    candidates.filter(({ time }) => time > last),
    sent.length,
  )
}

/** The best frontal pictures, spread over time where possible, in the order in which they were taken. */
export function selectFrontal(
  candidates: readonly Candidate[],
  count: number = frameLimits.frontal,
): Picture[] {
  const ranked = candidates.filter((c) => !c.stray).sort((a, b) => b.merit - a.merit)
  const chosen: Candidate[] = []
  for (const gap of [300, 0]) {
    for (const candidate of ranked) {
      if (chosen.length >= count) break
      if (chosen.includes(candidate)) continue
      if (chosen.every((other) => Math.abs(other.time - candidate.time) >= gap)) chosen.push(candidate)
    }
  }
  return inOrder(chosen)
}

/** At twice the required strength, an action has shown everything the server needs. */
const plenty = 2

/**
 * Selects a step's pictures: one looking straight ahead, one halfway, the two strongest, and any that show other movements.
 *
 * [Note: A step begins straight] People do not move at once when an action is shown. Of all straight pictures, the last one before the movement is
 * closest to its peak in time and light, and the server compares the light of both. If it was
 * missed, the first straight picture on the way back is used.
 *
 * [Note: No further than plenty] A face turned to profile is hard to recognise. Of the pictures with at least twice the required strength, the one with the
 * best quality is used.
 */
export function selectStep(candidates: readonly Candidate[], room: number): Picture[] {
  const asked = candidates.filter((c) => !c.stray)
  const reach = (c: Candidate) => Math.min(plenty, c.strength)
  const peaks = [...asked].sort((a, b) => reach(b) - reach(a) || b.merit - a.merit).slice(0, 2)
  const rest = asked.filter((c) => !peaks.includes(c))
  const early = lastAtRest(rest, peaks)
  const midway = closestTo(
    rest.filter((c) => c !== early),
    (peaks[0]?.strength ?? 0) / 2,
  )
  const strays = strongestStrays(candidates, frameLimits.strays)
  const wanted = [...peaks, early, ...strays.slice(0, 1), midway, ...strays.slice(1)]
  return inOrder(wanted.filter((c) => c !== undefined).slice(0, Math.max(1, room)))
}

/** Does the same for a step whose straight and turned pictures were already sent: the strongest one, plus any other movements. */
export function selectPeak(candidates: readonly Candidate[], room: number): Picture[] {
  const reach = (c: Candidate) => Math.min(plenty, c.strength)
  const [peak] = candidates.filter((c) => !c.stray).sort((a, b) => reach(b) - reach(a) || b.merit - a.merit)
  const strays = strongestStrays(candidates, frameLimits.strays)
  return inOrder([peak, ...strays].filter((c) => c !== undefined).slice(0, room))
}

/**
 * Selects the pictures for a requested size: the last ones at that size, of which the final one counts, plus one from the start and one
 * from halfway, so that the server can see the surroundings change gradually.
 */
export function selectSized(candidates: readonly Candidate[], room: number): Picture[] {
  const [first, ...later] = inTime(candidates)
  const reached = later.filter((c) => c.strength >= 1)
  const last = (reached.length > 0 ? reached : later).slice(-frameLimits.sized).reverse()
  const before = later.filter((c) => c.time < (last.at(-1)?.time ?? 0))
  const wanted = [...last, first, before[before.length >> 1]]
  return inOrder(wanted.filter((c) => c !== undefined).slice(0, Math.max(1, room)))
}

/** Selects the pictures for the final hold: the best frontal ones, plus every movement that was not requested. */
export function selectClosing(candidates: readonly Candidate[], room: number): Picture[] {
  const strays = strongestStrays(candidates, Math.min(frameLimits.strays, room - 1))
  const frontal = selectFrontal(candidates, Math.min(frameLimits.frontal, room - strays.length))
  return inOrder([...frontal, ...strays])
}

/** How many frames the next step may submit while leaving enough for the final hold. */
export function roomForStep(framesSent: number): number {
  return Math.min(frameLimits.step + 1, frameLimits.inAll - framesSent - frameLimits.reserve)
}

/** How many frames the final submission may contain. */
export function roomForClosing(framesSent: number): number {
  return Math.max(1, Math.min(frameLimits.frontal + frameLimits.strays, frameLimits.inAll - framesSent))
}

function strongestStrays(candidates: readonly Candidate[], count: number): Candidate[] {
  const strays = candidates.filter((c) => c.stray).sort((a, b) => b.strength - a.strength)
  return strays.slice(0, Math.max(0, count))
}

/** A picture counts as straight if it shows less than this fraction of an action. */
export const straightShare = 0.2

function lastAtRest(rest: readonly Candidate[], peaks: readonly Candidate[]): Candidate | undefined {
  const firstPeak = Math.min(...peaks.map((c) => c.time))
  const before = rest.filter((c) => c.time < firstPeak)
  const isStraight = (c: Candidate) => c.strength < straightShare
  return before.findLast(isStraight) ?? rest.find(isStraight) ?? straightest(before) ?? rest[0]
}

function straightest(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort((a, b) => a.strength - b.strength)[0]
}

function closestTo(candidates: readonly Candidate[], strength: number): Candidate | undefined {
  const distance = (c: Candidate) => Math.abs(c.strength - strength)
  return [...candidates].sort((a, b) => distance(a) - distance(b))[0]
}

function inOrder(pictures: readonly Picture[]): Picture[] {
  return inTime(pictures).map(({ bytes, time }) => ({ bytes, time }))
}

function inTime<T extends Picture>(pictures: readonly T[]): T[] {
  return [...pictures].sort((a, b) => a.time - b.time)
}
