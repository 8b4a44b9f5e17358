import { expect, test } from 'vitest'
import { breadthOf } from '#models/rules/face/flatness.ts'
import { observe } from '#models/rules/observe.ts'
import { noon } from '../../support/drawn/observations.ts'
import { seenIn } from '../../support/seen.ts'

const meta = { step: 1, time: 40, receivedAt: noon, reused: 'none', digest: 'abc' } as const
const analysis = seenIn({ person: 'anna', yaw: 20, others: 1 }, { faces: 1 })
const { face } = analysis

test('observe keeps what the verdict needs, with every crop of the liveness decision', () => {
  const live = { raw: 0.9, blurred: 0.8, near: { raw: 0.7, blurred: 0.6 } }
  const seen = observe({ ...analysis, face: { ...face!, live } }, meta)
  expect(seen).toMatchObject({ ...meta, faceCount: 2, rim: [] })
  expect(seen.face).toMatchObject({ live, breadth: breadthOf(face!.landmarks, face!.fit) })
})

test('observe keeps no pixel', () => {
  expect(Object.keys(observe(analysis, meta).face!)).not.toContain('aligned')
  expect(observe({ ...analysis, face: undefined, faces: [] }, meta).face).toBeNull()
})
