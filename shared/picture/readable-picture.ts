import { walkPicture } from './picture-header.ts'

interface ReadablePicture {
  readonly bytes: Uint8Array
  /** The lowest severity at which a fault makes decoding fail (sharp's `failOn`). */
  readonly failOn: 'error' | 'warning'
}

/** Prepares a picture for decoders that read less than browsers do. [Note: Pictures as browsers read them] All decoders of the server take their pictures from here. */
export function readablePicture(bytes: Uint8Array): ReadablePicture {
  const walked = walkPicture(bytes)
  if ('fault' in walked || walked.mended === undefined) return { bytes, failOn: 'error' }
  const { pieces, lacksEnd } = walked.mended
  return { bytes: joined(pieces), failOn: lacksEnd ? 'warning' : 'error' }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
