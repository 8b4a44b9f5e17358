import { expect, test } from 'vitest'
import { enlarged } from '#models/pipeline/enlarged.ts'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'
import { grey } from '../../support/drawn/frames.ts'
import { seenIn } from '../../support/seen.ts'

test('results from a smaller copy are given in pixels of the picture', () => {
  const seen = seenIn({ person: 'anna', others: 2 }, { faces: 2 })
  const large = enlarged(seen, 2)
  expect(large).toMatchObject({ width: 1280, height: 960 })
  expect(large.face).toBe(large.faces[0])
  const [small, face] = [seen.faces[1]!, large.faces[1]!]
  expect(face.box).toEqual({
    x: small.box.x * 2,
    y: small.box.y * 2,
    width: small.box.width * 2,
    height: small.box.height * 2,
  })
  expect(face.landmarks[5]).toBe(small.landmarks[5]! * 2)
  expect(face.fit).toEqual({
    centre: { x: small.fit.centre.x * 2, y: small.fit.centre.y * 2, z: small.fit.centre.z * 2 },
    scale: small.fit.scale * 2,
    rotation: small.fit.rotation,
  })
  expect(large.others[0]!.box.width).toBe(seen.others[0]!.box.width * 2)
  expect([face.pose, face.embedding]).toEqual([small.pose, small.embedding])
})

test('a pipeline enlarges results from a reduced frame, and nothing else', async () => {
  const frame = grey(256, 200, () => 90)
  const pipeline = () => createPipeline(new FakeNetworks().open, () => 0)
  const whole = await pipeline().analyse(frame, {})
  const shrunk = await pipeline().analyse({ ...frame, shrunk: 2 }, {})
  expect([whole.width, shrunk.width, shrunk.height]).toEqual([256, 512, 400])
  expect(shrunk.face?.box.width).toBe(whole.face!.box.width * 2)
})
