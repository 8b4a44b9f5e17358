import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { blocksOf, writeGallery } from '#lab/bench/search/gallery.ts'
import { inventedPeople } from '#lab/bench/search/invented-people.ts'
import { judge } from '#lab/bench/search/judge.ts'
import { truthOf } from '#lab/bench/search/truth.ts'
import { packSamples } from '#lab/evaluate/recognition/samples.ts'
import { cosine } from '#models/rules/similarity.ts'

const folder = mkdtempSync(join(tmpdir(), 'search-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the gallery of the search bench', () => {
  const people = inventedPeople(1).slice(0, 400)
  const samples = packSamples(
    people.map(({ embedding }) => embedding),
    people.map(({ person }) => person),
  )
  const several = 100

  test('holds every person with several pictures and searches for them by another one; the truth is that of a scan', async () => {
    const gallery = await writeGallery(join(folder, 'faces'), samples, 2500, 1)
    const faces: Float32Array[] = []
    for await (const block of blocksOf(gallery.file, gallery.length, 2500))
      for (let at = 0; at < block.length; at += gallery.length)
        faces.push(block.slice(at, at + gallery.length))
    expect(faces).toHaveLength(2500)
    expect(gallery.queries).toHaveLength(2 * several)

    const [small, whole] = await truthOf(gallery, [1000, 2500])
    for (const [i, query] of gallery.queries.entries()) {
      const likeness = faces.map((face) => cosine(face, query))
      expect(whole![i]!.cosine).toBeCloseTo(Math.max(...likeness), 4)
      expect(likeness[whole![i]!.face]).toBeCloseTo(whole![i]!.cosine, 4)
      expect(small![i]!.cosine).toBeCloseTo(Math.max(...likeness.slice(0, 1000)), 4)
    }
    const own = whole!.slice(0, several).map(({ face }) => face)
    expect(new Set(own).size).toBe(several)
    expect(Math.max(...whole!.slice(several).map((one) => one.cosine))).toBeLessThan(0.95)
  })
})

describe('a rival of the search bench', () => {
  const truth = [
    { face: 1, cosine: 0.8 },
    { face: 2, cosine: 0.7 },
    { face: 3, cosine: 0.2 },
    { face: 4, cosine: 0.1 },
  ]
  const queryMs = [1, 2, 3, 4]

  test('is right if it names the nearest face that reaches the threshold, and wrong if it names another one', () => {
    const found = [{ face: 1, cosine: 0.8 }, { face: 9, cosine: 0.6 }, undefined, { face: 4, cosine: 0.6 }]
    expect(judge({ queryMs, found }, truth, 0.5)).toMatchObject({ recallAt1: 0.5, falseFinds: 1 })
  })

  test('has named no face if its answer does not reach the threshold', () => {
    const found = [undefined, { face: 2, cosine: 0.7 }, { face: 3, cosine: 0.2 }]
    const judged = judge({ queryMs, found }, truth, 0.5)
    expect(judged).toMatchObject({ recallAt1: 0.5, falseFinds: 0, queries: 3 })
  })

  test('gets its speed reported', () => {
    expect(judge({ queryMs, found: [] }, truth, 0.5)).toMatchObject({
      p50Ms: 2.5,
      p99Ms: expect.closeTo(3.97),
    })
  })
})
