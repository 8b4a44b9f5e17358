import * as Comlink from 'comlink'
import type { AnalysisHost } from '../analysis-host.ts'

type TrackProcessorClass = new (init: { track: MediaStreamTrack }) => { readonly readable: ReadableStream }

/**
 * Lets the worker read the camera directly, if the browser supports it: Chromium transfers the stream of a processor in the page;
 * WebKit transfers a track, which the worker's own processor reads. Uses feature detection, not the browser's name.
 * @returns a function that stops it; undefined if the page has to take the pictures itself
 */
export async function readCameraIn(
  host: AnalysisHost,
  video: HTMLVideoElement,
): Promise<(() => void) | undefined> {
  const track = (video.srcObject as MediaStream | null)?.getVideoTracks()[0]
  if (track === undefined) return undefined
  let source: ReadableStream | MediaStreamTrack | undefined
  try {
    source = await openSource(host, track)
    if (source === undefined) return undefined
    await host.within(host.api.readCamera(Comlink.transfer(source, [source as Transferable])))
    return () => void host.api.readCamera(null).catch(() => {})
  } catch (error) {
    if (source !== undefined && 'stop' in source) source.stop() // otherwise the camera would stay on
    if (host.isDead()) throw error
    return undefined // this browser cannot transfer it
  }
}

async function openSource(
  host: AnalysisHost,
  track: MediaStreamTrack,
): Promise<ReadableStream | MediaStreamTrack | undefined> {
  const { MediaStreamTrackProcessor: Processor } = globalThis as {
    MediaStreamTrackProcessor?: TrackProcessorClass
  }
  if (Processor !== undefined) return new Processor({ track }).readable
  // The page keeps its own track for the video. The worker stops the copy.
  return (await host.within(host.api.readsTracks())) ? track.clone() : undefined
}
