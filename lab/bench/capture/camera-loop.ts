import * as Comlink from 'comlink'

/** What both workers answer to; ours answers to more. */
interface Follower {
  prepare(wanted: object): Promise<void>
  follow(bitmap: ImageBitmap, wanted: object): Promise<{ face?: object }>
}

/**
 * The barest capture page: opens the camera, hands one picture after the other to the worker of the address's query,
 * and measures each from the picture to the answer, as the product's own page does.
 */
async function run(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const wanted = JSON.parse(query.get('wanted')!) as object
  const worker = Comlink.wrap<Follower>(new Worker(query.get('worker')!, { type: 'module' }))
  const ready = worker.prepare(wanted)
  const video = document.createElement('video')
  video.muted = true
  document.body.append(video)
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true })
  await video.play()
  await ready
  for (;;) {
    await new Promise((resolve) => video.requestVideoFrameCallback(resolve))
    const start = performance.now()
    const bitmap = await createImageBitmap(video)
    const { face } = await worker.follow(Comlink.transfer(bitmap, [bitmap]), wanted)
    if (face === undefined) continue
    performance.measure('selfsame:frame', { start })
    if (performance.getEntriesByName('selfsame:first-analysis').length === 0)
      performance.mark('selfsame:first-analysis')
  }
}

void run()
