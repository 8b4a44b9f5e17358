import * as Comlink from 'comlink'
import { median } from '#models/rules/median.ts'
import { type AnalysisHost, createHosts } from '#web/capture/analysis/analysis-host.ts'
import type { Wanted } from '#workers/api.ts'
import type { Speed } from './report.ts'

/** What a Balanced visit wants while it guides. */
const wanted: Wanted = { liveness: 'light', expression: 'light' }
const pictureCount = 30

/** Runs the product's own worker over pictures: of the camera where there is one, else a drawn one. */
export async function measureSpeed(video: HTMLVideoElement | null): Promise<Speed> {
  const hosts = createHosts()
  const from = performance.now()
  const host = hosts.current()
  try {
    await host.within(host.api.prepare(wanted))
    const source = video ?? drawnPicture()
    let seen = Number(await hasFace(host, source))
    const firstAnalysis = Math.round(performance.now() - from)
    const times: number[] = []
    while (times.length < pictureCount) {
      const startedAt = performance.now()
      seen += Number(await hasFace(host, source))
      times.push(performance.now() - startedAt)
    }
    return {
      picture: video === null ? 'drawn' : 'camera',
      firstAnalysis,
      medianPerPicture: Math.round(median(times)!),
      pictures: pictureCount + 1,
      picturesWithFace: seen,
    }
  } finally {
    hosts.drop(host)
  }
}

async function hasFace(host: AnalysisHost, source: HTMLVideoElement | HTMLCanvasElement): Promise<boolean> {
  const bitmap = await createImageBitmap(source)
  const { faces } = await host.within(host.api.follow(Comlink.transfer(bitmap, [bitmap]), wanted))
  return faces.length > 0
}

/** An oval with eyes and a mouth, as large as a camera's picture: something to look at, and nobody. */
function drawnPicture(): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
  const brush = canvas.getContext('2d')!
  const oval = (colour: string, x: number, y: number, across: number, down: number) => {
    brush.fillStyle = colour
    brush.beginPath()
    brush.ellipse(x, y, across, down, 0, 0, 2 * Math.PI)
    brush.fill()
  }
  brush.fillStyle = '#9aa7b4'
  brush.fillRect(0, 0, canvas.width, canvas.height)
  oval('#d8b49c', 640, 360, 150, 200)
  for (const x of [580, 700]) oval('#2b2320', x, 320, 20, 11)
  oval('#c79a80', 640, 375, 18, 34)
  oval('#a8574f', 640, 455, 50, 15)
  return canvas
}
