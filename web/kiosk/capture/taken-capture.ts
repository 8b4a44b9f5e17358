import type { CapturedStep, KioskCapture } from '#shared/contract/kiosk/kiosk-capture.ts'
import { limits } from '#shared/contract/sessions/session.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { toBase64 } from '#web/capture/sending/base64.ts'
import type { ShownWording } from '#web/capture/sending/submit.ts'
import type { OfflineDecision } from '#workers/api.ts'

/** A picture, along with the step in which it was taken. */
export type StepPicture = Picture & { readonly challengeStep: number }

/** Everything from a visit that is going to be sealed. */
export interface TakenCapture {
  /** The plan as the server signed it; null if there was no challenge. */
  readonly plan: string | null
  readonly steps: readonly CapturedStep[]
  readonly pictures: readonly StepPicture[]
  /** The visit's film, which may be empty. */
  readonly trail: readonly Picture[]
  readonly wording: ShownWording
  readonly answer: OfflineDecision
  readonly deviceReport: Record<string, unknown>
}

/** Metadata that the device adds to a capture. */
export type CaptureMeta = Pick<
  KioskCapture,
  'captureId' | 'kioskId' | 'sequence' | 'clockOffsetInMilliseconds'
> & {
  /** The corrected time, in milliseconds since 1970. */
  readonly capturedAt: number
}

/** The capture in the API's format. */
export function captureOf(taken: TakenCapture, { capturedAt, ...meta }: CaptureMeta): KioskCapture {
  const { plan, steps, pictures, trail, wording, answer, deviceReport } = taken
  const { result, failedReasons, estimatedAge } = answer
  return {
    ...meta,
    capturedAt: new Date(capturedAt).toISOString(),
    plan,
    steps: [...steps],
    frames: pictures.slice(0, limits.framesInAll).map(({ challengeStep, ...picture }) => ({
      ...captured(picture),
      challengeStep,
    })),
    ...(trail.length === 0 ? {} : { trail: trail.map(captured) }),
    consent: { given: true, ...wording },
    answer: {
      result,
      ...(failedReasons.length === 0 ? {} : { failedReasons: [...failedReasons] }),
      ...(estimatedAge === null ? {} : { estimatedAge: Math.max(0, estimatedAge) }),
    },
    deviceReport,
  }
}

function captured({ bytes, time }: Picture): { bytes: string; time: number } {
  return { bytes: toBase64(bytes), time: Math.round(time) }
}
