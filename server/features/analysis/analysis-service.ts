import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Analysis, Wanted } from '#workers/api.ts'

/** On whose behalf a picture is analysed, and for how long somebody waits for it. */
export interface AnalysisRequest {
  readonly accountId: string
  readonly signal: AbortSignal
  /** What the request holds in memory; a picture that is fetched counts for it too. */
  readonly lease?: Pick<Lease, 'take'>
  /** True while nobody waits for the picture yet: it waits until the account has nothing else to analyse. Asked each time when a worker is free. */
  readonly isEarly?: () => boolean
  /** Grows by as many usual analyses as this one counts as, besides the first. */
  extraUses?: number
}

/** The port behind which pictures are analysed; away from the event loop. */
export interface AnalysisService {
  /** How many pictures are worked on at once. */
  readonly parallel: number
  /**
   * @throws {Problem} unreadable_image; overloaded when the queue is full, for all or for the account
   * @throws the signal's reason when the client has hung up; its place is free again
   */
  analyse(picture: Uint8Array, wanted: Wanted, request: AnalysisRequest): Promise<Analysis>
  close(): Promise<void>
}
