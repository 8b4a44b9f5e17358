import type { Analysis, Wanted } from '#workers/api.ts'

/** The port behind which pictures are analysed; away from the event loop. */
export interface AnalysisService {
  /** How many pictures are worked on at once. */
  readonly parallel: number
  /**
   * @throws {Problem} unreadable_image; overloaded when the queue is full
   * @throws the signal's reason when the client has hung up; its place is free again
   */
  analyse(picture: Uint8Array, wanted: Wanted, signal: AbortSignal): Promise<Analysis>
  close(): Promise<void>
}
