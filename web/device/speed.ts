import * as Comlink from 'comlink'
import { median } from '#models/rules/median.ts'
import type { Speed } from '#shared/browsers/device-report.ts'
import { type AnalysisHost, createHosts } from '#web/capture/analysis/analysis-host.ts'
import { createPace, type Pace } from '#web/capture/analysis/pace/pace.ts'
import { openPictureSource, type PictureSource } from '#web/capture/analysis/pictures/picture-source.ts'
import { takePicture } from '#web/capture/analysis/pictures/picture-taking.ts'
import type { AnalysisStages } from '#workers/api.ts'

/** The networks that a Balanced visit uses during guidance. */
const wanted: AnalysisStages = { liveness: 'light', expression: 'light' }
const pictureCount = 30
/** After this many pictures, the pace has adapted to the browser and hot code has been compiled. */
const earlyCount = 10

/** Runs the production worker on camera pictures, or on a drawn picture if there is no camera. */
export async function measureSpeed(video: HTMLVideoElement | null): Promise<Speed> {
  const hosts = createHosts()
  const from = performance.now()
  const host = hosts.current()
  try {
    await host.within(host.api.prepare(wanted))
    const pace = createPace()
    const source =
      video === null ? drawnPictures(host, pace) : await openPictureSource(host, video, pace, () => 0)
    let seen = Number((await look(source, pace)).hasFace)
    const firstAnalysis = Math.round(performance.now() - from)
    for (let early = 0; early < earlyCount; early++) await look(source, pace)
    const looks: Look[] = []
    while (looks.length < pictureCount) looks.push(await look(source, pace))
    for (const { hasFace } of looks) seen += Number(hasFace)
    return {
      picture: video === null ? 'drawn' : 'camera',
      firstAnalysis,
      medianPerPicture: Math.round(median(looks.map(({ stages }) => stages.picture!))!),
      stages: byStage(looks, (times) => median(times)!),
      quickest: byStage(looks, (times) => Math.min(...times)),
      pictures: pictureCount + 1,
      picturesWithFace: seen,
    }
  } finally {
    hosts.drop(host)
  }
}

interface Look {
  readonly hasFace: boolean
  readonly stages: Readonly<Record<string, number>>
}

/** [Note: The way there and back] Time outside the worker is spent either in the page (`bitmap`) or between page and worker (`transfer`). */
async function look(source: Pick<PictureSource, 'next'>, pace: Pace): Promise<Look> {
  let seen = await source.next(wanted)
  while (seen === undefined) seen = await source.next(wanted)
  const { took: picture, way, kept, analysis } = seen
  const { worker = 0, ...stages } = analysis.durations
  pace.add({ took: picture, way, isWhole: true, isLoaded: true })
  kept?.close()
  const own = Object.values(stages).reduce((sum, milliseconds) => sum + milliseconds, 0)
  const taken = { picture, bitmap: Math.max(0, picture - way - worker), transfer: way, other: worker - own }
  return { hasFace: analysis.faces.length > 0, stages: { ...taken, ...stages } }
}

function drawnPictures(host: AnalysisHost, pace: Pace): Pick<PictureSource, 'next'> {
  const canvas = drawnPicture()
  return {
    async next(desired) {
      const startedAt = performance.now()
      const { sent, kept } = await takePicture(canvas, pace)
      const sentAt = performance.now()
      const analysis = await host.within(host.api.follow(Comlink.transfer(sent, [sent]), desired))
      const now = performance.now()
      const way = now - sentAt - (analysis.durations.worker ?? 0)
      return { analysis, time: 0, waited: 0, took: now - startedAt, way, ...(kept && { kept }) }
    },
  }
}

/** One figure per stage in tenths of a millisecond, computed from the pictures that went through that stage. */
function byStage(looks: readonly Look[], figure: (times: number[]) => number): Record<string, number> {
  const names = [...new Set(looks.flatMap(({ stages }) => Object.keys(stages)))]
  const tenths = (name: string) =>
    Math.round(10 * figure(looks.flatMap(({ stages }) => stages[name] ?? []))) / 10
  return Object.fromEntries(names.map((name) => [name, tenths(name)]))
}

/** A drawn face the size of a camera picture, so that no real person is needed. */
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
