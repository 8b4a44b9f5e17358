import { type DecodeBase64, decodeHere } from '#server/platform/http/requests/base64/base64-thread.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { limits } from '#shared/contract/sessions/session.ts'
import { type Fault, Problem } from '#shared/problem.ts'
import { jpegFault } from './jpeg-header.ts'

interface SentFrame {
  readonly bytes: string
  readonly time: number
  readonly challengeStep: number
}

/**
 * The frames in a request that names their step. In submit-session, each frame names its own step; pages that always add it may send it here too.
 * @throws {Problem} 400 for a frame that belongs to another step
 */
export function framesOfStep(
  step: number,
  frames: readonly (Omit<SentFrame, 'challengeStep'> & { readonly challengeStep?: number | undefined })[],
): SentFrame[] {
  const errors = frames.flatMap(({ challengeStep = step }, i) =>
    challengeStep === step
      ? []
      : [{ pointer: `#/frames/${i}/challengeStep`, message: 'Must be absent or equal to step.' }],
  )
  if (errors.length > 0) throw refused(errors)
  return frames.map((frame) => ({ ...frame, challengeStep: step }))
}

export interface Picture {
  readonly bytes: Uint8Array
  readonly time: number
  readonly step: number
}

/** A request's pictures, with checked headers. @throws {Problem} 400 with a pointer to each fault */
export async function readFrames(
  frames: readonly SentFrame[],
  alreadySent: number,
  decodeBase64: DecodeBase64 = decodeHere,
): Promise<Picture[]> {
  if (alreadySent + frames.length > limits.framesInAll) {
    throw refused([{ pointer: '#/frames', message: `At most ${limits.framesInAll} frames in all.` }])
  }
  const pictures: Picture[] = []
  const faults: Fault[] = []
  for (const [index, { bytes, time, challengeStep: step }] of frames.entries()) {
    const picture = await decodeBase64(bytes, limits.frameBytes)
    const message = 'fault' in picture ? picture.fault : jpegFault(picture)
    if (message !== undefined) faults.push({ pointer: pointerOf(index), message })
    else pictures.push({ bytes: picture as Uint8Array, time, step })
    if (loopTurns.isOver()) await loopTurns.next()
  }
  if (faults.length > 0) throw refused(faults)
  return pictures
}

/** The problem for a picture that could not be decoded. */
export function unreadableFrame(index: number): Problem {
  return new Problem('unreadable_image', 'A picture could not be read.', {
    errors: [{ pointer: pointerOf(index), message: 'Must be a JPEG that can be decoded.' }],
  })
}

function pointerOf(index: number): string {
  return `#/frames/${index}/bytes`
}

function refused(errors: Fault[]): Problem {
  return new Problem('invalid_request', 'The frames are invalid; see errors.', { errors })
}

/** @throws {Problem} 400 if a device's report is too long */
export function refuseLongReport(report: Readonly<Record<string, unknown>> | undefined): void {
  if (Buffer.byteLength(JSON.stringify(report ?? {})) <= limits.deviceReportBytes) return
  throw Problem.at('#/deviceReport', 'Must be at most 64 kB.')
}
