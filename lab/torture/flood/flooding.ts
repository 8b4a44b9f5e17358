import { setTimeout as pause } from 'node:timers/promises'
import { getAge } from '../../../shared/contract/analysis/demographic.ts'
import { Problem } from '../../../shared/problem.ts'
import { callerOf } from '../caller.ts'
import { crowdPicture, facesOfCrowd } from './crowd.ts'
import { heldPictures } from './held-pictures.ts'
import { floodConnections } from './holders.ts'

/** A flood's target and senders. */
export interface FloodPlan {
  readonly port: number
  readonly origin: string
  readonly apiKey: string
  /** The key of a third account that sends pictures that take a lot of memory to decode, if there is one. */
  readonly heldKey?: string | undefined
  readonly sessionToken: string
}

/** A flood's outcome: crowds answered and rejected, connections opened, and connections closed by the server. */
export interface FloodOutcome {
  readonly answered: number
  readonly refused: number
  readonly faces: number
  /** The number of analysed pictures that take a lot of memory to decode. */
  readonly held: number
  readonly opened: number
  readonly ended: number
}

const heavyCallsAtOnce = 6

/** The flood runs in a separate process, so that it does not slow down the server's observer. The parent process stops it. */
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
  const flooded: FloodOutcome = { ...counts, opened: holders.opened(), ended: holders.ended() }
  process.send!(flooded)
}
