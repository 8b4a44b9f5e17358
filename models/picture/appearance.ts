import type { Appearance, LabColour } from '#models/rules/analysis.ts'
import { boundingBox, eyeLine, type Mesh, meanPoint } from '#models/rules/face/mesh.ts'
import { median } from '#models/rules/median.ts'
import type { Feed } from './feed.ts'
import { invert, regionToPicture, transform } from './geometry.ts'
import { labOf } from './lab-colour.ts'
import type { Picture } from './picture.ts'

const faceFeed: Feed = { size: 96, channels: 'RGB', scale: 1, offset: 0 }
/** Side of the crop relative to the larger side of the mesh. */
const faceMargin = 1.15
/** Half the side of a patch relative to the distance of the outer corners of the eyes. */
const patchReach = 0.06

type Patch = readonly (readonly number[])[]

/** The places at which each colour is read, each the mean of some landmarks; for lips, between their outer and inner edge. */
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

/** Colours of the face, and properties of its surroundings and compression: see `Appearance`. */
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

/** The median of each channel over squares at the places, ignoring parts outside the crop. */
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
/** Side of the square that counts as surroundings, in widths of the face. */
const surroundingFaces = 3
/** Fewer samples say nothing about a background. */
const leastOfBackground = 200

/** Mean gradient next to and above the head. The shoulders below are in every portrait. */
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

/** Side of the square in which blocks are searched, in pixels. */
const blocksAcross = 20
const block = 8
/** Lower bound for steps between neighbours, in grey levels, since a flat picture shows no blocks. */
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
