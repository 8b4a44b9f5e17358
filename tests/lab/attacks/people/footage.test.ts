import { describe, expect, test } from 'vitest'
import { type Footage, peakOf, restIn, type Shot } from '#lab/attacks/people/footage.ts'
import type { Look } from '#lab/attacks/people/looks.ts'

const straight: Look = {
  yaw: 2,
  pitch: 1,
  size: 0.4,
  smile: 0.5,
  happy: 0.1,
  eyeOpenness: 0.3,
  faceWidth: 200,
}

function shot(look: Partial<Look> | undefined, labelled?: string): Shot {
  return {
    read: async () => Buffer.alloc(0),
    clip: 'one',
    look: look && { ...straight, ...look },
    ...(labelled !== undefined && { labelled }),
  }
}

const calm = Array.from({ length: 6 }, () => shot({}))
const turn = [5, 15, 25, 32, 20, 8].map((yaw) => shot({ yaw: yaw + 2 }))
const clip: Footage = { name: 'somebody', shots: [...calm, ...turn, shot(undefined)] }

describe('footage', () => {
  test('is at rest while the head hardly moves', () => {
    const { rest, straight: run } = restIn(clip)!
    expect([rest.yaw, rest.pitch, rest.eyeOpenness]).toEqual([2, 1, 0.3])
    expect(run.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('is never at rest if the person does not look at the camera', () => {
    expect(restIn({ name: 'aside', shots: [shot({ yaw: 40 }), shot(undefined)] })).toBeUndefined()
  })

  test('shows a movement at its peak', () => {
    const rest = restIn(clip)!
    expect(peakOf(clip, rest, 'turnLeft')).toEqual({ index: 9, strength: 32 / 15 })
    expect(peakOf(clip, rest, 'lookUp')!.strength).toBeLessThan(0.1)
  })

  test('trusts a table of segments more than the mesh', () => {
    const labelled = { name: 'told', shots: [...calm, ...turn, shot({ yaw: 20 }, 'turnLeft')] }
    expect(peakOf(labelled, restIn(labelled)!, 'turnLeft')!.index).toBe(12)
  })
})
