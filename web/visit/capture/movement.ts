import type { Action } from '#shared/contract/sessions/session.ts'
import type { Analysis } from '#workers/api.ts'
import { type Neutral, sampleOf } from './neutral.ts'
import { thresholds } from './thresholds.ts'

/** What a person may do: the actions, and looking down, which is never asked. */
export type Movement = Action | 'lookDown'

export const movements = [
  'turnLeft',
  'turnRight',
  'lookUp',
  'lookDown',
  'smile',
  'blink',
  'comeCloser',
] as const satisfies readonly Movement[]

/** How strongly each movement shows: 1 where it counts as done. */
export type Strengths = Readonly<Record<Movement, number>>

/** The strengths of an analysis against the neutral pose; undefined without a face. */
export function strengthsOf(analysis: Analysis, neutral: Neutral): Strengths | undefined {
  const sample = sampleOf(analysis)
  if (sample === undefined) return undefined
  const a = thresholds.action
  const turn = (sample.yaw - neutral.yaw) / a.turn
  const pitch = sample.pitch - neutral.pitch
  const eyes = analysis.face?.eyesClosed
  const smile = (sample.smile - neutral.smile) / a.smile
  return {
    turnLeft: Math.max(0, turn),
    turnRight: Math.max(0, -turn),
    lookUp: Math.max(0, pitch / a.lookUp),
    lookDown: Math.max(0, -pitch / a.lookDown),
    smile: Math.max(0, smile, neutral.happy < a.happy / 2 ? sample.happy / a.happy : 0),
    blink: eyes === undefined ? 0 : Math.min(eyes.left, eyes.right) / a.eyesClosed,
    comeCloser: Math.max(0, (sample.size / neutral.size - 1) / (a.closer - 1)),
  }
}

/** Whether nothing of the head's movements is left, or next to nothing. */
export function isBack(strengths: Strengths): boolean {
  const { turnLeft, turnRight, lookUp, lookDown } = strengths
  return Math.max(turnLeft, turnRight, lookUp, lookDown) < thresholds.backShare
}
