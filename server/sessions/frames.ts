import { limits } from '#shared/contract/session.ts'
import { type Fault, Problem } from '#shared/problem.ts'
import { jpegFault } from './jpeg-header.ts'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

export interface SentFrame {
  readonly bytes: string
  readonly time: number
}

/** The pictures of a request, checked by their headers. @throws {Problem} 400 with a pointer to each fault */
export function readFrames(frames: readonly SentFrame[], alreadySent: number): Uint8Array[] {
  if (alreadySent + frames.length > limits.framesInAll) {
    throw refused([{ pointer: '#/frames', message: `At most ${limits.framesInAll} frames in all.` }])
  }
  const pictures = frames.map((frame) => decodeBase64(frame.bytes))
  const faults = pictures.flatMap((picture, index): Fault[] => {
    const message = picture === undefined ? 'Must be Base64.' : jpegFault(picture)
    return message === undefined ? [] : [{ pointer: pointerOf(index), message }]
  })
  if (faults.length > 0) throw refused(faults)
  return pictures as Uint8Array[]
}

/** The problem of a picture that turned out to be unreadable when it was decoded. */
export function unreadableFrame(index: number): Problem {
  return new Problem('unreadable_image', 'A picture could not be read.', {
    errors: [{ pointer: pointerOf(index), message: 'Must be a JPEG that can be decoded.' }],
  })
}

function pointerOf(index: number): string {
  return `#/frames/${index}/bytes`
}

function decodeBase64(text: string): Uint8Array | undefined {
  const tooLong = text.length > Math.ceil(limits.frameBytes / 3) * 4 + 4
  if (!tooLong && (text.length % 4 !== 0 || !base64.test(text))) return undefined
  return Uint8Array.from(Buffer.from(text, 'base64'))
}

function refused(errors: Fault[]): Problem {
  return new Problem('invalid_request', 'The frames are not acceptable; see errors.', { errors })
}
