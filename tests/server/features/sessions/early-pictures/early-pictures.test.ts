import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEarlyPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import { emptyIntake } from '#server/features/sessions/early-pictures/intake.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { fakeJpeg, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { recordOf } from '../../../../support/session-record.ts'
import { consent, openSession, resultOf } from '../../../../support/visit.ts'

/** How a step's pictures are split up: all in the call that ends it, some of them before that call, or all of them before it. */
const ways = ['inOneBody', 'mostEarly', 'allEarly', 'inPieces'] as const
type Way = (typeof ways)[number]

/** A step's pictures, in the order in which they were taken. */
type Pictures = readonly {
  readonly kind: 'frames' | 'trail'
  readonly bytes: string
  readonly time: number
}[]

const anna: Scene = { person: 'anna', happy: 0.1, surface: 'living' }
const turned: Scene = { ...anna, acted: 'turnLeft' }

/** Each visit's scenes: at first, for the action, and after it. */
const visits: Readonly<Record<string, readonly (readonly Scene[])[]>> = {
  passes: [
    [anna, anna, anna],
    [anna, turned, turned],
    [anna, anna],
  ],
  'does not turn': [[anna, anna], [anna, anna], [anna]],
  'is a photograph': [0, 1, 2].map((i) =>
    [anna, i === 1 ? turned : anna].map((scene) => ({ ...scene, live: 0 })),
  ),
  'brings somebody else for the turn': [[anna, anna], [anna, { ...turned, person: 'bert' }], [anna]],
  'turns along with its light': [
    [anna, anna],
    [anna, { ...turned, surface: 'moved' }, { ...turned, surface: 'moved' }],
    [anna],
  ],
  'moves on after the turn': [
    [anna, anna],
    [anna, turned],
    [{ ...anna, acted: 'turnRight' }, anna],
  ],
  'has company in one picture': [[anna, { ...anna, others: 2 }, anna], [anna, turned], [anna]],
}

const hosts: Partial<Record<Way, Host>> = {}
beforeAll(async () => {
  for (const way of ways) hosts[way] = await startHost({ ports: { challengeActions: ['turnLeft'] } })
})
afterAll(() => Promise.all(Object.values(hosts).map((host) => host.close())))

let shots = 0
function picturesOf(scenes: readonly Scene[], step: number): Pictures {
  return scenes.flatMap((scene, i) => {
    const time = 2000 * (step + 1) + i * 300
    const jpeg = (width: number, height: number) =>
      Buffer.from(fakeJpeg({ yaw: (time % 1100) / 500, ...scene, shot: ++shots }, width, height)).toString(
        'base64',
      )
    return [
      { kind: 'frames', bytes: jpeg(640, 480), time },
      { kind: 'trail', bytes: jpeg(128, 96), time },
    ] as const
  })
}

function bodyOf(pictures: Pictures) {
  const of = (kind: 'frames' | 'trail') =>
    pictures.filter((one) => one.kind === kind).map(({ bytes, time }) => ({ bytes, time }))
  return { frames: of('frames'), trail: of('trail') }
}

/** The bodies of the batches and of the call that ends the step. */
function shared(pictures: Pictures, way: Way): readonly Pictures[] {
  if (way === 'inOneBody') return [pictures]
  if (way === 'mostEarly') return [pictures.slice(0, -1), pictures.slice(-1)]
  if (way === 'allEarly') return [pictures, []]
  return [...pictures.map((one) => [one]), []]
}

async function visit(way: Way, steps: readonly Pictures[]) {
  const host = hosts[way]!
  const liveness = { type: 'Verification', challengeType: 'Balanced', leastAssurance: 'low' } as const
  const body = {
    name: `parity ${++shots}`,
    verificationConfig: { verifierConfigs: { liveness, age: { type: 'CalculationOnly' } } },
  } as const
  const { verificationId } = await host.call(createVerification, { body })
  const opened = await openSession(host, verificationId)
  const { bearer } = opened
  let open: number | null = 0
  for (const [i, pictures] of steps.entries()) {
    host.pass(3000)
    const bodies = shared(pictures, way)
    const step: number = open ?? i - 1
    for (const [at, early] of bodies.slice(0, -1).entries()) {
      const batch: number = (i === 2 ? 100 : 0) + at + 1
      await host.call(submitPictures, { bearer, body: { step, batch, ...bodyOf(early) } })
    }
    const last = bodyOf(bodies.at(-1)!)
    if (i < 2 && open !== null) {
      open = (await host.call(submitStep, { bearer, body: { step, ...last } })).next?.step ?? null
    } else {
      const frames = last.frames.map((frame) => ({ ...frame, challengeStep: step }))
      await host.call(submitSession, { bearer, body: { ...last, frames, consent } })
    }
  }
  const { verificationResult, verificationFailedReasons, assurance, totalFaceCount, wouldFail } =
    await resultOf(host, opened)
  const { evidence } = (await recordOf(host, opened))!.outcome!
  return { verificationResult, verificationFailedReasons, assurance, totalFaceCount, wouldFail, evidence }
}

test.each(Object.entries(visits))(
  'a visit that %s ends alike, however its pictures are shared out',
  async (_name, scenes) => {
    const steps = scenes.map(picturesOf)
    const outcomes = []
    for (const way of ways) outcomes.push(await visit(way, steps))
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
    expect(outcomes[0]!.verificationResult).toBe(
      _name === 'passes' || _name.startsWith('has company') ? 'Pass' : 'Fail',
    )
  },
)

describe('a batch whose process has died', () => {
  const batch = {
    step: 0,
    batch: 1,
    frames: 1,
    trail: 0,
    receivedAt: 0,
    digest: '',
    by: 'dead',
    spare: 'other',
  }
  const session = { accountId: 'a', sessionId: 's', expiresAt: 0 }

  function collect(alive: readonly string[]) {
    const value = { ...emptyIntake(), batches: [batch] }
    const pictures = createEarlyPictures({
      intakes: {
        read: async () => ({ value, guard: { key: 'intake', value: undefined } }),
        found: async () => undefined,
        write: () => expect.unreachable(),
        forget: () => expect.unreachable(),
        erased: () => expect.unreachable(),
      },
      analysis: { urge: () => () => undefined, underWay: () => undefined },
      pulse: { by: 'this', isAlive: async (by) => alive.includes(by) },
    })
    return pictures.collect(session)
  }

  test('is waited for while another process that has it lives', async () => {
    await expect(collect(['other'])).rejects.toMatchObject({ code: 'overloaded' })
  })

  test('is given up once nobody has it, and counts against the limits all the same', async () => {
    expect(await collect([])).toMatchObject({ frames: [], film: [], frameCount: 1 })
  })
})
