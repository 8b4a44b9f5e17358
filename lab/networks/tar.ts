/** Picks files out of a .tgz as npm packs it: plain entries, with the long-name extension read where it occurs. */
import { gunzipSync } from 'node:zlib'

const BLOCK = 512

export function readTarball(tarball: Uint8Array): Map<string, Uint8Array> {
  const bytes = gunzipSync(tarball)
  const files = new Map<string, Uint8Array>()
  let longName = ''
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(bytes, at + 124, 12), 8)
    const kind = text(bytes, at + 156, 1)
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (kind === 'x') longName = /(?:^|\n)\d+ path=(.*)\n/.exec(new TextDecoder().decode(body))?.[1] ?? ''
    else {
      const prefix = text(bytes, at + 345, 155)
      const name = text(bytes, at, 100)
      files.set(longName || (prefix ? `${prefix}/${name}` : name), body)
      longName = ''
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

function text(bytes: Uint8Array, start: number, length: number): string {
  const field = bytes.subarray(start, start + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end)).trim()
}
