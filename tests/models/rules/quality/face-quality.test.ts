import { readFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { rgbaOf } from '#models/picture/frame.ts'
import { createPipeline, type Pipeline } from '#models/pipeline/pipeline.ts'
import {
  type FaceQuality,
  poorComponents,
  qualityOf,
  wantedForQuality,
} from '#models/rules/quality/face-quality.ts'
import { type QualityComponent, qualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { decodeImage } from '#workers/node/image-decoder.ts'
import { openRuntime } from '#workers/node/runtime.ts'

const astronaut = readFileSync('tests/support/pictures/astronaut.png')

let pipeline: Pipeline
let unharmed: FaceQuality
beforeAll(async () => {
  const { open } = await openRuntime()
  pipeline = createPipeline(open, () => performance.now())
  unharmed = await qualityIn(astronaut)
})

async function qualityIn(picture: Uint8Array): Promise<FaceQuality> {
  const analysis = await pipeline.analyse(rgbaOf(await decodeImage(picture)), wantedForQuality)
  return qualityOf(analysis.face!, analysis)
}

/** A solid-coloured layer over the picture, with an `alpha` from 0 to 255. */
function layer(colour: readonly [number, number, number], alpha: (x: number, y: number) => number) {
  const data = Buffer.alloc(512 * 512 * 4)
  for (let y = 0, i = 0; y < 512; y++)
    for (let x = 0; x < 512; x++, i += 4) data.set([...colour, alpha(x, y)], i)
  return { input: data, raw: { width: 512, height: 512, channels: 4 as const } }
}

/** A medical mask, from the nose to the chin. */
const mask = layer([143, 183, 214], (x, y) =>
  y > 118 && Math.hypot((x - 226) / 44, (y - 125) / 52) < 1 ? 255 : 0,
)
/** A shadow over one half of the face. */
const shadow = layer([0, 0, 0], (x, y) => (x > 225 && x < 305 && y > 30 && y < 200 ? 190 : 0))

interface Harm {
  readonly harm: (picture: Sharp) => Sharp
  /** How much each component must decrease at least. */
  readonly falls: Partial<Record<QualityComponent, number>>
  /** Components that may change as well, because several of them rely on the same light, pixels or position. */
  readonly moves?: readonly QualityComponent[]
}

/** Components that also fall if the networks see less of the face. */
const seenByNetworks = [
  'eyesOpen',
  'expressionNeutrality',
  'mouthOcclusionPrevention',
  'faceOcclusionPrevention',
] as const

const harms: Readonly<Record<string, Harm>> = {
  blurred: {
    harm: (picture) => picture.blur(4),
    falls: { sharpness: 60 },
    moves: [...seenByNetworks, 'marginAboveOfTheFaceImage'],
  },
  darkened: {
    harm: (picture) => picture.linear(0.12, 0),
    falls: { luminanceMean: 60, luminanceVariance: 60, underExposurePrevention: 60, dynamicRange: 25 },
    moves: [...seenByNetworks, 'sharpness', 'naturalColour'],
  },
  'of little contrast': {
    harm: (picture) => picture.linear(0.15, 100),
    falls: { luminanceVariance: 60, dynamicRange: 25 },
    moves: [...seenByNetworks, 'sharpness', 'naturalColour'],
  },
  'shadowed on one side': {
    harm: (picture) => picture.composite([shadow]),
    falls: { illuminationUniformity: 15 },
    moves: [...seenByNetworks, 'luminanceMean', 'luminanceVariance', 'naturalColour', 'sharpness'],
  },
  'rolled to the side': {
    harm: (picture) => picture.rotate(25, { background: '#888' }),
    falls: { headPoseRoll: 15 },
    moves: ['marginAboveOfTheFaceImage'],
  },
  'cut at its right': {
    harm: (picture) => picture.extract({ left: 0, top: 0, width: 258, height: 512 }),
    falls: { rightwardCropOfTheFaceImage: 50 },
    moves: ['luminanceVariance'],
  },
  'cut above': {
    harm: (picture) => picture.extract({ left: 0, top: 60, width: 512, height: 452 }),
    falls: { marginAboveOfTheFaceImage: 40 },
  },
  'cut below': {
    harm: (picture) => picture.extract({ left: 0, top: 0, width: 512, height: 190 }),
    falls: { marginBelowOfTheFaceImage: 80 },
    moves: ['headSize'],
  },
  small: {
    harm: (picture) => picture.resize(128, 128),
    falls: { interEyeDistance: 10, sharpness: 5 },
    moves: ['expressionNeutrality', 'eyesOpen', 'compressionArtifacts'],
  },
  grey: {
    harm: (picture) => picture.grayscale(),
    falls: { naturalColour: 25 },
    moves: ['mouthOcclusionPrevention', 'faceOcclusionPrevention'],
  },
  masked: {
    harm: (picture) => picture.composite([mask]),
    falls: { mouthOcclusionPrevention: 30, faceOcclusionPrevention: 30 },
    moves: [
      'mouthClosed',
      'expressionNeutrality',
      'luminanceVariance',
      'luminanceMean',
      'dynamicRange',
      'headPosePitch',
    ],
  },
}

/** How much components may change if the damage does not concern them. */
const steady = 20

describe('the picture of an astronaut', () => {
  test('has every measured component, each an integer of 0 to 100', () => {
    const { eyesVisible, noHeadCoverings, ...measured } = unharmed.components
    expect([eyesVisible, noHeadCoverings]).toEqual([null, null])
    for (const [name, value] of Object.entries(measured)) {
      expect(Number.isInteger(value) && value! >= 0 && value! <= 100, `${name}: ${value}`).toBe(true)
    }
    expect(Object.keys(unharmed.components).sort()).toEqual([...qualityComponents].sort())
  })

  test.each(Object.entries(harms))('%s loses what that takes, and hardly anything else', async (_, one) => {
    const { components } = await qualityIn(await one.harm(sharp(astronaut)).png().toBuffer())
    const change = (name: QualityComponent) => components[name]! - unharmed.components[name]!
    for (const [name, least] of Object.entries(one.falls))
      expect(-change(name as QualityComponent), name).toBeGreaterThanOrEqual(least)
    const others = qualityComponents.filter(
      (name) => unharmed.components[name] !== null && !(name in one.falls) && !one.moves?.includes(name),
    )
    for (const name of others) expect(Math.abs(change(name)), name).toBeLessThanOrEqual(steady)
  })

  test('falls in compressionArtifacts with each coarser compression, and in nothing else', async () => {
    const compressed = await Promise.all(
      [95, 60, 30, 10].map(async (quality) => qualityIn(await sharp(astronaut).jpeg({ quality }).toBuffer())),
    )
    const values = compressed.map(({ components }) => components.compressionArtifacts!)
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(values[0]).toBeGreaterThan(90)
    expect(values[3]).toBeLessThan(20)
    expect(Math.abs(compressed[2]!.components.sharpness! - unharmed.components.sharpness!)).toBeLessThan(10)
  })

  test('next to a second face of half its size has half the share of a single one', async () => {
    const second = await sharp(astronaut)
      .extract({ left: 150, top: 20, width: 160, height: 200 })
      .resize(112, 140)
      .toBuffer()
    const both = await sharp(astronaut)
      .composite([{ input: second, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const analysis = await pipeline.analyse(rgbaOf(await decodeImage(both)), {
      ...wantedForQuality,
      group: true,
      faces: 2,
    })
    const { singleFacePresent } = qualityOf(analysis.face!, analysis).components
    expect(singleFacePresent).toBeGreaterThan(25)
    expect(singleFacePresent).toBeLessThan(75)
  })

  test('lists its worst components first, none of 50 or above', async () => {
    const blurred = await qualityIn(await sharp(astronaut).blur(4).png().toBuffer())
    expect(blurred.unifiedScore).toBeLessThan(unharmed.unifiedScore)
    const poor = poorComponents(blurred)
    expect(poor).toContain('sharpness')
    const values = poor.map((name) => blurred.components[name]!)
    expect(values).toEqual([...values].sort((a, b) => a - b))
    expect(Math.max(...values)).toBeLessThan(50)
  })
})
