import type { Surrounding } from './surrounding.ts'

/** The kinds of cameras found in devices. */
export type CameraKind =
  | 'good'
  | 'black'
  | 'logo'
  | 'tiny'
  | 'silent'
  | 'busy'
  | 'hangs'
  | 'nothing'
  | 'opens its eyes in 2.5 s'
  | 'opens its eyes in 7 s'

interface Devices {
  readonly kinds: readonly CameraKind[]
  readonly named: boolean
  readonly list: 'listed' | 'refused' | 'never listed' | 'listed as nothing'
}

/** A device's cameras. The first one is requested first, and each one that works is the acted camera. */
export function cameras(
  kinds: readonly CameraKind[],
  { named = true, list = 'listed' }: Partial<Pick<Devices, 'named' | 'list'>> = {},
): Surrounding {
  const how = list === 'listed' ? (named ? '' : ', without names') : `, ${list}`
  return {
    name: `cameras: ${kinds.join(', ')}${how}`,
    async surround(context) {
      await context.addInitScript(haveCameras, { kinds, named, list })
    },
  }
}

/** Runs in the page after the acted camera has been installed. */
function haveCameras({ kinds, named, list }: Devices): void {
  const { mediaDevices } = navigator
  const actor = mediaDevices.getUserMedia.bind(mediaDevices)
  const idOf = (index: number) => `camera-${index}`
  const drawn = (width: number, height: number, draw: (context: CanvasRenderingContext2D) => void) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const context = canvas.getContext('2d')!
    draw(context)
    const stream = canvas.captureStream(25)
    const [track] = stream.getVideoTracks()
    const timer = setInterval(() => (track!.readyState === 'live' ? draw(context) : clearInterval(timer)), 40)
    return stream
  }
  const filled = (colour: string) => (context: CanvasRenderingContext2D) => {
    context.fillStyle = colour
    context.fillRect(0, 0, context.canvas.width, context.canvas.height)
  }
  const logo = (context: CanvasRenderingContext2D) => {
    filled('#305090')(context)
    context.fillStyle = '#fff'
    context.fillRect(200, 200, 240, 80)
  }
  const wakesAfter = async (asked: MediaStreamConstraints, milliseconds: number) => {
    window.actor.spoil('brightness(0)')
    const stream = await actor(asked)
    setTimeout(() => window.actor.spoil(''), milliseconds)
    return stream
  }
  const open: Record<CameraKind, (asked: MediaStreamConstraints) => unknown> = {
    good: actor,
    black: () => drawn(640, 480, filled('#000')),
    logo: () => drawn(640, 480, logo),
    tiny: () => drawn(120, 90, logo),
    silent: () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
      canvas.getContext('2d')
      return canvas.captureStream(0)
    },
    busy: () => Promise.reject(new DOMException('in use', 'NotReadableError')),
    hangs: () => new Promise(() => {}),
    nothing: () => undefined,
    'opens its eyes in 2.5 s': (asked) => wakesAfter(asked, 2500),
    'opens its eyes in 7 s': (asked) => wakesAfter(asked, 7000),
  }
  const getUserMedia = async (asked: MediaStreamConstraints) => {
    const { deviceId } = asked.video as { deviceId?: { exact: string } }
    const index = deviceId === undefined ? 0 : Number(deviceId.exact.split('-')[1])
    const stream = (await open[kinds[index]!](asked)) as MediaStream | undefined
    const track = stream?.getVideoTracks()[0]
    if (track !== undefined) {
      const settings = track.getSettings()
      track.getSettings = () => ({ ...settings, deviceId: idOf(index) })
    }
    return stream
  }
  const devices = kinds.map((_, index) => ({
    kind: 'videoinput',
    deviceId: idOf(index),
    label: named ? `Camera ${index + 1}` : '',
    groupId: '',
  }))
  const lists: Record<Devices['list'], () => unknown> = {
    listed: async () => devices,
    refused: () => Promise.reject(new DOMException('refused', 'NotAllowedError')),
    'never listed': () => new Promise(() => {}),
    'listed as nothing': async () => undefined,
  }
  Object.defineProperty(mediaDevices, 'getUserMedia', { value: getUserMedia, configurable: true })
  Object.defineProperty(mediaDevices, 'enumerateDevices', { value: lists[list], configurable: true })
}
