import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type DataSet, filesOf, readSets } from '#lab/evaluate/data-set.ts'
import { keptEmbeddings } from '#lab/evaluate/recognition/kept-embeddings.ts'
import type { PackName } from '#models/rules/packs.ts'

const folder = mkdtempSync(join(tmpdir(), 'kept-embeddings-'))
const file = join(folder, 'kept', 'faces.jsonl')
afterAll(() => rmSync(folder, { recursive: true }))

let asked: string[] = []

/** Finds a face in every picture except for b.png. */
function keep(set: DataSet, pack: PackName = 'standard') {
  return keptEmbeddings(set, {
    pack,
    file,
    see: async (part) => {
      asked.push(...filesOf(part))
      return part.rows.map((row) => {
        const embedding = Float32Array.of(0.6, -0.8)
        return { file: row.file!, row, face: row.file === 'b.png' ? undefined : { embedding } }
      })
    },
  })
}

describe('stored embeddings', () => {
  writeFileSync(join(folder, 'labels.csv'), 'file,identity\na.png,anna\nb.png,ben\nc.png,anna\n')
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.png`), name)
  const set = readSets(folder)[0]!

  beforeEach(() => {
    asked = []
    rmSync(file, { force: true })
  })

  test('are computed once; a picture without a face is remembered, too', async () => {
    const first = await keep(set)
    expect(asked).toEqual(['a.png', 'b.png', 'c.png'])
    asked = []
    expect(await keep(set)).toEqual(first)
    expect(asked).toEqual([])
    expect(first).toEqual([
      { person: 'anna', embedding: Float32Array.of(0.6, -0.8) },
      { person: 'anna', embedding: Float32Array.of(0.6, -0.8) },
    ])
  })

  test('are recomputed for another pack, and if the bytes have changed', async () => {
    await keep(set)
    asked = []
    await keep(set, 'conservative')
    expect(asked).toHaveLength(3)
    asked = []
    writeFileSync(join(folder, 'c.png'), 'another picture')
    await keep(set)
    expect(asked).toEqual(['c.png'])
  })
})
