import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import { cancelSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { captureOf, handIn, pairDevice } from '../../../../support/kiosk-device.ts'
import { newVerification, openSession, problemOf, resultOf, submit } from '../../../../support/visit.ts'

interface Commit {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

const anna = { person: 'anna' }
const config = { verifierConfigs: { faceRecognition: { type: 'CalculationOnly' as const } } }

/** A store that records reads, and runs a callback around a commit. */
let reads: string[] = []
let commits: Commit[] = []
let loses: (commit: Commit) => boolean = () => false
let afterCommit: (commit: Commit) => Promise<void> = async () => {}
function watched(store: Store): Store {
  return {
    ...store,
    get(key) {
      reads.push(key)
      return store.get(key)
    },
    async commit(writes, guards) {
      if (loses({ writes, guards })) return false
      if (!(await store.commit(writes, guards))) return false
      commits.push({ writes, guards })
      await afterCommit({ writes, guards })
      return true
    },
  }
}

let host: Host
beforeAll(async () => {
  host = await startHost({ store: watched(createMemoryStore()) })
})
afterAll(() => host.close())
beforeEach(() => {
  reads = []
  commits = []
  loses = () => false
  afterCommit = async () => {}
})

const kindsOf = (keys: readonly string[]) => new Set(keys.map((key) => key.split('/')[0]))
const writesKind = ({ writes }: Commit, kind: string) => writes.some(({ key }) => key.startsWith(`${kind}/`))
/** The commit that ends a session also removes it from the list of open sessions. */
const isEnd = ({ writes }: Commit) =>
  writes.some(({ key, kind }) => key.startsWith('open-session/') && kind === 'remove')
/** The commit that claims the right to judge. */
const isMark = (commit: Commit) => writesKind(commit, 'session') && !writesKind(commit, 'open-session')

const analysesOf = async (work: () => Promise<unknown>) => {
  const before = host.analysis.calls
  await work()
  return host.analysis.calls - before
}

describe('a submission', () => {
  test('is analysed once, however often the commit of its outcome fails', async () => {
    const verificationId = await newVerification(host, config)
    const once = await openSession(host, verificationId)
    const calls = await analysesOf(() => submit(host, once, anna))
    const opened = await openSession(host, verificationId)
    let losses = 3
    loses = (commit) => isEnd(commit) && losses-- > 0
    expect(await analysesOf(() => submit(host, opened, anna))).toBe(calls)
    expect(losses).toBeLessThan(0)
    const result = await resultOf(host, opened)
    expect(result).toMatchObject({ verificationResult: 'Pass', faceRecognitionResult: 'Pass' })
    expect(result.faceId).toBe((await resultOf(host, once)).faceId)
  })

  test('is decided in one commit, and the face is added only in that one', async () => {
    const opened = await openSession(host, await newVerification(host, config))
    commits = []
    await submit(host, opened, anna)
    const ends = commits.filter(isEnd)
    expect(ends).toHaveLength(1)
    expect(ends.map((commit) => writesKind(commit, 'face'))).toEqual([true])
    expect(commits.filter((commit) => writesKind(commit, 'face'))).toHaveLength(1)
  })

  test('adds nothing if its session is cancelled between its two commits, and the session stays cancelled', async () => {
    const opened = await openSession(host, await newVerification(host, config))
    const { verificationSessionId } = opened
    commits = []
    afterCommit = async (commit) => {
      if (!isMark(commit)) return
      afterCommit = async () => {}
      await host.call(cancelSession, { body: { verificationSessionId } })
    }
    expect(await problemOf(submit(host, opened, anna))).toBe('session_expired')
    expect(await resultOf(host, opened)).toMatchObject({
      verificationResult: 'Fail',
      verificationFailedReasons: ['sessionExpired'],
    })
    expect(commits.filter((commit) => writesKind(commit, 'face'))).toEqual([])
  })

  test('of a page reads no records of kiosks', async () => {
    const opened = await openSession(host, await newVerification(host, config))
    reads = []
    commits = []
    await submit(host, opened, anna)
    const keys = [
      ...reads,
      ...commits.flatMap(({ writes, guards }) => [...writes, ...guards].map(({ key }) => key)),
    ]
    expect(kindsOf(keys)).toContain('session')
    expect([...kindsOf(keys)].filter((kind) => kind?.startsWith('kiosk'))).toEqual([])
  })
})

describe('a capture', () => {
  test('is answered and counted in the commit that ends its session', async () => {
    const device = await pairDevice(host, await newVerification(host, config))
    commits = []
    await handIn(host, device, captureOf(device, host.now()))
    const ends = commits.filter(isEnd)
    expect(ends).toHaveLength(1)
    expect(writesKind(ends[0]!, 'kiosk-capture') && writesKind(ends[0]!, 'kiosk-report')).toBe(true)
  })

  test('is counted once, however often the commit of its outcome fails', async () => {
    const device = await pairDevice(host, await newVerification(host, config))
    let losses = 3
    loses = (commit) => isEnd(commit) && losses-- > 0
    await handIn(host, device, captureOf(device, host.now()))
    expect(losses).toBeLessThan(0)
    const { kiosks } = await host.call(getAllKiosks, {})
    expect(kiosks.find(({ kioskId }) => kioskId === device.kioskId)).toMatchObject({ receivedCount: 1 })
  })
})
