import { signal } from '@preact/signals'
import { afterEach, expect, test, vi } from 'vitest'
import { createServerSide } from '#web/capture/flow/server-side.ts'
import type { SideOptions } from '#web/capture/flow/visit-side.ts'
import { beginning } from '#web/capture/machine/machine.ts'
import type { Event } from '#web/capture/machine/state.ts'
import { plan } from '../../support/plan.ts'

afterEach(() => vi.unstubAllGlobals())

const redirectUrl = 'https://a.example/?result=Pass'
const redirected = { verificationResult: 'Pass', redirectUrl }

/** A tab with a server that answers submissions with a Pass. */
function tab() {
  const kept = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  let state = 'Created'
  const page = { sessionStorage }
  vi.stubGlobal('window', Object.assign(page, { top: page }))
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('history', { state: null, replaceState: () => {} })
  vi.stubGlobal('fetch', async () => {
    const soFar = { actionsDone: 0, frames: 3, trail: 7 }
    const session = { state, capturePlan: plan, current: null, soFar, handoff: null, expirationUtcTime: '' }
    return Response.json({ ...session, redirectUrl: state === 'Completed' ? redirectUrl : null })
  })
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {}
      status = 200
      responseText = JSON.stringify(redirected)
      onload = () => {}
      onloadend = () => {}
      open() {}
      setRequestHeader() {}
      getResponseHeader = () => null
      send() {
        state = 'Completed'
        this.onload()
        this.onloadend()
      }
    },
  )
  return kept
}

const renew = vi.fn()

/** The page at an address that has this fragment. */
function load(hash: string) {
  const pathname = '/verification/session/s'
  vi.stubGlobal('location', { origin: 'https://check.example', pathname, search: '', hash })
  const told: Event[] = []
  const options = {
    send: (event: Event) => told.push(event),
    situation: signal({ ...beginning, context: { ...beginning.context, plan } }),
    wording: async () => ({ wordingVersion: '1', locale: 'en' }),
    report: { read: () => ({}) },
    film: { take: () => [], renew, forgetBefore: () => {} },
    ended: new AbortController().signal,
  } as unknown as SideOptions
  return { told, side: createServerSide(options) }
}

test('a reload after the verdict finds the return address, until the person has left', async () => {
  const kept = tab()
  const { told, side } = load('#t')
  await side.open()
  side.session.remember()
  await side.submitSession({ kind: 'frames', frames: [], challengeStep: 0 })
  expect(told.at(-1)).toMatchObject({ type: 'verdict', passed: true, redirectUrl })
  const again = load('')
  await again.side.open()
  expect(again.told).toMatchObject([{ type: 'notOpened', problem: 'finished', redirectUrl }])
  again.side.session.forget()
  expect(kept.size).toBe(0)
})

test('after a reload the film counts on from the server’s number', async () => {
  tab()
  renew.mockClear()
  const { told, side } = load('#t')
  await side.open()
  expect(told).toMatchObject([{ type: 'opened', framesSent: 3 }])
  expect(renew.mock.calls).toEqual([[7]])
})
