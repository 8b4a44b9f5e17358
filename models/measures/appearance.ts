import type { Feed } from '#models/picture/feed.ts'
import { invert, regionToPicture, transform } from '#models/picture/geometry.ts'
import type { Picture } from '#models/picture/picture.ts'
import type { Appearance, LabColour } from '#models/rules/analysis.ts'
import { boundingBox, eyeLine, type Mesh, meanPoint } from '#models/rules/face/mesh.ts'
import { median } from '#models/rules/median.ts'
import { labOf } from './lab-colour.ts'

const faceFeed: Feed = { size: 96, channels: 'RGB', scale: 1, offset: 0 }
/** The side of the crop, as a multiple of the mesh's larger side. */
const faceMargin = 1.15
/** Half the side of a patch, as a share of the distance between the outer eye corners. */
const patchReach = 0.06

type Patch = readonly (readonly number[])[]

/** The places where each colour is read. Each one is the mean of some landmarks; for the lips, it lies between their outer and inner edges. */
const patches = {
  upperSkin: [[151], [108], [337], [69], [299], [9], [118], [347], [117], [346]],
  upperLip: [[164], [165], [391]],
  chin: [[199], [175], [200], [18], [201], [421]],
  lips: [
    [0, 13],
    [37, 82],
    [267, 312],
    [17, 14],
    [84, 87],
    [314, 317],
  ],
} as const satisfies Record<string, Patch>

/** Measures the colours of the face, its surroundings and compression artefacts. See `Appearance`. */
export function appearanceOf(picture: Picture, mesh: Mesh): Appearance {
  const gradient = backgroundGradient(picture, mesh)
  const blockiness = blockinessOf(picture, mesh)
  return {
    ...coloursOf(picture, mesh),
    ...(gradient !== undefined && { backgroundGradient: gradient }),
    ...(blockiness !== undefined && { blockiness }),
  }
}

function coloursOf(picture: Picture, { points }: Mesh) {
  const box = boundingBox(points)
  const side = faceMargin * Math.max(box.width, box.height)
  const centre = { centreX: box.x + box.width / 2, centreY: box.y + box.height / 2 }
  const map = regionToPicture({ ...centre, side, rotation: eyeLine(points) }, faceFeed.size)
  const { data } = picture.warp(map, faceFeed)
  const toCrop = invert(map)
  const places = (patch: Patch) =>
    patch.map((landmarks) => {
      const { x, y } = meanPoint(points, landmarks)
      return transform(toCrop, x, y)
    })
  const [right, left] = places([[33], [263]])
  const eyes = Math.hypot(right!.x - left!.x, right!.y - left!.y)
  const reach = Math.max(1, Math.round(patchReach * eyes))
  const colour = (patch: Patch) => colourAbout(data, places(patch), reach)
  return {
    upperSkin: colour(patches.upperSkin),
    upperLip: colour(patches.upperLip),
    chin: colour(patches.chin),
    lips: colour(patches.lips),
  }
}

/** The per-channel median over squares around the given places, ignoring anything outside the crop. */
function colourAbout(
  planes: Float32Array,
  places: readonly { readonly x: number; readonly y: number }[],
  reach: number,
): LabColour {
  const { size } = faceFeed
  const colours = places.flatMap(({ x, y }) => {
    const found: LabColour[] = []
    for (let row = Math.round(y) - reach; row <= Math.round(y) + reach; row++) {
      for (let column = Math.round(x) - reach; column <= Math.round(x) + reach; column++) {
        if (row < 0 || column < 0 || row >= size || column >= size) continue
        const at = row * size + column
        found.push(labOf(planes[at]!, planes[size * size + at]!, planes[2 * size * size + at]!))
      }
    }
    return found
  })
  const usual = (channel: keyof LabColour) => median(colours.map((colour) => colour[channel])) ?? 0
  return { lightness: usual('lightness'), a: usual('a'), b: usual('b') }
}

const backgroundFeed: Feed = { size: 64, channels: 'grey', scale: 1, offset: 0 }
/** The side of the square that counts as the surroundings, in face widths. */
const surroundingFaces = 3
/** The minimum number of samples for a background measurement. */
const leastOfBackground = 200

/** The mean gradient next to and above the head. The area below is skipped because every portrait shows shoulders there. */
function backgroundGradient(picture: Picture, { points }: Mesh): number | undefined {
  const { size } = backgroundFeed
  const face = boundingBox(points)
  const side = surroundingFaces * face.width
  const left = face.x + face.width / 2 - side / 2
  const top = face.y + face.height / 2 - side / 2
  const grey = picture.stretch({ x: left, y: top, width: side, height: side }, backgroundFeed).data
  const isBackground = (column: number, row: number) => {
    const x = left + ((column + 0.5) / size) * side
    const y = top + ((row + 0.5) / size) * side
    const isInPicture = x > 1 && y > 1 && x < picture.width - 1 && y < picture.height - 1
    const isHead =
      Math.hypot(
        (x - face.x - face.width / 2) / (0.8 * face.width),
        (y - face.y - 0.4 * face.height) / (0.95 * face.height),
      ) < 1
    return isInPicture && !isHead && y < face.y + 0.9 * face.height
  }
  let sum = 0
  let count = 0
  for (let row = 1; row < size - 1; row++) {
    for (let column = 1; column < size - 1; column++) {
      if (!isBackground(column, row)) continue
      const at = row * size + column
      sum += Math.hypot(grey[at + 1]! - grey[at - 1]!, grey[at + size]! - grey[at - size]!) / 2
      count++
    }
  }
  return count < leastOfBackground ? undefined : sum / count
}

/** The side of the square that is searched for blocks, in pixels. */
const blocksAcross = 20
const block = 8
/** The minimum step between neighbours, in grey levels. Below it, the picture is too flat to show any blocks. */
const leastStep = 0.5

/**
 * Steps of luminance across the borders of the 8 x 8 blocks of JPEG relative to those between other neighbours, on the
 * picture's original pixels around the face (after Wang, Sheikh and Bovik 2002).
 */
function blockinessOf(picture: Picture, { points }: Mesh): number | undefined {
  const face = boundingBox(points)
  const blocks = Math.min(blocksAcross, Math.floor(Math.min(face.width, face.height) / block))
  if (blocks < 4) return undefined
  const size = blocks * block + 1
  const aligned = (from: number, length: number) =>
    Math.max(0, block * Math.round((from + length / 2 - size / 2) / block)) - 1
  const x = aligned(face.x, face.width)
  const y = aligned(face.y, face.height)
  const grey = picture.warp([1, 0, x, 0, 1, y], { size, channels: 'grey', scale: 1, offset: 0 }).data
  const steps = { border: 0, borders: 0, inner: 0, inners: 0 }
  const add = (step: number, isBorder: boolean) => {
    steps[isBorder ? 'border' : 'inner'] += Math.abs(step)
    steps[isBorder ? 'borders' : 'inners']++
  }
  for (let row = 1; row < size; row++) {
    for (let column = 1; column < size; column++) {
      const at = row * size + column
      add(grey[at]! - grey[at - 1]!, (column - 1) % block === 0)
      add(grey[at]! - grey[at - size]!, (row - 1) % block === 0)
    }
  }
  const mean = (sum: number, count: number) => Math.max(leastStep, sum / count)
  return mean(steps.border, steps.borders) / mean(steps.inner, steps.inners)
}
