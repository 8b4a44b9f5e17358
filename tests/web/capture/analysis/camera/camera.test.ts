import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CameraChoice, createCamera } from '#web/capture/analysis/camera/camera.ts'

type Asked = {
  readonly video: { readonly facingMode?: string; readonly deviceId?: { readonly exact: string } }
}

/** A browser prompt that is still open. */
interface Question {
  readonly asked: Asked
  readonly grant: () => FakeStream
  readonly refuse: (name: string) => void
}
type FakeStream = ReturnType<typeof streamOf>

let questions: Question[]
let devices: readonly string[]
let listed: () => Promise<unknown>

function streamOf(deviceId: string) {
  const track = Object.assign(new EventTarget(), {
    isOn: true,
    muted: false,
    label: deviceId,
    stop() {
      track.isOn = false
    },
    getSettings: () => ({ deviceId }),
  })
  return { track, getTracks: () => [track], getVideoTracks: () => [track] }
}

beforeEach(() => {
  vi.useFakeTimers()
  questions = []
  devices = ['front', 'rear']
  listed = async () =>
    devices.map((deviceId) => ({ kind: 'videoinput', deviceId, label: `The ${deviceId} one` }))
  const getUserMedia = (asked: Asked) =>
    new Promise((resolve, reject) => {
      const grant = () => {
        const stream = streamOf(asked.video.deviceId?.exact ?? 'front')
        resolve(stream)
        return stream
      }
      questions.push({ asked, grant, refuse: (name) => reject(Object.assign(new Error(name), { name })) })
    })
  const enumerateDevices = () => listed()
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices }, userAgent: '' })
  vi.stubGlobal('window', { document: {} })
  vi.stubGlobal('document', {
    createElement: () =>
      Object.assign(new EventTarget(), { setAttribute: () => {}, play: async () => {}, srcObject: null }),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)

test('a camera that is granted after it was closed is turned off', async () => {
  const camera = createCamera(() => {})
  const opened = camera.open()
  await settle()
  camera.close()
  const { track } = questions[0]!.grant()
  expect(await opened).toBe('superseded')
  expect(track.isOn).toBe(false)
  expect(camera.video.srcObject).toBe(null)
})

test('of two granted cameras only the newest stays on', async () => {
  const camera = createCamera(() => {})
  const [first, second] = [camera.open(), camera.open()]
  await settle()
  const newest = questions[1]!.grant()
  const oldest = questions[0]!.grant()
  expect(await first).toBe('superseded')
  expect(await second).toBe(undefined)
  expect([oldest.track.isOn, newest.track.isOn]).toEqual([false, true])
  expect(camera.video.srcObject).toBe(newest)
  camera.close()
  expect(newest.track.isOn).toBe(false)
})

test('a refusal after the camera was closed is ignored', async () => {
  const camera = createCamera(() => {})
  const opened = camera.open()
  await settle()
  camera.close()
  questions[0]!.refuse('NotFoundError')
  expect(await opened).toBe('superseded')
})

async function openedAs(camera: ReturnType<typeof createCamera>, choice: CameraChoice = 'same') {
  const opened = camera.open(choice)
  await settle()
  const { asked, grant } = questions.at(-1)!
  grant()
  expect(await opened).toBe(undefined)
  return asked.video
}

test('a newly chosen camera is also requested after an interruption', async () => {
  const camera = createCamera(() => {})
  expect(await openedAs(camera)).toMatchObject({ facingMode: 'user' })
  expect(await openedAs(camera, 'next')).toMatchObject({ deviceId: { exact: 'rear' } })
  camera.close()
  expect(await openedAs(camera)).toMatchObject({ deviceId: { exact: 'rear' } })
  camera.close()
})

test('if the chosen camera is gone, the front camera replaces it', async () => {
  const camera = createCamera(() => {})
  await openedAs(camera)
  await openedAs(camera, 'next')
  camera.close()
  const opened = camera.open()
  await settle()
  questions.at(-1)!.refuse('OverconstrainedError')
  await settle()
  expect(questions.at(-1)!.asked.video).toMatchObject({ facingMode: 'user' })
  questions.at(-1)!.grant()
  expect(await opened).toBe(undefined)
  camera.close()
})

async function refusedAs(camera: ReturnType<typeof createCamera>, choice: CameraChoice) {
  const opened = camera.open(choice)
  await settle()
  const { asked, refuse } = questions.at(-1)!
  refuse('NotReadableError')
  await settle()
  expect(await opened).toBe('inUse')
  return asked.video
}

test('the next camera is the one after the last that was asked for, also if that one is taken', async () => {
  devices = ['front', 'busy', 'good']
  const camera = createCamera(() => {})
  await openedAs(camera)
  expect(await refusedAs(camera, 'next')).toMatchObject({ deviceId: { exact: 'busy' } })
  expect(await openedAs(camera, 'next')).toMatchObject({ deviceId: { exact: 'good' } })
  expect(await openedAs(camera, 'next')).toMatchObject({ deviceId: { exact: 'front' } })
  camera.close()
})

test('where the first camera that is asked for is taken, the next one is the second', async () => {
  const camera = createCamera(() => {})
  await refusedAs(camera, 'same')
  expect(await openedAs(camera, 'next')).toMatchObject({ deviceId: { exact: 'rear' } })
  camera.close()
})

test('where the first camera that is asked for never answers, the next one is the second', async () => {
  const camera = createCamera(() => {})
  void camera.open()
  await settle()
  expect(await openedAs(camera, 'next')).toMatchObject({ deviceId: { exact: 'rear' } })
  camera.close()
})

test('where the browser opens another camera instead of one that is gone, the next one is the one after that', async () => {
  devices = ['front', 'gone', 'good']
  const camera = createCamera(() => {})
  await openedAs(camera)
  const opened = camera.open('next')
  await settle()
  questions.at(-1)!.refuse('OverconstrainedError')
  await settle()
  questions.at(-1)!.grant()
  expect(await opened).toBe(undefined)
  expect(await openedAs(camera, 'next')).toMatchObject({ deviceId: { exact: 'good' } })
  camera.close()
})

/** Opens a camera that is muted or frozen for this long after its first picture. Returns how often it was reported as lost. */
async function lostAfter(seconds: number, how: 'muted' | 'frozen'): Promise<number> {
  const onLost = vi.fn()
  const camera = createCamera(onLost)
  const opened = camera.open()
  await settle()
  const { track } = questions.at(-1)!.grant()
  await opened
  const video = camera.video as unknown as { currentTime: number; paused: boolean }
  Object.assign(video, { paused: false, currentTime: 0.04 })
  for (let second = 0; second < 12; second += 0.25) {
    await vi.advanceTimersByTimeAsync(250)
    const isStill = second < seconds
    track.muted = how === 'muted' && isStill
    if (how === 'muted' || !isStill) video.currentTime += 0.25
  }
  camera.close()
  return onLost.mock.calls.length
}

test.each(['muted', 'frozen'] as const)(
  'a camera that is %s while it warms up is not opened anew',
  async (how) => {
    expect(await lostAfter(4, how)).toBe(0)
    expect(await lostAfter(8, how)).toBe(1)
  },
)

test('a camera that is chosen by its name is asked for from then on, and is none of the others', async () => {
  const camera = createCamera(() => {})
  await openedAs(camera)
  expect(await camera.others()).toEqual([{ id: 'rear', label: 'The rear one' }])
  expect(await refusedAs(camera, { id: 'rear' })).toMatchObject({ deviceId: { exact: 'rear' } })
  expect(await openedAs(camera)).toMatchObject({ deviceId: { exact: 'rear' } })
  expect(await camera.others()).toEqual([{ id: 'front', label: 'The front one' }])
  camera.close()
})

const lists: readonly (readonly [how: string, list: () => Promise<unknown>])[] = [
  ['is refused', () => Promise.reject(new Error('refused'))],
  ['is never answered', () => new Promise(() => {})],
  ['is answered with nothing', async () => undefined],
  [
    'throws',
    () => {
      throw new TypeError('refused')
    },
  ],
]

test.each(lists)('a list of cameras that %s keeps nobody from another camera', async (_how, list) => {
  listed = list
  const camera = createCamera(() => {})
  await openedAs(camera)
  const opened = camera.open('next')
  await vi.advanceTimersByTimeAsync(2000)
  questions.at(-1)!.grant()
  expect(await opened).toBe(undefined)
  const others = camera.others()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await others).toEqual([])
  camera.close()
})

test.each([
  ['nothing', undefined],
  ['a stream of nothing', { getTracks: () => [], getVideoTracks: () => [] }],
])('a browser that answers with %s has no camera', async (_what, stream) => {
  vi.stubGlobal('navigator', {
    mediaDevices: { getUserMedia: async () => stream, enumerateDevices: () => listed() },
    permissions: { query: () => new Promise(() => {}) },
    userAgent: '',
  })
  const opened = createCamera(() => {}).open()
  await vi.advanceTimersByTimeAsync(5000)
  expect(await opened).toBe('noCamera')
})
