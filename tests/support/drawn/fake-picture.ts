import { Buffer } from 'node:buffer'

/** What a drawn picture shows to the fake analysis. */
export interface Scene {
  /** Who is in it; null without a face. */
  person: string | null
  /** What they are doing. */
  acted?: string
  /** Makes two pictures of one scene differ. */
  shot?: number
  age?: number
  /** How live they look, 0 to 1. */
  live?: number
  yaw?: number
  /** How large the face is, in times of what it is otherwise. */
  size?: number
  happy?: number
  /** How much of a face the network sees, 0 to 1; 1 where absent. */
  frameQuality?: number
  /** Variance of the Laplacian of the face. */
  sharpness?: number
  /** What the server compares of it; nothing where absent. `living`: light stays while the head turns; `moved`: it turns along; `blank`: too little to tell. */
  surface?: 'living' | 'moved' | 'blank'
  /** How many other people are in it. */
  others?: number
}

/** A JPEG of an empty scan that carries a scene in its comment: enough for the header walk and the fake analysis. */
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

/** The scene of a fake picture, or undefined where there is none. */
export function sceneOf(jpeg: Uint8Array): Scene | undefined {
  const text = Buffer.from(jpeg).toString('latin1')
  const match = /\{.*?\}/.exec(text)
  return match === null ? undefined : (JSON.parse(match[0]) as Scene)
}

let shots = 0

/** A frame as the page sends it; each one is a picture of its own. */
export function frameOf(scene: Scene, time = 0): { bytes: string; time: number } {
  const bytes = fakeJpeg({ shot: ++shots, ...scene })
  return { bytes: Buffer.from(bytes).toString('base64'), time }
}
