import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Scene } from '../../../tests/support/drawn/fake-picture.ts'

/** The one photograph of a person that may be shown: an astronaut, from a package of sample pictures. */
const astronaut = readFileSync('tests/support/pictures/astronaut.png')
/** The head and the shoulders. */
const cut = { left: 60, top: 0, width: 340, height: 453 }
const wide = { width: 480, height: 640 }
const small = { width: 96, height: 128 }

/** A picture of the astronaut, with a scene in its comment for the fake analysis. */
export async function samplePicture(scene: Scene): Promise<string> {
  return commented(await drawn(wide, 82), scene)
}

/** A picture of the film: a small one, a little further to the side each time. */
export async function sampleFilmPicture(scene: Scene, shift: number): Promise<string> {
  return commented(await drawn(small, 50, shift), scene)
}

/** Each picture is drawn once; only its comment differs. */
const known = new Map<string, Promise<Buffer>>()

function drawn(size: typeof wide, quality: number, shift = 0): Promise<Buffer> {
  const name = `${size.width} ${shift}`
  const picture = known.get(name) ?? draw(size, quality, shift)
  known.set(name, picture)
  return picture
}

function draw(size: typeof wide, quality: number, shift: number): Promise<Buffer> {
  return sharp(astronaut)
    .extract({ ...cut, left: cut.left + shift })
    .resize(size)
    .jpeg({ quality })
    .toBuffer()
}

function commented(jpeg: Buffer, scene: Scene): string {
  const comment = Buffer.from(JSON.stringify(scene))
  const head = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 255])
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]).toString('base64')
}
