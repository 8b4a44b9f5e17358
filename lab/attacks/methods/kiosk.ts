import type { Product } from '../../../e2e/support/product.ts'
import { call } from '../../../shared/call.ts'
import { createVerification } from '../../../shared/contract/configuration/verification.ts'
import type { Action } from '../../../shared/contract/sessions/session.ts'
import { getSessionResult } from '../../../shared/contract/sessions/session-result.ts'
import {
  captureOf,
  type Device,
  handIn,
  pairDevice,
  planOf,
  type Server,
} from '../../../tests/support/kiosk-device.ts'
import type { FilmKind } from '../films.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { sentOf } from './filmed-moment.ts'
import { type Attempt, attemptOf, type Method, verifiersOf } from './method.ts'

const picturesOfAStep = 4
/** A step is answered after this share of the moment. The rest of its film is sent with the next step. */
const answeredAfter = 0.85

/** A program that has a paired kiosk's key. It reads the plan's actions in advance and makes up its own timestamps. */
export const kiosk: Method = {
  name: 'kiosk',
  is: 'A program holds the key of a paired kiosk: it reads the actions from the plan and writes every time itself.',
  atOnce: 4,
  async open(product, plan) {
    const server = serverOf(product)
    const { verificationId } = await server.call(createVerification, {
      body: { name: 'kiosk', verificationConfig: { verifierConfigs: verifiersOf(plan) } },
    })
    return {
      async attempt(forgery) {
        const device = await pairDevice(server, verificationId)
        const answer = await handIn(server, device, await captured(device, forgery, plan.film))
        return outcomeOf(server, answer.verificationSessionId)
      },
      close: async () => undefined,
    }
  },
}

function serverOf(product: Product): Server {
  return {
    now: Date.now,
    call: (endpoint, { bearer, apiKey = product.apiKey, ...args }) =>
      call(fetch, product.address, endpoint, {
        ...args,
        credential: bearer === undefined ? { apiKey } : { bearer },
      } as never),
  }
}

/** The capture of a visit that followed its plan. */
async function captured(device: Device, forgery: Forgery, film: FilmKind) {
  const plan = easiestOf(device.plans)
  const { actions, actionCount } = planOf(plan)
  const asked: (Action | null)[] = [null, ...actions.slice(0, actionCount)]
  const moments: readonly Moment[] = [...asked.map((action) => action ?? 'start'), 'end']
  const { momentInMilliseconds: length } = forgery
  const frames = []
  const trail = []
  for (const [index, moment] of moments.entries()) {
    const challengeStep = Math.min(index, asked.length - 1)
    const own = await sentOf(forgery, film, moment, picturesOfAStep, index * length)
    frames.push(...own.frames.map((frame) => ({ ...frame, challengeStep })))
    trail.push(...(own.trail ?? []))
  }
  const steps = stepsOf(asked, length)
  return {
    ...captureOf(device, Date.now(), { plan, scenes: [] }),
    steps,
    frames,
    ...(film !== 'none' && { trail }),
  }
}

/** The key gives access to two hundred plans, so pick one without a smile. */
function easiestOf(plans: readonly string[]): string {
  const asks = (plan: string) => planOf(plan).actions.slice(0, planOf(plan).actionCount)
  return plans.find((plan) => !asks(plan).includes('smile')) ?? plans[0]!
}

function stepsOf(asked: readonly (Action | null)[], momentInMilliseconds: number) {
  return asked.map((action, step) => ({
    step,
    action,
    accepted: true,
    startedAt: Math.round(step * momentInMilliseconds),
    endedAt: Math.round((step + answeredAfter) * momentInMilliseconds),
  }))
}

async function outcomeOf(server: Server, verificationSessionId: string): Promise<Attempt> {
  const result = await server.call(getSessionResult, { query: { verificationSessionId } })
  return attemptOf(result)
}
