import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCamera } from '#web/capture/analysis/camera/camera.ts'

type Asked = {
  readonly video: { readonly facingMode?: string; readonly deviceId?: { readonly exact: string } }
}

/** An open prompt of the browser. */
interface Question {
  readonly asked: Asked
  readonly grant: () => FakeStream
  readonly refuse: (name: string) => void
}
type FakeStream = ReturnType<typeof streamOf>

let questions: Question[]
let devices: readonly string[]

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
  const getUserMedia = (asked: Asked) =>
    new Promise((resolve, reject) => {
      const grant = () => {
        const stream = streamOf(asked.video.deviceId?.exact ?? 'front')
        resolve(stream)
        return stream
      }
      questions.push({ asked, grant, refuse: (name) => reject(Object.assign(new Error(name), { name })) })
    })
  const enumerateDevices = async () => devices.map((deviceId) => ({ kind: 'videoinput', deviceId }))
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

async function openedAs(camera: ReturnType<typeof createCamera>, other = false) {
  const opened = camera.open(other)
  await settle()
  const { asked, grant } = questions.at(-1)!
  grant()
  expect(await opened).toBe(undefined)
  return asked.video
}

test('a newly chosen camera is also requested after an interruption', async () => {
  const camera = createCamera(() => {})
  expect(await openedAs(camera)).toMatchObject({ facingMode: 'user' })
  expect(await openedAs(camera, true)).toMatchObject({ deviceId: { exact: 'rear' } })
  camera.close()
  expect(await openedAs(camera)).toMatchObject({ deviceId: { exact: 'rear' } })
  camera.close()
})

test('if the chosen camera is gone, the front camera replaces it', async () => {
  const camera = createCamera(() => {})
  await openedAs(camera)
  await openedAs(camera, true)
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
