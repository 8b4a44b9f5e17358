import { secondFaceShare } from '#models/rules/face/face-count.ts'
import { type Hint, hints } from '#web/wording/findings.ts'
import type { Analysis, DetectedFace, FaceAnalysis } from '#workers/api.ts'
import { placeOf } from './face-measure.ts'
import { thresholds as t } from './thresholds.ts'

export function isHint(word: string): word is Hint {
  return (hints as readonly string[]).includes(word)
}

/** The guidance state between analyses. Times are stream time in milliseconds. */
export interface GuidanceMemory {
  readonly shown: Hint | null
  readonly shownAt: number
  /** When the reason for the current hint disappeared. */
  readonly goneAt: number | null
  /** The fault in this analysis; null if there is none. */
  readonly fault: Hint | null
  readonly faultAt: number
  readonly faultCount: number
  /** True if the last detection found a second face. Tracked frames are not searched for one. */
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

/** Computes the next state. `heeded` contains the hints that matter in this stage. */
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

/** Hints during and after an action: only faults that make pictures useless. */
export const actingHints: ReadonlySet<Hint> = new Set<Hint>(['onePerson', 'tooDark', 'showFace'])

/** Hints for the final hold. It leaves out directions, because a person could mistake them for an action. */
export const closingHints: ReadonlySet<Hint> = new Set<Hint>([
  'onePerson',
  'tooDark',
  'showFace',
  'intoPicture',
  'visible',
  'straight',
])

/** True if this analysis shows a single face without faults. */
export function fits(memory: GuidanceMemory, analysis: Analysis): boolean {
  return analysis.face !== undefined && memory.fault === null
}

/** [Note: Hysteresis] A hint appears with a delay, stays long enough to be read, and goes away shortly after its reason does. */
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
  // A second person replaces any other hint, because no other hint would help.
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

/** The face, or the detector's box until landmarks are available. */
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
    return memory.crowded && heeded.has('onePerson') ? 'onePerson' : null // position and quality are not known yet
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

/** The frame is not mirrored: the person's left is the image's right, so a face to the right of the centre must go "right". */
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
 * [Note: What covers a face] The mesh network accepts almost anything as a face, but its confidence is still useful: the log odds of the
 * face's presence are about 20 for an uncovered face and below 8 if a mask or a hand covers half of it, long
 * before the probability itself differs from 1 by a thousandth. It does not detect sunglasses or a fringe.
 */
function plainnessOf(presence: number): number {
  return Math.log(presence / (1 - presence))
}

/** True if the horizontal offset is the larger one, in which case it is corrected first. */
function aside(analysis: Analysis, face: FaceAnalysis): boolean {
  const { x, y } = placeOf(analysis, face)
  return Math.abs(x) >= Math.abs(y)
}
