import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mayBind } from '#server/features/sessions/passkeys/binding.ts'
import type { Passkey, PasskeyStanding } from '#server/features/sessions/records/passkey-store.ts'
import { openRealAnalysis } from '../../../../support/real-analysis.ts'
import { hasSharedData, needsSharedData, readShared, spreadOver } from '../../../../support/shared-data.ts'

const embeddingModel = 'fr-feature/2' as const
const folder = ['recognition', 'lfw'] as const

const personIn = (file: string | undefined) => file?.split('__')[0]

/** The first two photographs of `count` people each. */
function pairsOf(count: number): [string, string][] {
  const all = readdirSync(resolve(import.meta.dirname, '../../../../../../shared/data', ...folder))
  const files = all.filter((file) => file.endsWith('.jpg')).sort()
  const pairs = files.flatMap((file, i): [string, string][] => {
    const [before, next] = [files[i - 1], files[i + 1]]
    const isFirst = personIn(before) !== personIn(file)
    return isFirst && next !== undefined && personIn(next) === personIn(file) ? [[file, next]] : []
  })
  return spreadOver(pairs, count)
}

describe.skipIf(!hasSharedData)(`photographs of twelve people${needsSharedData}`, () => {
  test('let the person bind a further passkey, and no stranger, with the device or after a reset', async () => {
    const analysis = await openRealAnalysis()
    const faceIn = async (file: string) => {
      const { face } = await analysis.analyse(
        readShared(...folder, file),
        { embedding: true } as never,
        {} as never,
      )
      return { embedding: [...face!.embedding!], embeddingModel }
    }
    const people = []
    for (const [first, later] of pairsOf(12))
      people.push({ bound: await faceIn(first), seen: await faceIn(later) })
    const device = { credentialId: 'device' } as Passkey
    let known = 0
    for (const { bound: face, seen } of people) {
      const standing = (bound: Passkey[]) => ({ bound, face }) as unknown as PasskeyStanding
      const may = (other: typeof seen) => [
        mayBind(standing([device]), { face: other, shown: 'device' }),
        mayBind(standing([]), { face: other }),
      ]
      expect(mayBind(standing([device]), { face: seen })).toBe(false)
      if (may(seen).every(Boolean)) known++
      for (const stranger of people)
        if (stranger.bound !== face) expect(may(stranger.seen)).toEqual([false, false])
    }
    expect(known).toBeGreaterThanOrEqual(11)
  })
})
