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
  /** Loads the networks that `wanted` needs and runs each once. */
  prepare(wanted: Wanted): Promise<void>
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

/** A transferred stream of VideoFrames, or a transferred MediaStreamTrack where workers can read those. */
export type CameraSource = object

/** The analysis of the camera's next picture. */
export interface CameraAnalysis {
  readonly analysis: Analysis
  /** When the worker got the picture, in milliseconds since 1970 by the clock that page and worker share. */
  readonly takenAt: number
  /** How long it waited for the camera, in milliseconds. */
  readonly waited: number
}

/** How large an encoded picture may be: pixels of the longer side, and bytes. */
export interface EncodedSize {
  readonly longestSide: number
  readonly mostBytes: number
}

/** How far the networks of a page are loaded. */
export interface NetworkLoading {
  /** The level that the analysis has reached: `faces` tells a face or none, `guidance` gives all hints. */
  readonly reached: 'nothing' | 'faces' | 'guidance' | 'everything'
  /** Of the networks that guide. Bytes as the files have them; some 14 % fewer are transferred, because they are compressed. */
  readonly bytes: number
  readonly totalBytes: number
}

/** The name of the error if a file arrived, but not as it was built: a page of the network's own, or an altered file. */
export type WrongFileName = 'WrongFileError'

/** The page's worker can also encode: the picture last handed to `follow`, as a JPEG. */
export interface CaptureApi extends AnalysisApi<Bitmap> {
  /**
   * Loads the networks that `wanted` needs, one after the other in the order of need. `onLoading` is called as bytes arrive.
   * @throws an error with `WrongFileName` if what arrived is another file; any other if nothing did
   */
  prepare(wanted: Wanted, onLoading?: (loading: NetworkLoading) => void): Promise<void>
  /**
   * Analyses the next picture of a stream. It waits for the detector and, if they are wanted, for the eyes. It leaves out other
   * networks that are still loading: see `Analysis.missing`.
   */
  follow(picture: Bitmap, wanted: Wanted): Promise<Analysis>
  /** True if this worker can read a MediaStreamTrack. */
  readsTracks(): Promise<boolean>
  /** Reads this camera from now on, instead of the one before; none if null. */
  readCamera(source: CameraSource | null): Promise<void>
  /** `follow` with the newest picture of the camera that this worker reads; undefined as long as it has none. */
  followCamera(wanted: Wanted): Promise<CameraAnalysis | undefined>
  /** The picture last handed to `follow`, as large as the camera gave it: what is encoded from now on. */
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
