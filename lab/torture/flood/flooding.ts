import { setTimeout as pause } from 'node:timers/promises'
import { getAge } from '../../../shared/contract/analysis/demographic.ts'
import { Problem } from '../../../shared/problem.ts'
import { callerOf } from '../caller.ts'
import { crowdPicture, facesOfCrowd } from './crowd.ts'
import { heldPictures } from './held-pictures.ts'
import { floodConnections } from './holders.ts'

/** What is flooded, and by whom. */
export interface FloodPlan {
  readonly port: number
  readonly origin: string
  readonly apiKey: string
  /** Of a third account, which sends pictures of which a decoder holds much, where one does. */
  readonly heldKey?: string | undefined
  readonly sessionToken: string
}

/** What came of it: crowds that were answered and refused, connections that were opened, and ended by the server. */
export interface Flooded {
  readonly answered: number
  readonly refused: number
  readonly faces: number
  /** Pictures of which a decoder holds much that were analysed. */
  readonly held: number
  readonly opened: number
  readonly ended: number
}

const heavyCallsAtOnce = 6

/** The flood is a process of its own, so that whoever watches the server is not delayed by it; its parent tells when to end. */
const plan = JSON.parse(process.argv[2]!) as FloodPlan
const image = { bytes: (await crowdPicture()).toString('base64') }
const heavy = callerOf(plan.origin, plan.apiKey)
const counts = { answered: 0, refused: 0, faces: 0, held: 0 }
let goesOn = true
const holders = floodConnections(plan.port, { ...plan, image: image.bytes })
const asking = Promise.all([
  ...Array.from({ length: heavyCallsAtOnce }, askWithCrowds),
  askWithHeld(plan.heldKey),
])
process.once('message', () => void end())
process.send!('flooding')

async function askWithCrowds(): Promise<void> {
  while (goesOn)
    await unlessRefused(async () => {
      const { faces } = await heavy.call(getAge, { body: { image, maxFaceCount: facesOfCrowd } })
      counts.answered++
      counts.faces += faces?.length ?? 0
    })
}

async function askWithHeld(key: string | undefined): Promise<void> {
  if (key === undefined) return
  const third = callerOf(plan.origin, key)
  const held = (await heldPictures()).map((bytes) => ({ bytes: bytes.toString('base64') }))
  for (let i = 0; goesOn; i++)
    await unlessRefused(async () => {
      await third.call(getAge, { body: { image: held[i % held.length]! } })
      counts.held++
    })
}

async function unlessRefused(ask: () => Promise<void>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    counts.refused++
    await pause(100)
  }
}

async function end(): Promise<void> {
  goesOn = false
  holders.end()
  await asking
  const flooded: Flooded = { ...counts, opened: holders.opened(), ended: holders.ended() }
  process.send!(flooded)
}
