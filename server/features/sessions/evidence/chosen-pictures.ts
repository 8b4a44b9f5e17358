import type { Observation } from '#models/rules/observation.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { Picture } from '#server/platform/http/requests/pictures/frames.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { evidenceLimits } from './evidence-limits.ts'

/** The content of a picture: the person looking straight, or an action. */
export type PictureName = 'straight' | Action

export interface Chosen {
  readonly step: number
  readonly name: PictureName
  readonly bytes: Uint8Array
}

interface Seen {
  readonly picture: Picture
  readonly face: Observation['face']
}

/** One picture of each step of a request: the one that best shows the requested action. Pure; `seen` is in the order of the pictures. */
export function choosePictures(
  pictures: readonly Picture[],
  seen: readonly Observation[],
  progress: Pick<SessionRecord['progress'], 'answered' | 'open'>,
): Chosen[] {
  const pairs = pictures.map((picture, i): Seen => ({ picture, face: seen[i]?.face ?? null }))
  const steps = [...new Set(pictures.map(({ step }) => step))].sort((a, b) => a - b)
  return steps.slice(0, evidenceLimits.pictures).map((step) => {
    const name = actionOf(progress, step) ?? 'straight'
    const best = bestOf(
      pairs.filter(({ picture }) => picture.step === step),
      name,
    )
    return { step, name, bytes: best.picture.bytes }
  })
}

function actionOf({ answered, open }: Parameters<typeof choosePictures>[2], step: number): Action | null {
  const asked = answered.find((one) => one.step === step) ?? (open?.step === step ? open : undefined)
  return asked?.action ?? null
}

function bestOf(pairs: readonly Seen[], name: PictureName): Seen {
  const ranks = pairs.map(({ face }) => (face === null ? -Infinity : rankOf(face, name)))
  return pairs[ranks.indexOf(Math.max(...ranks))]!
}

/** How well a face shows the requested action; the highest of a step is chosen. */
function rankOf(face: NonNullable<Observation['face']>, name: PictureName): number {
  const { yaw, pitch } = face.pose
  if (name === 'turnLeft' || name === 'turnRight') return Math.abs(yaw)
  if (name === 'lookUp') return Math.abs(pitch)
  if (name === 'smile') return face.smile
  if (name === 'comeCloser') return face.box.width
  if (name === 'blink') return -face.eyeOpenness
  return -Math.abs(yaw) - Math.abs(pitch)
}
