import type { Observation } from '#models/rules/observation.ts'
import { evidenceLimits } from '#server/features/sessions/records/evidence-limits.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Picture } from '#server/platform/http/requests/pictures/frames.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/** The subject of a picture: the person looking straight ahead, or an action. */
export type PictureName = 'straight' | Action

export interface ChosenPicture {
  readonly step: number
  readonly name: PictureName
  readonly bytes: Uint8Array
  /** How well the picture shows what was asked. Null if it arrived after the step was judged, or if it has no face. */
  readonly rank: number | null
}

interface SeenPicture {
  readonly picture: Picture
  readonly face: Observation['face']
}

/** Chooses the picture from each step of a request that best shows the requested action. Pure; `seen` is in picture order. */
export function choosePictures(
  pictures: readonly Picture[],
  seen: readonly Observation[],
  progress: Pick<SessionRecord['progress'], 'answered' | 'open'>,
): ChosenPicture[] {
  const pairs = pictures.map((picture, i): SeenPicture => ({ picture, face: seen[i]?.face ?? null }))
  const steps = [...new Set(pictures.map(({ step }) => step))].sort((a, b) => a - b)
  return steps.slice(0, evidenceLimits.pictures).map((step) => {
    const name = actionOf(progress, step) ?? 'straight'
    const { best, rank } = bestOf(
      pairs.filter(({ picture }) => picture.step === step),
      name,
    )
    const isOpen = progress.open?.step === step && Number.isFinite(rank)
    return { step, name, bytes: best.picture.bytes, rank: isOpen ? rank : null }
  })
}

function actionOf({ answered, open }: Parameters<typeof choosePictures>[2], step: number): Action | null {
  const asked = answered.find((one) => one.step === step) ?? (open?.step === step ? open : undefined)
  return asked?.action ?? null
}

function bestOf(pairs: readonly SeenPicture[], name: PictureName) {
  const ranks = pairs.map(({ face }) => (face === null ? -Infinity : rankOf(face, name)))
  const rank = Math.max(...ranks)
  return { best: pairs[ranks.indexOf(rank)]!, rank }
}

/** Rates how well a face shows the requested action. The highest rating in a step is chosen. */
function rankOf(face: NonNullable<Observation['face']>, name: PictureName): number {
  const { yaw, pitch } = face.pose
  if (name === 'turnLeft' || name === 'turnRight') return Math.abs(yaw)
  if (name === 'lookUp') return Math.abs(pitch)
  if (name === 'smile') return face.smile
  if (name === 'comeCloser') return face.box.width
  if (name === 'blink') return -face.eyeOpenness
  return -Math.abs(yaw) - Math.abs(pitch)
}
