import { Buffer } from 'node:buffer'

/** The content of a drawn picture, for the fake analysis. */
export interface Scene {
  /** The person in the picture; null if there is no face. */
  person: string | null
  /** The action that this person performs. */
  acted?: string
  /** Makes two pictures of the same scene differ. */
  shot?: number
  age?: number
  /** The liveness score, from 0 to 1. */
  live?: number
  yaw?: number
  /** The face's size relative to the usual one. */
  size?: number
  happy?: number
  /** How much of the face the network sees, from 0 to 1; defaults to 1. */
  frameQuality?: number
  /** The variance of the face's Laplacian. */
  sharpness?: number
  /**
   * The surface that the server compares; none by default. `living`: the light stays while the head turns; `moved`:
   * it turns along; `blank`: there is too little to decide.
   */
  surface?: 'living' | 'moved' | 'blank'
  /** How many other people are in the picture. */
  others?: number
}

/** A JPEG with an empty scan and a scene in its comment, which is enough for the header walk and the fake analysis. */
export function fakeJpeg(scene: Scene, width = 640, height = 480): Uint8Array {
  const comment = Buffer.from(JSON.stringify(scene))
  const frame = Buffer.from([
    0xff,
    0xc0,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    0x11,
    0,
  ])
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 255]),
      comment,
      frame,
      Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9]),
    ]),
  )
}

/** The scene in a fake picture, or undefined. */
export function sceneOf(jpeg: Uint8Array): Scene | undefined {
  const text = Buffer.from(jpeg).toString('latin1')
  const match = /\{.*?\}/.exec(text)
  return match === null ? undefined : (JSON.parse(match[0]) as Scene)
}

let shots = 0

/** A frame as the page sends it. No two frames are alike. */
export function frameOf(scene: Scene, time = 0): { bytes: string; time: number } {
  const bytes = fakeJpeg({ shot: ++shots, ...scene })
  return { bytes: Buffer.from(bytes).toString('base64'), time }
}
