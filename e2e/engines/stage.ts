import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type Actor, actorOf } from '../support/acted/actor.ts'
import type { Clip } from '../support/acted/clips.ts'
import { type Devices, haveCameras } from '../support/surroundings/cameras.ts'
import { freePort } from './driver/programs.ts'

/** The page's camera: an acted person, the browser's own, or one that is refused with WebKit's error message. */
export type StageCamera = 'acted' | 'own' | 'refused'

/**
 * The origin that the browser sees. It is a proxy in front of the product that adds one same-origin script before each page's own
 * scripts. It changes nothing else, not even a policy, so that actors work in every browser.
 */
export interface Stage {
  readonly address: string
  readonly port: number
  /** Page errors and warnings since this was last cleared. */
  readonly complaints: string[]
  camera: StageCamera
  /** The device's cameras, each that works being the acted one; null for that one alone. */
  devices: Devices | null
  /** While true, the product does not answer, as if there were no network. */
  isOffline: boolean
  stop(): void
}

const script = '/__stage/script.js'
const complaint = '/__stage/complaint'

export async function openStage(clip: Clip): Promise<Stage> {
  const actor = await actorOf(clip, { manner: 'asked' })
  const port = await freePort()
  const server = createServer(async (asked, answer) => {
    const path = asked.url ?? '/'
    if (path === script) return give(answer, 'text/javascript', scriptOf(stage, actor))
    if (path === complaint) return void (await hear(asked, answer, stage.complaints))
    const picture = /^\/__actor\/(\d+)$/.exec(path)?.[1]
    if (picture !== undefined) return give(answer, 'image/jpeg', actor.jpegs[Number(picture)] ?? '')
    if (stage.isOffline) return void answer.destroy()
    pass(asked, answer, port)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as { port: number }
  const stage: Stage = {
    address: `http://localhost:${own}`,
    port,
    complaints: [],
    camera: 'acted',
    devices: null,
    isOffline: false,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return stage
}

function give(answer: ServerResponse, type: string, body: string | Buffer): void {
  answer.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}

async function hear(asked: IncomingMessage, answer: ServerResponse, complaints: string[]): Promise<void> {
  complaints.push(await textOf(asked))
  answer.writeHead(204).end()
}

async function textOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

/** Forwards a request. Only navigations get the script, because the service worker verifies the hashes of its downloads. */
function pass(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const isPage = /^(document|iframe)$/.test(String(asked.headers['sec-fetch-dest']))
  const encoding = isPage ? { 'accept-encoding': 'identity' } : {}
  const { url: path, method } = asked
  const headers = { ...asked.headers, ...encoding }
  const onward = request({ host: '127.0.0.1', port, path, method, headers }, async (said) => {
    if (!isPage || !/^text\/html/.test(said.headers['content-type'] ?? '')) {
      answer.writeHead(said.statusCode!, said.headers)
      return void said.pipe(answer)
    }
    const html = (await textOf(said)).replace(/<head[^>]*>/i, `$&<script src="${script}"></script>`)
    const { 'content-length': _, etag: __, ...kept } = said.headers
    answer.writeHead(said.statusCode!, kept).end(html)
  })
  onward.on('error', () => answer.destroy())
  asked.pipe(onward)
}

function scriptOf({ camera, devices }: Pick<Stage, 'camera' | 'devices'>, actor: Actor): string {
  // Functions that tsx has compiled call a helper that does not exist in pages.
  const witness = `globalThis.__name ??= (value) => value;(${tellComplaints})(${JSON.stringify(complaint)})`
  if (camera === 'own') return witness
  if (camera === 'refused') return `${witness};(${refuse})()`
  const several = devices === null ? '' : `;(${haveCameras})(${JSON.stringify(devices)})`
  return `${witness};${actor.source}${several};(${hand})()`
}

/** Runs in the page before anything else, and reports errors to the stage. */
function tellComplaints(address: string): void {
  const tell = (text: string) => navigator.sendBeacon(address, `${location.pathname.slice(0, 30)}: ${text}`)
  for (const level of ['error', 'warn'] as const) {
    const said = console[level]
    console[level] = (...words) => {
      tell(`${level}: ${words.map(String).join(' ')}`)
      said.apply(console, words)
    }
  }
  addEventListener(
    'error',
    ({ message, target }) => tell(`error: ${message ?? (target as HTMLElement)?.outerHTML}`),
    true,
  )
  addEventListener('unhandledrejection', ({ reason }) => tell(`rejection: ${reason?.stack ?? reason}`))
  addEventListener('securitypolicyviolation', (violation) =>
    tell(`policy: ${violation.violatedDirective} ${violation.blockedURI}`),
  )
}

/** Runs in the page. WebKit forgets properties on the object itself, but keeps those on its prototype. */
function hand(): void {
  const { mediaDevices } = navigator
  const { getUserMedia, enumerateDevices } = mediaDevices
  Object.assign(MediaDevices.prototype, {
    getUserMedia: (asked: MediaStreamConstraints) => getUserMedia.call(mediaDevices, asked),
    enumerateDevices: () => enumerateDevices.call(mediaDevices),
  })
}

/** Runs in the page. Rejects the way WebKit does after a refused prompt. */
function refuse(): void {
  const words =
    'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.'
  MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException(words, 'NotAllowedError'))
}
