import { secondFaceShare } from '#models/rules/face-count.ts'
import type { Analysis, DetectedFace, FaceAnalysis } from '#workers/api.ts'
import { placeOf } from './face-measure.ts'
import { thresholds as t } from './thresholds.ts'

/** Every hint, the most important first: the first that applies is shown alone. */
const hints = [
  'onePerson',
  'tooDark',
  'showFace',
  'back',
  'intoPicture',
  'closer',
  'toLeft',
  'toRight',
  'up',
  'down',
  'toLight',
  'backlight',
  'tooBright',
  'visible',
  'straight',
  'upright',
  'still',
] as const
export type Hint = (typeof hints)[number]

export function isHint(word: string): word is Hint {
  return (hints as readonly string[]).includes(word)
}

/** What guidance remembers from one analysis to the next. Times are milliseconds of the stream. */
export interface GuidanceMemory {
  /** The hint on screen. */
  readonly shown: Hint | null
  readonly shownAt: number
  /** Since when the shown hint's reason is gone. */
  readonly goneAt: number | null
  /** What is wrong with this very analysis; null when all fits. */
  readonly fault: Hint | null
  readonly faultAt: number
  readonly faultCount: number
  /** Whether the last detection saw a second face: tracked frames do not look for one. */
  readonly crowded: boolean
  readonly faceAt: number | null
}

export const noGuidance: GuidanceMemory = {
  shown: null,
  shownAt: 0,
  goneAt: null,
  fault: null,
  faultAt: 0,
  faultCount: 0,
  crowded: false,
  faceAt: null,
}

/** The next memory. `heeded` are the hints that matter at this stage. */
export function guide(
  memory: GuidanceMemory,
  analysis: Analysis,
  at: number,
  heeded: ReadonlySet<Hint> = everyHint,
): GuidanceMemory {
  const seen = {
    ...memory,
    crowded: analysis.detected ? hasSecondFace(analysis) : memory.crowded && faceIn(analysis) !== undefined,
    faceAt: faceIn(analysis) !== undefined || memory.faceAt === null ? at : memory.faceAt,
  }
  const fault = faultOf(analysis, seen, at, heeded)
  const same = fault !== null && fault === memory.fault
  return settle(
    {
      ...seen,
      fault,
      faultAt: same ? memory.faultAt : at,
      faultCount: same ? memory.faultCount + 1 : 1,
    },
    at,
  )
}

export const everyHint: ReadonlySet<Hint> = new Set(hints)

/** While the person acts or comes back, only what spoils the pictures altogether is worth a word. */
export const actingHints: ReadonlySet<Hint> = new Set<Hint>(['onePerson', 'tooDark', 'showFace'])

/** Words of direction are left out of the last hold: none of another meaning may stand there. */
export const closingHints: ReadonlySet<Hint> = new Set<Hint>([
  'onePerson',
  'tooDark',
  'showFace',
  'intoPicture',
  'visible',
  'straight',
])

/** Whether this analysis shows one face that fits in every way. */
export function fits(memory: GuidanceMemory, analysis: Analysis): boolean {
  return analysis.face !== undefined && memory.fault === null
}

/** [Note: Hysteresis] A hint appears late, stays long enough to be read, and goes a little after its reason. */
function settle(memory: GuidanceMemory, at: number): GuidanceMemory {
  const { shown, fault } = memory
  const ripe =
    fault !== null &&
    memory.faultCount >= t.hint.appearAnalyses &&
    at - memory.faultAt >= t.hint.appearMilliseconds
  if (shown === null) return ripe ? show(memory, fault, at) : memory
  if (shown === fault) return { ...memory, goneAt: null }
  const goneAt = memory.goneAt ?? at
  const isRead = at - memory.shownAt >= t.hint.stayMilliseconds && at - goneAt >= t.hint.clearMilliseconds
  // Two people are mentioned at once: no other word helps them.
  const isCut = ripe && fault === 'onePerson' && at - memory.shownAt >= t.hint.cutMilliseconds
  if (!isRead && !isCut) return { ...memory, goneAt }
  return ripe ? show(memory, fault, at) : { ...memory, shown: null, goneAt: null }
}

