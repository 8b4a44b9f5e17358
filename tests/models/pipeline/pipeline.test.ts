import { describe, expect, test } from 'vitest'
import type { ModelName } from '#models/networks/session.ts'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import type { AnalysisStages } from '#models/rules/analysis.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'
import { grey } from '../../support/drawn/frames.ts'

const frame = grey(256, 256, (x, y) => (x * 3 + y * 5) % 256)

function pipelineOfFakes() {
  const networks = new FakeNetworks()
  const clock = { now: 1000 }
  return { networks, clock, pipeline: createPipeline(networks.open, () => clock.now) }
}

const everything: AnalysisStages = {
  liveness: 'full',
  embedding: true,
  demographic: 'full',
  expression: 'light',
  eyes: true,
  sceneSignature: true,
}

describe('a single picture', () => {
  test.each([
    [{}, []],
    [{ liveness: 'light' }, ['fr-liveness']],
    [{ embedding: true }, ['fr-feature']],
    [{ demographic: 'light' }, ['age-gender']],
    [{ demographic: 'full' }, ['age-gender', 'faceres-deep']],
    [{ expression: 'light' }, ['face-expression']],
    [{ eyes: true }, ['fr-eye']],
    [{ embedding: false, eyes: false }, []],
    [everything, ['fr-liveness', 'face-expression', 'fr-eye', 'fr-feature', 'age-gender', 'faceres-deep']],
  ] as const)('for which %j is requested runs no other stage', async (wanted, stages) => {
    const { networks, pipeline } = pipelineOfFakes()
    await pipeline.analyse(frame, wanted)
    expect(networks.take()).toEqual(['blazeface-short', 'facemesh', ...stages])
    expect(networks.opened).toHaveLength(2 + stages.length)
  })

  test('pauses between its faces if asked to, with the same result', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    let pauses = 0
    const pause = async () => void pauses++
    const whole = await pipeline.analyse(frame, { embedding: true })
    const runs = networks.take()
    expect(await pipeline.analyse(frame, { embedding: true }, pause)).toEqual(whole)
    expect([networks.take(), pauses]).toEqual([runs, 2])
  })

  test.each([
    ['light', 1],
    ['full', 5],
  ] as const)('looks for expressions %s in %d runs', async (expression, runs) => {
    const { networks, pipeline } = pipelineOfFakes()
    await pipeline.analyse(frame, { expression })
    expect(networks.runs.filter((name) => name === 'face-expression')).toHaveLength(runs)
  })

  test.each([
    ['light', 1],
    ['full', 4],
  ] as const)('looks for liveness %s in %d runs', async (liveness, runs) => {
    const { networks, pipeline } = pipelineOfFakes()
    const { face } = await pipeline.analyse(frame, { liveness })
    expect(networks.runs.filter((name) => name === 'fr-liveness')).toHaveLength(runs)
    expect(face!.live?.blurred === undefined).toBe(runs === 1)
  })

  test('contains what was requested and nothing else', async () => {
    const { pipeline } = pipelineOfFakes()
    const { face, sceneSignature, detected, others } = await pipeline.analyse(frame, everything)
    expect(face).toMatchObject({
      age: { prediction: expect.closeTo(30) },
      gender: { male: expect.closeTo(0.733, 3) },
      eyesClosed: { left: expect.closeTo(0.1), right: expect.closeTo(0.1) },
      live: { raw: expect.closeTo(0.965, 2), blurred: expect.closeTo(0.965, 2) },
    })
    expect(face!.embedding!.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1)
    expect(face!.landmarks).toHaveLength(1404)
    expect(face!.aligned).toHaveLength(112 * 112)
    expect(sceneSignature).toHaveLength(1024)
    expect({ detected, others }).toEqual({ detected: true, others: [] })
    const plain = await pipeline.analyse(frame, {})
    for (const name of ['age', 'gender', 'embedding', 'eyesClosed', 'expressions', 'live']) {
      expect(plain.face).not.toHaveProperty(name)
    }
    expect(plain).not.toHaveProperty('sceneSignature')
  })

  test('without a face runs only the detector', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    networks.faces = 0
    expect(await pipeline.analyse(frame, everything)).toMatchObject({ face: undefined, others: [] })
    expect(networks.take()).toEqual(['blazeface-short'])
  })

  test('with a detection that the mesh rejects contains no face', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    networks.present = false
    expect((await pipeline.analyse(frame, everything)).face).toBeUndefined()
    expect(networks.take()).toEqual(['blazeface-short', 'facemesh'])
  })

  test('lists the other faces, and describes the largest', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    networks.faces = 2
    const { face, others } = await pipeline.analyse(frame, {})
    expect(others).toHaveLength(1)
    expect(others[0]!.box.width).toBeLessThan(face!.box.width)
  })

  test.each([
    [undefined, 1, 2],
    [1, 1, 2],
    [2, 2, 1],
    [3, 3, 0],
    [100, 3, 0],
  ])(
    'describes only the requested number of three faces, the dominant ones first: %j',
    async (faces, described, left) => {
      const { networks, pipeline } = pipelineOfFakes()
      networks.faces = 3
      const found = await pipeline.analyse(frame, faces === undefined ? {} : { faces })
      expect(found.faces).toHaveLength(described)
      expect(found.others).toHaveLength(left)
      expect(found.face).toBe(found.faces[0])
      const confidences = found.faces.map(({ confidence }) => confidence)
      expect(confidences).toEqual([...confidences].sort((a, b) => b - a))
    },
  )

  test('of a group is searched by the network for small faces too', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    await pipeline.analyse(frame, { group: true })
    expect(networks.take()).toEqual(['blazeface-short', 'fr-detect', 'facemesh'])
  })

  test.each([
    ['a face', 1, true, ['blazeface-short', 'facemesh'], 1],
    [
      'no face, as a group and then as a face as a whole,',
      0,
      true,
      ['blazeface-short', 'fr-detect', 'facemesh'],
      1,
    ],
    ['no face, and as a whole none,', 0, false, ['blazeface-short', 'fr-detect', 'facemesh'], 0],
  ] as const)('is searched if a selfie shows %s', async (_name, faces, present, ran, found) => {
    const { networks, pipeline } = pipelineOfFakes()
    networks.faces = faces
    networks.present = present
    expect((await pipeline.analyse(frame, { group: 'otherwise' })).faces).toHaveLength(found)
    expect(networks.take()).toEqual(ran)
  })

  /** Too small to be cut into tiles, each of which would show the fake's face. */
  const small = grey(128, 128, (x, y) => (x * 3 + y * 5) % 256)

  test('of a group lists a face once, however often it is detected', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    const { faces, others } = await pipeline.analyse(small, { group: true, faces: 100 })
    expect(networks.runs.filter((name) => name === 'fr-detect')).toHaveLength(2)
    expect([faces.length, others.length]).toEqual([1, 0])
  })

  test('of a group keeps a face that the mesh rejects and both detectors find again', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    networks.present = false
    const { faces, others } = await pipeline.analyse(small, { group: true, faces: 100 })
    expect(faces.map(({ presence }) => presence)).toEqual([expect.closeTo(0, 3)])
    expect(others).toEqual([])
  })

  test('of a selfie contains nothing that the mesh rejects', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    networks.present = false
    expect(await pipeline.analyse(small, {})).toMatchObject({ faces: [], others: [] })
  })

  test('opens each network once for all pictures', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    await Promise.all([pipeline.analyse(frame, { eyes: true }), pipeline.analyse(frame, { eyes: true })])
    expect([...networks.opened].sort()).toEqual(['blazeface-short', 'facemesh', 'fr-eye'])
  })
})

