import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { madeWhole } from '../made-once.ts'
import { type Clip, hasFootage, loadClip, photograph, stillClip } from './clips.ts'

/** The people in front of the camera. */
export interface Cast {
  /** Performs requested actions if there is footage; otherwise shows the still picture. */
  readonly actor: Clip
  readonly still: Clip
  readonly far: Clip
  readonly two: Clip
}

/** Loads footage if it is available and wanted, and three variants of an openly licensed picture. */
export async function gatherCast(browser: Browser, footage: boolean): Promise<Cast> {
  const still = await stillClip()
  const actor = footage && hasFootage ? await loadClip(browser, 'Krzysiek354_real.webm') : still
  return {
    actor,
    still: await upright(photograph),
    far: await farAway(photograph),
    two: await twice(photograph),
  }
}

const folder = join('.cache', 'scenes')

/** The picture in portrait format, as a phone would take it. */
async function upright(picture: string): Promise<Clip> {
  return drawn(
    'still',
    sharp(picture).extract({ left: 132, top: 0, width: 180, height: 240 }).resize(720, 960),
  )
}

async function farAway(picture: string): Promise<Clip> {
  const small = await sharp(picture).resize(520, 520).png().toBuffer()
  const room = sharp({ create: { width: 720, height: 960, channels: 3, background: '#9aa3ad' } })
  return drawn('far', room.composite([{ input: small, left: 134, top: 360 }]))
}

async function twice(picture: string): Promise<Clip> {
  const one = await sharp(picture).extract({ left: 100, top: 0, width: 256, height: 512 }).png().toBuffer()
  const room = sharp({ create: { width: 512, height: 512, channels: 3, background: '#9aa3ad' } })
  return drawn('two', room.composite([{ input: one }, { input: one, left: 256, top: 0 }]))
}

async function drawn(name: string, picture: Sharp): Promise<Clip> {
  const jpeg = picture.jpeg({ quality: 95 })
  const file = await madeWhole(join(folder, `${name}.jpg`), (place) => jpeg.toFile(place))
  return { name, framesPerSecond: 1, frames: [file], segments: [] }
}
