import { createHash } from 'node:crypto'
import type { Analysis, Wanted } from '#models/rules/analysis.ts'
import type { FrameMeta, Observation } from '#models/rules/observation.ts'
import type { AnalysisService } from '#server/analysis/analysis-service.ts'
import { unreadableFrame } from '#server/sessions/pictures/frames.ts'
import type { PictureMemory } from '#server/sessions/pictures/picture-memory.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import { Problem } from '#shared/problem.ts'

/** Turns an analysis into what the verdict may read. */
export type Observe = (analysis: Analysis, meta: FrameMeta) => Observation

export interface Picture {
  readonly bytes: Uint8Array
  readonly time: number
  readonly step: number
}

interface Dependencies {
  analysis: AnalysisService
  memory: PictureMemory
  observe: Observe
}

interface Request {
  session: Pick<SessionRecord, 'sessionId' | 'accountId' | 'created'>
  wanted: Wanted
  receivedAt: number
}

/**
 * Looks at pictures with the server's own analysis; as many at once as there are workers.
 * [Note: What was handed in is judged] also when the page is gone by then: its retry, or the integrator, finds the result.
 */
export type Watch = (pictures: readonly Picture[], request: Request) => Promise<Observation[]>

/** [Note: Age and gender are read at rest] They cost most and are worth least while the head moves. */
function wantedOf({ step }: Picture, { demographic, ...wanted }: Wanted): Wanted {
  return step === 0 && demographic ? { ...wanted, demographic } : wanted
}

export function createWatch({ analysis, memory, observe }: Dependencies): Watch {
  async function look(
    picture: Picture,
    index: number,
    request: Request,
    signal: AbortSignal,
  ): Promise<Observation> {
    const { session } = request
    const { accountId } = session
    const found = await analysis
      .analyse(picture.bytes, wantedOf(picture, request.wanted), { accountId, signal })
      .catch((error) => {
        throw error instanceof Problem && error.code === 'unreadable_image' ? unreadableFrame(index) : error
      })
    const remembers = request.wanted.liveness !== undefined
    const reused = remembers ? await memory.reuseOf(session, picture.bytes, found) : 'none'
    const { step, time } = picture
    const digest = remembers ? digestOf(picture.bytes) : ''
    return observe(found, { step, time, receivedAt: request.receivedAt, reused, digest })
  }

  return async (pictures, request) => {
    const { signal } = new AbortController()
    const seen = new Array<Observation>(pictures.length)
    let next = 0
    async function lane(): Promise<void> {
      for (let index = next++; index < pictures.length; index = next++) {
        seen[index] = await look(pictures[index]!, index, request, signal)
      }
    }
    await Promise.all(Array.from({ length: Math.min(analysis.parallel, pictures.length) }, lane))
    return seen
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}
