import type { Frame } from './segments.ts'

/** Mark, kind, first, last and time (each a double), and the content's length. */
const mark = Buffer.from('SFA1')
const [kindAt, firstAt, lastAt, timeAt, lengthAt] = [4, 5, 13, 21, 29] as const
const headBytes = 33
const kinds = ['entries', 'checkpoint'] as const

export function packFrame({ kind, first, last, time, content }: Frame): Buffer {
  const head = Buffer.alloc(headBytes)
  mark.copy(head)
  head.writeUInt8(kinds.indexOf(kind), kindAt)
  head.writeDoubleBE(first, firstAt)
  head.writeDoubleBE(last, lastAt)
  head.writeDoubleBE(time, timeAt)
  head.writeUInt32BE(content.length, lengthAt)
  return Buffer.concat([head, content])
}

/** The consecutive frames in these bytes. Stops before a truncated or invalid frame. Contents are views of the bytes. */
export function unpackFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const kind = kinds[bytes.readUInt8(at + kindAt)]
    const end = at + headBytes + bytes.readUInt32BE(at + lengthAt)
    if (!bytes.subarray(at, at + mark.length).equals(mark) || kind === undefined || end > bytes.length) break
    frames.push({
      kind,
      first: bytes.readDoubleBE(at + firstAt),
      last: bytes.readDoubleBE(at + lastAt),
      time: bytes.readDoubleBE(at + timeAt),
      content: bytes.subarray(at + headBytes, end),
    })
    at = end
  }
  return frames
}