function show(memory: GuidanceMemory, hint: Hint, at: number): GuidanceMemory {
  return { ...memory, shown: hint, shownAt: at, goneAt: null }
}

function hasSecondFace(analysis: Analysis): boolean {
  const face = faceIn(analysis)
  if (face === undefined) return false
  return analysis.others.some((other) => other.box.width >= face.box.width * secondFaceShare)
}

/** The face, or what the detector alone sees of it while there are no points yet. */
function faceIn({ face, detectedFace }: Analysis): DetectedFace | undefined {
  return face ?? detectedFace
}

function faultOf(
  analysis: Analysis,
  memory: GuidanceMemory,
  at: number,
  heeded: ReadonlySet<Hint>,
): Hint | null {
  const { face, detectedFace } = analysis
  if (face === undefined) {
    if (detectedFace === undefined) return absence(analysis, memory, at)
    return memory.crowded && heeded.has('onePerson') ? 'onePerson' : null // its place and its look are not known yet
  }
  for (const hint of hints) {
    const warned = memory.shown === hint
    if (heeded.has(hint) && reasons[hint](analysis, face, warned, memory)) return hint
  }
  return null
}

function absence({ luminance }: Analysis, { faceAt }: GuidanceMemory, at: number): Hint | null {
  if (faceAt !== null && at - faceAt < t.noFaceMilliseconds) return null
  return luminance < t.darkLuminance ? 'tooDark' : 'showFace'
}

type Reason = (analysis: Analysis, face: FaceAnalysis, warned: boolean, memory: GuidanceMemory) => boolean
type Limits = { readonly appear: number; readonly clear: number }

const above = (value: number, limits: Limits, warned: boolean) =>
  value > (warned ? limits.clear : limits.appear)
const below = (value: number, limits: Limits, warned: boolean) =>
  value < (warned ? limits.clear : limits.appear)

/** The frame is not mirrored: the person's left is the image's right, so a face right of the middle goes "right". */
const reasons: Record<Hint, Reason> = {
  onePerson: (_analysis, _face, _warned, memory) => memory.crowded,
  tooDark: () => false,
  showFace: () => false,
  back: (a, f, warned) => above(placeOf(a, f).fill, t.tooLarge, warned),
  intoPicture: (a, f, warned) => above(placeOf(a, f).outside, t.outside, warned),
  closer: (a, f, warned) => below(placeOf(a, f).fill, t.tooSmall, warned),
  toLeft: (a, f, warned) => aside(a, f) && above(-placeOf(a, f).x, t.offset, warned),
  toRight: (a, f, warned) => aside(a, f) && above(placeOf(a, f).x, t.offset, warned),
  up: (a, f, warned) => above(placeOf(a, f).y, t.offset, warned),
  down: (a, f, warned) => above(-placeOf(a, f).y, t.offset, warned),
  toLight: (_a, { quality }, warned) => below(quality.spread, t.spread, warned),
  backlight: (_a, { quality }, warned) => above(quality.backgroundRatio, t.backlight, warned),
  tooBright: (_a, { quality }, warned) => above(quality.clipped, t.clipped, warned),
  visible: (_a, { presence }, warned) => below(plainnessOf(presence), t.plainness, warned),
  straight: (_a, { pose }, warned) =>
    above(Math.abs(pose.yaw), t.turned, warned) || above(Math.abs(pose.pitch), t.nodded, warned),
  upright: (_a, { pose }, warned) => above(Math.abs(pose.roll), t.tilted, warned),
  still: (_a, { quality }, warned) => below(quality.sharpness, t.sharpness, warned),
}

/**
 * [Note: What covers a face] The mesh calls almost anything a face, and still tells how plain it is: the log odds of its
 * presence are about 20 for a face that is all there, and sink below 8 where a mask or a hand hides half of it, long
 * before the probability itself differs from 1 by a thousandth. Sunglasses and fringes are not seen by it.
 */
function plainnessOf(presence: number): number {
  return Math.log(presence / (1 - presence))
}

/** Sideways is said first where it is the larger of the two offsets. */
function aside(analysis: Analysis, face: FaceAnalysis): boolean {
  const { x, y } = placeOf(analysis, face)
  return Math.abs(x) >= Math.abs(y)
}
