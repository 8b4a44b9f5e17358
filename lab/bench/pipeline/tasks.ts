import type { AnalysisStages } from '../../../models/rules/analysis.ts'
import { type Pack, type PackName, packs } from '../../../models/rules/packs.ts'

/**
 * Questions for the pipeline, named like their figures. `all` asks everything, with all second looks that a server takes. `once` asks everything
 * with a single look, which is all that the rival does.
 */
export const tasks = {
  detect: {},
  embed: { embedding: true },
  once: { liveness: 'light', embedding: true, demographic: 'light', expression: 'light', eyes: true },
  all: { liveness: 'full', embedding: true, demographic: 'full', expression: 'full', eyes: true },
} as const satisfies Record<string, AnalysisStages>

export type Task = keyof typeof tasks

/** Sent by the parent: first the pictures, then one task per round. */
export type Order = { readonly pictures: readonly string[] } | { readonly task: Task }

/** The processor and wall time for all pictures in milliseconds, and the process's peak memory. */
export interface Round {
  readonly busy: number
  readonly clock: number
  /** The part of `busy` spent on decoding, or 0 if nothing was decoded. */
  readonly decoding: number
  /** The number of pictures in which a face was found. */
  readonly faces: number
  readonly peakMiB: number
}

/** A side's pack and the folder with the installed packs, both taken from the command line. */
export function packOfSide(): { readonly pack: Pack; readonly packsFolder: string | undefined } {
  const [name, packsFolder] = process.argv.slice(2)
  return { pack: packs[name as PackName], packsFolder }
}

/** This process's processor time over all threads, in milliseconds. */
export function busyMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Follows the parent's orders one after another until it disconnects. */
export function serveRounds(
  prepare: (
    pictures: readonly Buffer[],
  ) => Promise<(task: Task) => Promise<Pick<Round, 'decoding' | 'faces'>>>,
): void {
  let run: ((task: Task) => Promise<Pick<Round, 'decoding' | 'faces'>>) | undefined
  process.on('disconnect', () => process.exit())
  process.on('message', async (order: Order) => {
    if ('pictures' in order) {
      run = await prepare(order.pictures.map((text) => Buffer.from(text, 'base64')))
      process.send!('ready')
      return
    }
    const [busy, clock] = [busyMilliseconds(), performance.now()]
    const result = await run!(order.task)
    const round: Round = {
      ...result,
      busy: busyMilliseconds() - busy,
      clock: performance.now() - clock,
      peakMiB: process.resourceUsage().maxRSS / 1024,
    }
    process.send!(round)
  })
}