describe('a stream', () => {
  test('tracks the last face instead of detecting it again', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    const stream = pipeline.stream()
    expect((await stream.next(frame, {})).detected).toBe(true)
    networks.take()
    const next = await stream.next(frame, {})
    expect(next).toMatchObject({ detected: false, face: { presence: expect.closeTo(1, 2) } })
    expect(networks.take()).toEqual(['facemesh'])
  })

  test('evaluates one mesh for a tracked frame and two for a detected one', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    const stream = pipeline.stream()
    await stream.next(frame, {})
    expect(networks.runs.filter((name) => name === 'facemesh')).toHaveLength(2)
    networks.take()
    await stream.next(frame, {})
    expect(networks.runs).toEqual(['facemesh'])
  })

  test.each([
    [350, false],
    [351, true],
  ])('looks for others again after %d ms: %j', async (wait, detected) => {
    const { networks, clock, pipeline } = pipelineOfFakes()
    const stream = pipeline.stream()
    await stream.next(frame, {})
    networks.take()
    clock.now += wait
    networks.faces = 2
    const next = await stream.next(frame, {})
    expect(next.detected).toBe(detected)
    expect(next.others).toHaveLength(detected ? 1 : 0)
    expect(networks.take()).toEqual(detected ? ['facemesh', 'blazeface-short'] : ['facemesh'])
  })

  test('remembers the other faces between two detections', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    networks.faces = 2
    const stream = pipeline.stream()
    await stream.next(frame, {})
    expect((await stream.next(frame, {})).others).toHaveLength(1)
  })

  test('detects again when the face is lost, until it is back', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    const stream = pipeline.stream()
    await stream.next(frame, {})
    networks.present = false
    networks.faces = 0
    for (let i = 0; i < 2; i++) {
      networks.take()
      expect(await stream.next(frame, {})).toMatchObject({ face: undefined, detected: true, others: [] })
      expect(networks.take()).toContain('blazeface-short')
    }
    networks.present = true
    networks.faces = 1
    expect((await stream.next(frame, {})).face).toBeDefined()
  })

  test('does not share state with another stream', async () => {
    const { pipeline } = pipelineOfFakes()
    await pipeline.stream().next(frame, {})
    expect((await pipeline.stream().next(frame, {})).detected).toBe(true)
  })

  test('reduces a picture to its scene signature on request', async () => {
    const { pipeline } = pipelineOfFakes()
    expect((await pipeline.stream().next(frame, { sceneSignature: true })).sceneSignature).toHaveLength(1024)
  })
})

