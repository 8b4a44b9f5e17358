import { readFile } from 'node:fs/promises'
import { copyPixel } from '#lab/pictures/paint-mesh.ts'
import { copyOf, type Raster, toJpeg } from '#lab/pictures/raster.ts'
import { between, expose } from '#lab/pictures/sensor.ts'
import type { Action } from '../../../shared/contract/sessions/session.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import type { Forgery, Instrument } from '../forgery.ts'
import { shownFrom, strengthOf } from '../people/footage.ts'
import { type Look, lookOf } from '../people/looks.ts'
import type { Materials } from '../people/materials.ts'
import { cameraSize, evenly, framed, type Portrait, pressPeople } from '../people/portraits.ts'
import { isStraight, madeUpInMilliseconds, shareOnTheWay } from './photographed.ts'
import { askedByDefault, fewestActions } from './recorded.ts'

/** A person needs at least `least` photographs to have several poses. No more than `most` of them are examined. */
const pictures = { least: 4, most: 10 } as const

/** In degrees. On a profile, the mesh is only a guess. */
const furthestTurn = 45

interface Photograph extends Portrait {
  readonly look: Look
}

/** Uses several photographs of the same person. The one that best shows the requested action is pasted onto a fixed background. */
export function pasted(materials: Materials): Instrument {
  return {
    name: 'pasted',
    is: 'Several photographs of one person, unwarped, pasted with a soft ellipse onto one background.',
    async subjects(most) {
      const albums = await albumsOf(materials, most)
      return albums.map((album) => ({ name: album[0]!.name, forge: (session) => forge(album, session) }))
    },
  }
}

/** Sorts each person's photographs, straightest first. Drops people whose photographs show too few of the actions. */
async function albumsOf(materials: Materials, most: number): Promise<Photograph[][]> {
  const albums: Photograph[][] = []
  for (const [name, files] of evenly([...pressPeople(materials)], materials.seed)) {
    if (albums.length >= most) break
    if (files.length < pictures.least) continue
    const album = await albumOf(materials, name, files.slice(0, pictures.most))
    const asked = askedByDefault.filter((action) => strongestIn(album, action) >= shownFrom)
    if (asked.length >= fewestActions) albums.push(album)
  }
  return albums
}

async function albumOf(materials: Materials, name: string, files: readonly string[]): Promise<Photograph[]> {
  const album: Photograph[] = []
  for (const file of files) {
    const picture = await framed(await readFile(file))
    const { face, ...analysis } = await materials.look(picture)
    const look = lookOf({ face, ...analysis })
    if (face === undefined || look === undefined || Math.abs(look.yaw) > furthestTurn) continue
    album.push({ name, picture, look, points: face.landmarks, fit: face.fit })
  }
  return album.sort((a, b) => unrestOf(a.look) - unrestOf(b.look))
}

/** How far a face is from straight and neutral, in degrees. A full smile counts as ten. */
function unrestOf({ yaw, pitch, happy }: Look): number {
  return Math.hypot(yaw, pitch) + 10 * happy
}

/** How strongly a person's best photograph shows an action compared with their first photograph. */
function strongestIn(album: readonly Photograph[], action: Action): number {
  const [base] = album
  if (base === undefined) return 0
  return Math.max(...album.map(({ look }) => strengthOf(look, base.look, action)))
}

function forge(album: readonly Photograph[], session: number): Forgery {
  const random = randomNumbers(session + 1)
  const gain = between(0.94, 1.06, random)
  const [base] = album as [Photograph]
  const bestFor = (action: Action) =>
    [...album].sort(
      (a, b) => strengthOf(b.look, base.look, action) - strengthOf(a.look, base.look, action),
    )[0]!
  const take = (shown: Photograph) => {
    const picture = shown === base ? base.picture : paste(base, shown)
    return expose(picture, { gain, noise: 1.2 }, random)
  }
  return {
    momentInMilliseconds: madeUpInMilliseconds,
    async frames(moment, count) {
      const shown = isStraight(moment) ? base : bestFor(moment)
      const jpegs: Buffer[] = []
      for (let i = 0; i < count; i++) jpegs.push(await toJpeg(take(shown)))
      return jpegs
    },
    /** The photographs follow each other without a transition. */
    async film(moment, places) {
      const shown = isStraight(moment) ? base : bestFor(moment)
      return places.map((place) => take(shareOnTheWay(moment, place) > 0 ? shown : base))
    },
  }
}

/** The ellipse's half axes in units of the canonical face, and the radius from which its edge fades out. */
const ellipse = { across: 9.5, along: 12, soft: 0.75 } as const

/** Pastes the face from one photograph over the face in another, at the same position and size. */
function paste(base: Portrait, from: Portrait): Raster {
  const onto = copyOf(base.picture)
  const drawn: Raster = { width: 1, height: 1, rgb: new Uint8Array(3) }
  const scale = from.fit.scale / base.fit.scale
  const { x: cx, y: cy } = base.fit.centre
  for (let y = 0; y < cameraSize.height; y++) {
    for (let x = 0; x < cameraSize.width; x++) {
      const far = Math.hypot(
        (x - cx) / (ellipse.across * base.fit.scale),
        (y - cy) / (ellipse.along * base.fit.scale),
      )
      if (far >= 1) continue
      const weight = Math.min(1, (1 - far) / (1 - ellipse.soft))
      copyPixel(
        drawn,
        0,
        from.picture,
        from.fit.centre.x + (x - cx) * scale,
        from.fit.centre.y + (y - cy) * scale,
        1,
      )
      const at = 3 * (y * onto.width + x)
      for (let k = 0; k < 3; k++) {
        onto.rgb[at + k] = weight * drawn.rgb[k]! + (1 - weight) * onto.rgb[at + k]!
      }
    }
  }
  return onto
}
