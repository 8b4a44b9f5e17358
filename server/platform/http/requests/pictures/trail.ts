import { type DecodeBase64, decodeHere } from '#server/platform/http/requests/base64/base64-thread.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { trailLimits } from '#shared/contract/sessions/trail.ts'
import { type Fault, Problem } from '#shared/problem.ts'
import { sizeOfJpeg } from './jpeg-header.ts'

interface SentPicture {
  readonly bytes: string
  readonly time: number
}

/** A small picture from a visit's film. */
export interface TrailPicture {
  readonly bytes: Uint8Array
  /** Milliseconds since the camera started, as reported by the device. */
  readonly time: number
}

/** The limits on a film: the pictures received before, and how long the session has been open by the server's clock. */
export interface TrailSoFar {
  readonly alreadySent: number
  /** Absent for captures made without a server, for example at a kiosk without a network. */
  readonly openInMilliseconds?: number
}

/** A request's film, with checked headers. @throws {Problem} 400 with a pointer to each fault */
export async function readTrail(
  sent: readonly SentPicture[] = [],
  soFar: TrailSoFar,
  decodeBase64: DecodeBase64 = decodeHere,
): Promise<TrailPicture[]> {
  refuseLongTrail(sent.length, soFar)
  const pictures: TrailPicture[] = []
  const faults: Fault[] = []
  for (const [index, { bytes, time }] of sent.entries()) {
    const picture = await decodeBase64(bytes, trailLimits.bytes)
    const message = 'fault' in picture ? picture.fault : pictureFault(picture)
    if (message !== undefined) faults.push({ pointer: pointerOf(index), message })
    else pictures.push({ bytes: picture as Uint8Array, time })
    if (loopTurns.isOver()) await loopTurns.next()
  }
  if (faults.length > 0) throw refused(faults)
  return pictures
}

/** @throws {Problem} 400 if a film becomes too long by this many more pictures */
export function refuseLongTrail(more: number, soFar: TrailSoFar): void {
  const tooMany = countFault(soFar.alreadySent + more, soFar)
  if (more > 0 && tooMany !== undefined) throw refused([{ pointer: '#/trail', message: tooMany }])
}

/** The problem for a picture that could not be decoded. */
export function unreadableTrail(index: number): Problem {
  return new Problem('unreadable_image', 'A picture of the trail could not be read.', {
    errors: [{ pointer: pointerOf(index), message: 'Must be a JPEG that can be decoded.' }],
  })
}

function countFault(count: number, { openInMilliseconds }: TrailSoFar): string | undefined {
  const { inAll, perSecond } = trailLimits
  if (count > inAll) return `At most ${inAll} pictures of the trail in all.`
  if (openInMilliseconds === undefined || count * 1000 <= openInMilliseconds * perSecond) return undefined
  return `At most ${perSecond} pictures of the trail for each second since the session was opened.`
}

function pictureFault(bytes: Uint8Array): string | undefined {
  const size = sizeOfJpeg(bytes)
  if ('fault' in size) return size.fault
  const { longestSidePixels } = trailLimits
  if (Math.max(size.width, size.height) <= longestSidePixels) return undefined
  return `Must have at most ${longestSidePixels} pixels on the longer side.`
}

function pointerOf(index: number): string {
  return `#/trail/${index}/bytes`
}

function refused(errors: Fault[]): Problem {
  return new Problem('invalid_request', 'The trail is invalid; see errors.', { errors })
}
