import '../../../long-alone.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { livingFootage } from '#lab/attacks/instruments/played.ts'
import { type FilmCast, filmed } from '#lab/attacks/people/films.ts'
import { type Footage, restIn } from '#lab/attacks/people/footage.ts'
import { openMaterials } from '#lab/attacks/people/materials.ts'
import { readRaster } from '#lab/pictures/raster.ts'
import { createPipeline, type Pipeline } from '#models/pipeline/pipeline.ts'
import { guide, noGuidance } from '#web/capture/analysis/guidance.ts'
import { ovalShare } from '#web/capture/analysis/oval.ts'
import { thresholds as t } from '#web/capture/analysis/thresholds.ts'
import type { Hint } from '#web/wording/findings.ts'
import { openRuntime } from '#workers/node/runtime.ts'
import { scaled } from '../../../support/scaled.ts'
import { hasSharedData, needsSharedData, readTable, spreadOver } from '../../../support/shared-data.ts'

const sizes = [0.2, 0.3, 0.4, 0.6, 0.8, 1, 1.3, 1.6, 2]
/** In the middle and on both sides. */
const places = [
  [0, 0],
  [0.2, 0.1],
  [-0.25, -0.1],
] as const
/** How many people to use. By default, a few people at webcams, because reading all their clips for the first time takes minutes. */
const people = process.env.DISTANCE_PEOPLE
const few = 4
/** How many milliseconds pass between two of a page's analyses. */
const pace = 70
/** The share of a limit within which either hint is right. */
const blurred = 0.12

/** True if the hint for a distance is right for a face of this size, in multiples of the oval's width. */
function isRight(hint: Hint | null, fill: number, isCentred: boolean): boolean {
  const isFar = fill < t.tooSmall.appear * (1 - blurred)
  const isNear = fill > t.tooLarge.appear * (1 + blurred)
  if (isFar) return hint === 'closer'
  if (isNear) return hint === 'back'
  const mayBeFar = fill < t.tooSmall.clear * (1 + blurred)
  const mayBeNear = fill > t.tooLarge.clear * (1 - blurred)
  if (hint === 'closer') return mayBeFar
  if (hint === 'back') return mayBeNear
  return hint !== 'showFace' && (hint !== 'intoPicture' || !isCentred || mayBeNear)
}

function atWebcams(): FilmCast {
  const set = 'live-webcam'
  const living = readTable('liveness', set, 'labels.csv').filter(({ label }) => label === 'live')
  const chosen = spreadOver([...new Set(living.map(({ subject }) => subject))], few)
  return {
    name: 'at webcams',
    set,
    which: ({ label, subject }) => label === 'live' && chosen.includes(subject),
  }
}

describe.skipIf(!hasSharedData)(`what a page says of the distance${needsSharedData}`, () => {
  let pipeline: Pipeline
  let footage: readonly Footage[]
  beforeAll(async () => {
    const { open } = await openRuntime()
    pipeline = createPipeline(open, () => clock)
    const materials = await openMaterials('../shared/data')
    footage =
      people === undefined
        ? await filmed(materials, [atWebcams()])
        : spreadOver(await livingFootage(materials), Number(people))
  }, 300_000)
  let clock = 0

  /** The hint that is on screen one second after a person has moved into the picture. */
  async function saidOf(person: Footage, size: number, [right, down]: readonly [number, number]) {
    const rest = restIn(person)!
    const shot = person.shots[rest.straight[rest.straight.length >> 1]!]!
    const frame = scaled(await readRaster(await shot.read()), size, right, down)
    const stream = pipeline.stream()
    let memory = noGuidance
    const from = clock
    for (; clock - from <= 1000; clock += pace) memory = guide(memory, await stream.next(frame, {}), clock)
    const fill = (rest.rest.size * size) / ovalShare(frame.width / frame.height)
    return { hint: memory.shown, fill }
  }

  test('is right within a second for people from far to near, in the middle and to the sides', {
    timeout: 3_600_000,
  }, async () => {
    const wrong: string[] = []
    let all = 0
    for (const [index, person] of footage.entries()) {
      for (const size of sizes) {
        for (const place of places) {
          const { hint, fill } = await saidOf(person, size, place)
          all++
          if (!isRight(hint, fill, place[0] === 0))
            wrong.push(`${index}: ${size} at ${place}: ${hint} of ${fill.toFixed(2)}`)
        }
      }
    }
    console.log(
      `${footage.length} people: the right words in ${all - wrong.length} of ${all} places within a second`,
    )
    expect(wrong.length / all, wrong.join('\n')).toBeLessThanOrEqual(0.05)
  })
})
