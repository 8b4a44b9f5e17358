import type { Analysis } from '#models/rules/analysis.ts'
import { isStraight } from '#models/rules/fair-frame.ts'
import type { TurnedPair } from '#models/rules/observation.ts'
import { turnedBetween } from './comparable.ts'
import { lightChange } from './light-change.ts'
import { rimChange } from './rim-change.ts'
import type { Sight } from './surface.ts'

/** A picture's face for the comparison, or undefined if its surface was not computed. */
export function sightOf({ face }: Analysis): Sight | undefined {
  if (face?.surface === undefined) return undefined
  return { surface: face.surface, landmarks: face.landmarks, pose: face.pose }
}

/** The most informative turn, in degrees. */
const bestTurn = 22
/** More pairs from the same request add little information and take about 10 ms each. */
const mostPairs = 2
const leastPlaces = 120
/** The minimum contrast in grey levels, and the minimum number of pixels out of about 2,000. */
const leastRimContrast = 12
const leastRimPixels = 500

/**
 * Compares a request's straightest face with the turned ones. Returns one result per face, in order, which is undefined for faces that were not
 * compared.
 *
 * [Note: Turned too far] If the head is only seen straight and turned very far, as with a quick person and a slow camera, there is no informative
 * pair.
 */
export function turnedPairs(sights: readonly (Sight | undefined)[]): (TurnedPair | undefined)[] {
  const answers = sights.map((): TurnedPair | undefined => undefined)
  const found = straightest(sights)
  if (found === undefined) return answers
  const { straight } = found
  const turned = found.turned.sort((a, b) => Math.abs(a.degrees - bestTurn) - Math.abs(b.degrees - bestTurn))
  const comparable = turned.filter(({ degrees }) => degrees <= turnedBetween.most)
  for (const { index, sight, degrees } of comparable.slice(0, mostPairs))
    answers[index] = compare(straight, sight!, degrees)
  const [least] = turned
  if (comparable.length === 0 && least !== undefined)
    answers[least.index] = { degrees: least.degrees, light: null, rim: null }
  return answers
}

function compare(a: Sight, b: Sight, degrees: number): TurnedPair {
  const light = lightChange(a.surface, b.surface)
  const rim = rimChange(a, b)
  const tells = rim.contrast >= leastRimContrast && rim.pixels >= leastRimPixels
  return {
    degrees,
    light: light.places >= leastPlaces ? light.deviation : null,
    rim: tells ? rim.rest : null,
  }
}

/**
 * The straightest face, and the faces turned from it. [Note: A camera from below] If a person is filmed from below or above, the head may be closest
 * to the camera's axis in the middle of a turn. If no face is turned from the straightest one, the next face that looks straight ahead is used.
 */
function straightest(sights: readonly (Sight | undefined)[]) {
  const away = ({ pose }: Sight) => Math.hypot(pose.yaw, pose.pitch)
  const [first, ...others] = sights.filter((sight) => sight !== undefined).sort((a, b) => away(a) - away(b))
  if (first === undefined) return undefined
  const candidates = [first, ...others.filter(({ pose }) => isStraight(pose))].map((straight) => ({
    straight,
    turned: turnedFrom(straight, sights),
  }))
  return candidates.find(({ turned }) => turned.length > 0) ?? candidates[0]
}

function turnedFrom(straight: Sight, sights: readonly (Sight | undefined)[]) {
  return sights
    .map((sight, index) => ({ index, sight, degrees: sight === undefined ? 0 : between(straight, sight) }))
    .filter(({ degrees }) => degrees >= turnedBetween.least)
}

function between(a: Sight, b: Sight): number {
  return Math.hypot(a.pose.yaw - b.pose.yaw, a.pose.pitch - b.pose.pitch)
}
