import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnalysisHosts } from '#web/capture/analysis/analysis-host.ts'
import { emptyView } from '#web/capture/analysis/tracker.ts'
import { createLiveCapture } from '#web/capture/flow/live-capture.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import type { Event, Situation } from '#web/capture/machine/state.ts'
import { createDeviceReport } from '#web/capture/sending/device-report.ts'

let isOn: boolean
let isHidden: boolean

beforeEach(() => {
  isOn = false
  isHidden = false
  const track = Object.assign(new EventTarget(), {
    muted: false,
    label: '',
    stop() {
      isOn = false
    },
    getSettings: () => ({}),
  })
  const getUserMedia = async () => {
    isOn = true
    return { getTracks: () => [track], getVideoTracks: () => [track] }
  }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  vi.stubGlobal('document', {
    get hidden() {
      return isHidden
    },
    createElement: () =>
      Object.assign(new EventTarget(), { setAttribute: () => {}, play: async () => {}, srcObject: null }),
  })
})
afterEach(() => vi.unstubAllGlobals())

function asking() {
  const sent: Event[] = []
  const situation = signal<Situation>({ ...beginning, state: { name: 'asking', late: false } })
  const capture = createLiveCapture({
    send: (event) => void sent.push(event),
    situation,
    view: emptyView(),
    report: createDeviceReport(),
    onSpeak: () => {},
    preferredCamera: undefined,
    hosts: {} as AnalysisHosts,
    ended: new AbortController().signal,
  })
  return { sent, capture }
}

test('a camera that opens in an abandoned tab is reported, and its pictures are not waited for', async () => {
  const { sent, capture } = asking()
  isHidden = true
  await capture.open('same')
  expect(sent).toEqual([{ type: 'cameraOpened' }, { type: 'hidden' }])
  capture.close()
})

test('one that was closed during the browser’s prompt reports nothing, and is off', async () => {
  const { sent, capture } = asking()
  const opened = capture.open('same')
  capture.close()
  await opened
  expect(sent).toEqual([])
  expect(isOn).toBe(false)
})
