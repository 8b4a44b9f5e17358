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
  | 'gone'
  | 'nothing'
  | 'goes black for 2.5 s after its first picture'
  | 'is muted for 3 s after its first picture'
  | 'stands still for 3 s after its first picture'
  | 'starts small'
  | 'opens its eyes in 2.5 s'
  | 'opens its eyes in 7 s'

/** A device's cameras, and what its browser tells about them. */
export interface Devices {
  readonly kinds: readonly CameraKind[]
  readonly named: boolean
  readonly list: 'listed' | 'listed once allowed' | 'refused' | 'never listed' | 'listed as nothing'
}

/** Further properties of a device. */
interface CameraOptions extends Partial<Pick<Devices, 'named' | 'list'>> {
  /** The number of the camera that the person chooses by its name. */
  readonly chosen?: number
}

/** A device's cameras. The first one is requested first, and each one that works is the acted camera. */
export function cameras(
  kinds: readonly CameraKind[],
  { named = true, list = 'listed', chosen }: CameraOptions = {},
): Surrounding {
  const how = list === 'listed' ? (named ? '' : ', without names') : `, ${list}`
  const which = chosen === undefined ? '' : `, the person chooses number ${chosen}`
  return {
    name: `cameras: ${kinds.join(', ')}${how}${which}`,
    kind: 'camera',
    ...(chosen !== undefined && { chosenCamera: `Camera ${chosen}` }),
    async surround(context) {
      await context.addInitScript(haveCameras, { kinds, named, list })
    },
  }
}

/** Runs in the page after the acted camera has been installed. */
export function haveCameras({ kinds, named, list }: Devices): void {
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
  const spoilBetween = async (asked: MediaStreamConstraints, from: number, to: number) => {
    window.actor.spoil('')
    const stream = await actor(asked)
    setTimeout(() => window.actor.spoil('brightness(0)'), from)
    setTimeout(() => window.actor.spoil(''), to)
    return stream
  }
  /** Shows the acted camera at this size, or undefined to freeze, by the milliseconds since it was opened. */
  const through = async (
    asked: MediaStreamConstraints,
    sizeAt: (milliseconds: number) => readonly [number, number] | undefined,
  ) => {
    const own = (await actor(asked)) as MediaStream
    const video = Object.assign(document.createElement('video'), { muted: true, srcObject: own })
    await video.play()
    const openedAt = performance.now()
    const [width, height] = [video.videoWidth, video.videoHeight]
    const stream = drawn(width, height, (context) => {
      const size = sizeAt(performance.now() - openedAt)
      if (size === undefined) return
      const [wide, high] = [Math.round(width * size[0]), Math.round(height * size[1])]
      if (context.canvas.width !== wide) Object.assign(context.canvas, { width: wide, height: high })
      context.drawImage(video, 0, 0, wide, high)
    })
    const [track] = stream.getVideoTracks()
    const stop = track!.stop.bind(track)
    track!.stop = () => {
      for (const one of own.getTracks()) one.stop()
      stop()
    }
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
    gone: () => Promise.reject(new DOMException('gone', 'OverconstrainedError')),
    nothing: () => undefined,
    'goes black for 2.5 s after its first picture': (asked) => spoilBetween(asked, 400, 2900),
    'is muted for 3 s after its first picture': async (asked) => {
      const stream = (await actor(asked)) as MediaStream
      const openedAt = performance.now()
      const isMuted = () => performance.now() - openedAt > 400 && performance.now() - openedAt < 3400
      Object.defineProperty(stream.getVideoTracks()[0], 'muted', { get: isMuted })
      return stream
    },
    'stands still for 3 s after its first picture': (asked) =>
      through(asked, (since) => (since > 400 && since < 3400 ? undefined : [1, 1])),
    'starts small': (asked) => through(asked, (since) => (since < 1500 ? [0.2, 0.2] : [1, 1])),
    'opens its eyes in 2.5 s': (asked) => wakesAfter(asked, 2500),
    'opens its eyes in 7 s': (asked) => wakesAfter(asked, 7000),
  }
  let isAllowed = false
  const getUserMedia = async (asked: MediaStreamConstraints) => {
    const { deviceId } = asked.video as { deviceId?: { exact: string } }
    const index = deviceId === undefined ? 0 : Number(deviceId.exact.split('-')[1])
    const stream = (await open[kinds[index]!](asked)) as MediaStream | undefined
    isAllowed = true
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
    'listed once allowed': async () =>
      isAllowed ? devices : [{ kind: 'videoinput', deviceId: '', label: '', groupId: '' }],
    refused: () => Promise.reject(new DOMException('refused', 'NotAllowedError')),
    'never listed': () => new Promise(() => {}),
    'listed as nothing': async () => undefined,
  }
  Object.defineProperty(mediaDevices, 'getUserMedia', { value: getUserMedia, configurable: true })
  Object.defineProperty(mediaDevices, 'enumerateDevices', { value: lists[list], configurable: true })
}
