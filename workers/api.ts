import type { Analysis, Wanted } from '#models/rules/analysis.ts'
import type { OfflineDecision, OfflineEvidence } from '#models/rules/offline-decision.ts'

export type {
  Analysis,
  Box,
  DetectedFace,
  Expressions,
  FaceAnalysis,
  Pose,
  Quality,
  Wanted,
} from '#models/rules/analysis.ts'
export type { OfflineDecision, OfflineEvidence, OfflineRules } from '#models/rules/offline-decision.ts'

/**
 * What the analysis worker of the page answers, and the one of the server. `Input` is the environment's picture:
 * an ImageBitmap (transferred) in the browser, the bytes of a JPEG or PNG on the server.
 */
export interface AnalysisApi<Input> {
  /** Loads the networks that `wanted` needs and runs each once. Progress goes to `onProgress` as 0...1 where given. */
  prepare(wanted: Wanted, onProgress?: (share: number) => void): Promise<void>
  /** A picture on its own. */
  analyse(picture: Input, wanted: Wanted): Promise<Analysis>
  /** The next picture of a stream: follows the last one's face, and detects anew every so often or when it is lost. */
  follow(picture: Input, wanted: Wanted): Promise<Analysis>
  /** Forgets the stream. */
  forget(): Promise<void>
}

/** A picture that is analysed, or the number under which the rest of its faces waits. */
export type Piece = { readonly analysis: Analysis } | { readonly rest: number }

/** The server's worker analyses a picture piece by piece, so that others can come between its faces; and it can end. */
export interface ThreadApi extends AnalysisApi<Uint8Array> {
  /** The first piece of a picture: some tens of milliseconds of faces, after what cannot be divided. */
  begin(picture: Uint8Array, wanted: Wanted): Promise<Piece>
  /** The next piece of what waits under a number. */
  goOn(rest: number): Promise<Piece>
  /** Forgets what waits under a number. */
  drop(rest: number): Promise<void>
  /** Ends the thread as soon as no native code computes for it; there is no answer. */
  end(): Promise<void>
}

/** What the pipeline needs to know of the browser's ImageBitmap; `workers/` itself has no DOM types. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  close(): void
}

/** How large an encoded picture may be: pixels of the longer side, and bytes. */
export interface EncodedSize {
  readonly longestSide: number
  readonly mostBytes: number
}

/** The page's worker can also encode: the picture last handed to `follow`, as a JPEG. */
export interface CaptureApi extends AnalysisApi<Bitmap> {
  /** The picture last handed to `follow` as large as the camera gave it: what is encoded from now on. */
  enlarge(picture: Bitmap): Promise<void>
  /** `quality` is 0...1; it is lowered until the bytes fit. */
  encodeLast(size: EncodedSize, quality: number): Promise<Uint8Array<ArrayBuffer>>
  /** The paths of every file that analysing what is wanted takes: the worker itself, the runtime, the weights. */
  files(wanted: Wanted): Promise<readonly string[]>
  /** What a device can tell without a server, of pictures that were analysed. */
  decideOffline(evidence: OfflineEvidence): Promise<OfflineDecision>
}

/** What a page asks of the service worker: to keep these files for the time without a network. It answers whether it could. */
export interface KeepFiles {
  readonly type: 'KEEP_FILES'
  readonly addresses: readonly string[] | 'everything'
  /** Also answer how far it is, 0...1, before the last answer. */
  readonly tellShare?: boolean
}
