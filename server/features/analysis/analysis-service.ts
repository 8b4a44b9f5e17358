import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Analysis, AnalysisStages } from '#workers/api.ts'

/** The account for which a picture is analysed, and the signal that ends the wait. */
export interface AnalysisRequest {
  readonly accountId: string
  readonly signal: AbortSignal
  /** Memory reserved by the request. A fetched picture counts towards it. */
  readonly lease?: Pick<Lease, 'take'>
  /** True while no request is waiting for the picture. It then gives way to the account's other pictures. Checked when a worker is free. */
  readonly isEarly?: () => boolean
  /** Incremented by the number of typical analyses that this one counts as, minus the first. */
  extraUses?: number
}

/** The port that analyses pictures outside the event loop. */
export interface AnalysisService {
  /** How many pictures are processed in parallel. */
  readonly parallel: number
  /**
   * @throws {Problem} unreadable_image; overloaded if the queue is full, in total or for the account
   * @throws the signal's reason if the client has disconnected; its place is then free again
   */
  analyse(picture: Uint8Array, wanted: AnalysisStages, request: AnalysisRequest): Promise<Analysis>
  close(): Promise<void>
}
