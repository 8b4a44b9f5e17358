import { Buffer } from 'node:buffer'

/** The content of a drawn picture for the fake analysis. */
export interface Scene {
  /** The person in it; null without a face. */
  person: string | null
  /** The action that they perform. */
  acted?: string
  /** Makes two pictures of one scene differ. */
  shot?: number
  age?: number
  /** Liveness score, 0 to 1. */
  live?: number
  yaw?: number
  /** Size of the face relative to the usual one. */
  size?: number
  happy?: number
  /** Share of the face that the network sees, 0 to 1; default 1. */
  frameQuality?: number
  /** Variance of the Laplacian of the face. */
  sharpness?: number
  /**
   * The surface that the server compares; none by default. `living`: the light stays while the head turns; `moved`:
   * it turns along; `blank`: too little to decide.
   */
  surface?: 'living' | 'moved' | 'blank'
  /** Number of other people in it. */
  others?: number
}

/** A JPEG of an empty scan with a scene in its comment, which is enough for the header walk and the fake analysis. */
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

/** The scene of a fake picture, or undefined. */
export function sceneOf(jpeg: Uint8Array): Scene | undefined {
  const text = Buffer.from(jpeg).toString('latin1')
  const match = /\{.*?\}/.exec(text)
  return match === null ? undefined : (JSON.parse(match[0]) as Scene)
}

let shots = 0

/** A frame as the page sends it; no two are alike. */
export function frameOf(scene: Scene, time = 0): { bytes: string; time: number } {
  const bytes = fakeJpeg({ shot: ++shots, ...scene })
  return { bytes: Buffer.from(bytes).toString('base64'), time }
}
