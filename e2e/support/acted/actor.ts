import { readFile } from 'node:fs/promises'
import type { BrowserContext } from '@playwright/test'
import { type Acting, cameraRate, paces } from './acting.ts'
import { nextLight } from './camera.ts'
import { actAsCamera, type CameraScript } from './camera-script.ts'
import { type Clip, comingBackShare } from './clips.ts'
import { installPlace } from './place.ts'

/** An acted camera for a browser without init scripts. */
export interface Actor {
  /** A script to run in the page before anything else. */
  readonly source: string
  /** The pictures that the script requests from `/__actor/` followed by their number. */
  readonly jpegs: readonly Buffer[]
}

/** A script for a camera that plays a clip in its aspect ratio, with a different offset, gain and noise each time. */
export async function actorOf(clip: Clip, acting: Acting): Promise<Actor> {
  const jpegs = await Promise.all(clip.frames.map((file) => readFile(file)))
  const script: CameraScript = {
    pictures: acting.brings === true ? jpegs.map((jpeg) => jpeg.toString('base64')) : null,
    frames: jpegs.length,
    framesPerSecond: clip.framesPerSecond,
    rate: acting.rate ?? cameraRate,
    segments: clip.segments.map(({ action, startSeconds, endSeconds }) => {
      const own = startSeconds + comingBackShare * (endSeconds - startSeconds)
      const first = Math.ceil(own * clip.framesPerSecond)
      const last = Math.min(jpegs.length - 1, Math.floor(endSeconds * clip.framesPerSecond))
      return { action, first, last: Math.max(first, last) }
    }),
    manner: acting.manner,
    gain: acting.gain ?? 0.95 + nextLight() * 0.1,
    noise: acting.noise ?? 0.5 + Math.random() * 1.5,
    offset: Math.random(),
    motion: acting.motion ?? null,
    comesCloser: acting.comesCloser ?? false,
    turnsWrongFirst: acting.turnsWrongFirst ?? null,
    ...paces[acting.pace ?? 'human'],
  }
  return { source: `(${actAsCamera})(${JSON.stringify(script)})`, jpegs }
}

/** Installs an acted camera in a context. */
export async function installActor(context: BrowserContext, clip: Clip, acting: Acting): Promise<void> {
  const { source, jpegs } = await actorOf(clip, acting)
  if (acting.brings !== true)
    await context.route('**/__actor/*', async (route) => {
      const index = Number(new URL(route.request().url()).pathname.split('/').at(-1))
      await route.fulfill({ body: jpegs[index]!, contentType: 'image/jpeg' })
    })
  // Loaders may wrap functions in a helper that preserves their names, which does not exist in the page.
  await context.addInitScript('globalThis.__name ??= (value) => value')
  await context.addInitScript(source)
  if (acting.place !== undefined) await installPlace(context, acting.place)
}