describe('a stream while its networks open', () => {
  const wanted = { liveness: 'light', expression: 'light' } as const

  /** Networks that open one at a time, controlled by `open`. */
  function pipelineOfArriving() {
    const networks = new FakeNetworks()
    const arrivals = new Map<ModelName, () => void>()
    const pipeline = createPipeline(
      (name) => new Promise((resolve) => arrivals.set(name, () => resolve(networks.open(name)))),
      () => 1000,
    )
    const open = async (...names: ModelName[]) => {
      for (const name of names) arrivals.get(name)!()
      await new Promise((resolve) => setTimeout(resolve))
    }
    void pipeline.prepare({ ...wanted, eyes: true })
    return { networks, pipeline, open, stream: pipeline.stream('opened') }
  }

  test('waits for the detector, and uses it alone to tell whether there is a face', async () => {
    const { networks, open, stream } = pipelineOfArriving()
    const first = stream.next(frame, wanted)
    await open('blazeface-short')
    const seen = await first
    expect(seen).toMatchObject({
      face: undefined,
      detected: true,
      missing: ['points', 'liveness', 'expression'],
    })
    expect(seen.detectedFace?.confidence).toBeGreaterThan(0.5)
    networks.present = false
    networks.faces = 0
    expect((await stream.next(frame, wanted)).detectedFace).toBeUndefined()
    expect(networks.take()).toEqual(['blazeface-short'])
  })

  test('has more results with each network, and lists the missing ones', async () => {
    const { open, stream } = pipelineOfArriving()
    await open('blazeface-short', 'facemesh')
    const guided = await stream.next(frame, wanted)
    expect(guided.missing).toEqual(['liveness', 'expression'])
    expect(guided.face).toBeDefined()
    expect(guided.face?.live).toBeUndefined()
    await open('face-expression')
    const expressed = await stream.next(frame, wanted)
    expect(expressed.missing).toEqual(['liveness'])
    expect(expressed.face?.expressions).toBeDefined()
    await open('fr-liveness')
    const whole = await stream.next(frame, wanted)
    expect(whole.missing).toBeUndefined()
    expect(whole.face?.live).toBeDefined()
  })

  test('waits for the eyes if they are requested, because an action depends on them', async () => {
    const { open, stream } = pipelineOfArriving()
    await open('blazeface-short', 'facemesh', 'face-expression', 'fr-liveness')
    let isTold = false
    const told = stream.next(frame, { ...wanted, eyes: true }).then((seen) => {
      isTold = true
      return seen
    })
    await open()
    expect(isTold).toBe(false)
    await open('fr-eye')
    expect((await told).face?.eyesClosed).toBeDefined()
  })
})

describe('prepare', () => {
  test('opens the requested networks in the order of need, and runs them', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    await pipeline.prepare({ liveness: 'light', expression: 'light', eyes: true })
    expect(networks.opened).toEqual([
      'blazeface-short',
      'facemesh',
      'face-expression',
      'fr-liveness',
      'fr-eye',
    ])
    expect(networks.take()).toEqual([
      'blazeface-short',
      'facemesh',
      'fr-liveness',
      'face-expression',
      'fr-eye',
    ])
  })

  test('runs nothing while a picture waits', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    await pipeline.prepare({ liveness: 'light' }, () => true)
    expect(networks.take()).toEqual([])
  })

  test('for groups opens their detector next to that for a selfie', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    await pipeline.prepare({ group: true })
    expect([...networks.opened].sort()).toEqual([
      'blazeface-full',
      'blazeface-short',
      'facemesh',
      'fr-detect',
    ])
  })

  test('leaves nothing to be opened for the first picture', async () => {
    const { networks, pipeline } = pipelineOfFakes()
    await pipeline.prepare(everything)
    const opened = networks.opened.length
    await pipeline.analyse(frame, everything)
    expect(networks.opened).toHaveLength(opened)
  })
})

describe('durations', () => {
  test('are reported by the given clock for each stage that ran', async () => {
    const networks = new FakeNetworks()
    let now = 0
    const pipeline = createPipeline(networks.open, () => now++)
    const { durations } = await pipeline.analyse(frame, { embedding: true })
    expect(durations).toEqual({ detection: 1, landmarks: 1, quality: 1, embedding: 1 })
  })
})
