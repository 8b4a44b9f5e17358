import type { Analysis, AnalysisStages } from '#models/rules/analysis.ts'
import type { OfflineDecision, OfflineEvidence } from '#models/rules/offline-decision.ts'

export type {
  Analysis,
  AnalysisStages,
  Box,
  DetectedFace,
  Expressions,
  FaceAnalysis,
  Pose,
  Quality,
} from '#models/rules/analysis.ts'
export type { OfflineDecision, OfflineEvidence, OfflineRules } from '#models/rules/offline-decision.ts'

/**
 * The API of the analysis worker in the page and on the server. `Input` is the environment's picture: an ImageBitmap
 * (transferred) in the browser, the bytes of a JPEG or PNG on the server.
 */
export interface AnalysisApi<Input> {
  /** Loads the networks that `wanted` needs and runs each once. */
  prepare(wanted: AnalysisStages): Promise<void>
  /** A single picture. */
  analyse(picture: Input, wanted: AnalysisStages): Promise<Analysis>
  /** The next picture of a stream: follows the previous one's face, and runs the detector periodically or when the face is lost. */
  follow(picture: Input, wanted: AnalysisStages): Promise<Analysis>
  /** Resets the stream. */
  forget(): Promise<void>
}

/** A finished analysis, or the handle of one that continues with the remaining faces. */
export type Piece = { readonly analysis: Analysis } | { readonly rest: number }

/** The server's worker analyses a picture in pieces, so that others can run between its faces; and it can be ended. */
export interface ThreadApi extends AnalysisApi<Uint8Array> {
  /** The first piece of a picture: the indivisible stages, then some tens of milliseconds of faces. */
  begin(picture: Uint8Array, wanted: AnalysisStages): Promise<Piece>
  /** The next piece of an unfinished picture. */
  goOn(rest: number): Promise<Piece>
  /** Drops an unfinished picture. */
  drop(rest: number): Promise<void>
  /** Ends the thread as soon as no native code is running for it; the call never returns. */
  end(): Promise<void>
}

/** The parts of the browser's ImageBitmap that the pipeline uses; `workers/` itself has no DOM types. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  close(): void
}

/** A transferred stream of VideoFrames, or a transferred MediaStreamTrack if workers can read those. */
export type CameraSource = object

/** The analysis of the camera's next picture. */
export interface CameraAnalysis {
  readonly analysis: Analysis
  /** When the worker received the picture, in milliseconds since 1970 by the clock that page and worker share. */
  readonly takenAt: number
  /** How long it waited for the camera, in milliseconds. */
  readonly waited: number
}

/** Size of an encoded picture: pixels of the longer side, and bytes. */
export interface EncodedSize {
  readonly longestSide: number
  readonly mostBytes: number
  /** Quality is lowered to this size only as long as the picture does not become poor. Defaults to the maximum. */
  readonly wantedBytes?: number
}

/** Loading progress of a page's networks. */
export interface NetworkLoading {
  /** The level that the analysis has reached: `faces` only detects faces, `guidance` gives all hints. */
  readonly reached: 'nothing' | 'faces' | 'guidance' | 'everything'
  /** Of the networks for guidance. Uncompressed bytes; some 14 % fewer are transferred. */
  readonly bytes: number
  readonly totalBytes: number
}

/** The name of the error if a downloaded file does not match the build: a captive portal's page, or an altered file. */
export type WrongFileName = 'WrongFileError'

/** The page's worker can also encode the picture last passed to `follow` as a JPEG. */
export interface CaptureApi extends AnalysisApi<Bitmap> {
  /**
   * Loads the networks that `wanted` needs, one after the other in the order of need. `onLoading` is called as bytes
   * arrive.
   * @throws an error with `WrongFileName` if another file arrived; any other if nothing did
   */
  prepare(wanted: AnalysisStages, onLoading?: (loading: NetworkLoading) => void): Promise<void>
  /**
   * Analyses the next picture of a stream. Waits for the detector and, if requested, for the network of the eyes. Skips
   * other networks that are still loading: see `Analysis.missing`.
   */
  follow(picture: Bitmap, wanted: AnalysisStages): Promise<Analysis>
  /** True if this worker can read a MediaStreamTrack. */
  readsTracks(): Promise<boolean>
  /** Reads from this camera from now on, instead of the previous one; from none if null. */
  readCamera(source: CameraSource | null): Promise<void>
  /** `follow` with the newest picture of the camera that this worker reads; undefined while there is none. */
  followCamera(wanted: AnalysisStages): Promise<CameraAnalysis | undefined>
  /** The full-size version of the picture last passed to `follow`, to be encoded from now on. */
  enlarge(picture: Bitmap): Promise<void>
  /** `quality` is 0...1; it is lowered until the bytes fit. */
  encodeLast(size: EncodedSize, quality: number): Promise<Uint8Array<ArrayBuffer>>
  /** The paths of every file needed for the requested analysis: the worker itself, the runtime, the weights. */
  files(wanted: AnalysisStages): Promise<readonly string[]>
  /** The decision that a device can make without a server, from analysed pictures. */
  decideOffline(evidence: OfflineEvidence): Promise<OfflineDecision>
}

/** A request from the page to the service worker to cache these files for offline use. The answer says if it could. */
export interface KeepFiles {
  readonly type: 'KEEP_FILES'
  readonly addresses: readonly string[] | 'everything'
  /** Also send the progress, 0...1, before the final answer. */
  readonly tellShare?: boolean
}
