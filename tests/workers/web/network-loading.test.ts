import { expect, test } from 'vitest'
import { modelOf } from '#models/networks/manifest.ts'
import type { ModelName } from '#models/networks/session.ts'
import type { NetworkLoading } from '#workers/api.ts'
import { createNetworkLoading } from '#workers/web/network-loading.ts'

const names: readonly ModelName[] = [
  'blazeface-short',
  'facemesh',
  'face-expression',
  'fr-liveness',
  'fr-eye',
]
const turns = () => new Promise((resolve) => setTimeout(resolve))

/** Networks that arrive one at a time, on each call to `arrive`, and what is reported meanwhile. */
function loadingOf() {
  const asked: ModelName[] = []
  let arrived = () => {}
  const loading = createNetworkLoading(
    (name, { onBytes }) => {
      asked.push(name)
      return new Promise((resolve) => {
        arrived = () => {
          onBytes(modelOf(name).bytes)
          resolve(new Uint8Array())
        }
      })
    },
    async () => 'session',
  )
  const reports: NetworkLoading[] = []
  const stop = loading.watch(names, (report) => reports.push(report))
  for (const name of names) void loading.open(name)
  const arrive = async () => {
    arrived()
    await turns()
  }
  return { asked, arrive, reports, stop }
}

test('networks are fetched one after the other, in the order of the requests', async () => {
  const { asked, arrive } = loadingOf()
  await turns()
  expect(asked).toEqual(['blazeface-short'])
  for (let i = 0; i < names.length; i++) await arrive()
  expect(asked).toEqual(names)
})

test('reports contain what is known by then, and the bytes of what guides a person', async () => {
  const { arrive, reports } = loadingOf()
  const guiding = names.slice(0, 3).map((name) => modelOf(name).bytes)
  const totalBytes = guiding.reduce((sum, bytes) => sum + bytes, 0)
  await turns()
  expect(reports).toEqual([{ reached: 'nothing', bytes: 0, totalBytes }])
  const reached: string[] = []
  const bytes: number[] = []
  for (let i = 0; i < names.length; i++) {
    await arrive()
    reached.push(reports.at(-1)!.reached)
    bytes.push(reports.at(-1)!.bytes)
  }
  expect(reached).toEqual(['faces', 'faces', 'guidance', 'guidance', 'everything'])
  expect(bytes).toEqual([guiding[0], guiding[0]! + guiding[1]!, totalBytes, totalBytes, totalBytes])
})

test('nothing is reported after the watch ends', async () => {
  const { arrive, reports, stop } = loadingOf()
  await turns()
  stop()
  await arrive()
  expect(reports).toHaveLength(1)
})
