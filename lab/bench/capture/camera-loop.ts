import * as Comlink from 'comlink'

/** The interface that both workers implement. */
interface Follower {
  prepare(wanted: object): Promise<void>
  follow(bitmap: ImageBitmap, wanted: object): Promise<{ face?: object }>
}

/** The product's worker can also read the camera itself. */
interface CameraFollower extends Follower {
  readCamera(frames: ReadableStream): Promise<void>
  followCamera(wanted: object): Promise<{ analysis: { face?: object }; waited: number } | undefined>
}

type TrackProcessor = new (init: { track: MediaStreamTrack }) => { readonly readable: ReadableStream }

/**
 * A minimal capture page: opens the camera, has the worker named in the query analyse one picture after another, and measures the time from each
 * picture to its answer, like the product's own page. Each worker gets its pictures as it would in production: the product's worker reads the
 * camera, and the rival's receives bitmaps.
 */
async function run(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const wanted = JSON.parse(query.get('wanted')!) as object
  const worker = Comlink.wrap<CameraFollower>(new Worker(query.get('worker')!, { type: 'module' }))
  const ready = worker.prepare(wanted)
  const video = document.createElement('video')
  video.muted = true
  document.body.append(video)
  const camera = await navigator.mediaDevices.getUserMedia({ video: true })
  video.srcObject = camera
  await video.play()
  await ready
  const next = query.has('reads') ? await framesOf(worker, camera, wanted) : bitmapsOf(worker, video, wanted)
  for (;;) {
    const { face, start } = await next()
    if (face === undefined) continue
    performance.measure('selfsame:frame', { start })
    if (performance.getEntriesByName('selfsame:first-analysis').length === 0)
      performance.mark('selfsame:first-analysis')
  }
}

interface TimedLook {
  readonly face?: object | undefined
  /** When the picture became available. */
  readonly start: number
}

async function framesOf(
  worker: Comlink.Remote<CameraFollower>,
  camera: MediaStream,
  wanted: object,
): Promise<() => Promise<TimedLook>> {
  const { MediaStreamTrackProcessor } = globalThis as unknown as { MediaStreamTrackProcessor: TrackProcessor }
  const { readable } = new MediaStreamTrackProcessor({ track: camera.getVideoTracks()[0]! })
  await worker.readCamera(Comlink.transfer(readable, [readable]))
  return async () => {
    const asked = performance.now()
    const found = await worker.followCamera(wanted)
    return { face: found?.analysis.face, start: asked + (found?.waited ?? 0) }
  }
}

function bitmapsOf(
  worker: Comlink.Remote<Follower>,
  video: HTMLVideoElement,
  wanted: object,
): () => Promise<TimedLook> {
  return async () => {
    await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
    const start = performance.now()
    const bitmap = await createImageBitmap(video)
    const { face } = await worker.follow(Comlink.transfer(bitmap, [bitmap]), wanted)
    return { face, start }
  }
}

void run()
