import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Analysis, Wanted } from '#workers/api.ts'

/** The account for which a picture is analysed, and the signal that ends the wait for it. */
export interface AnalysisRequest {
  readonly accountId: string
  readonly signal: AbortSignal
  /** Memory held by the request; a fetched picture counts towards it. */
  readonly lease?: Pick<Lease, 'take'>
  /** Incremented by the number of usual analyses that this one counts as, beyond the first. */
  extraUses?: number
}

/** The port that analyses pictures outside the event loop. */
export interface AnalysisService {
  /** Number of pictures that are processed in parallel. */
  readonly parallel: number
  /**
   * @throws {Problem} unreadable_image; overloaded if the queue is full, in total or for the account
   * @throws the signal's reason if the client has disconnected; its place is then free again
   */
  analyse(picture: Uint8Array, wanted: Wanted, request: AnalysisRequest): Promise<Analysis>
  close(): Promise<void>
}
