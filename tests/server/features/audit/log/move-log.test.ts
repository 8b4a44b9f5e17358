import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuditMover } from '#server/features/audit/audit-mover.ts'
import { trimToStore } from '#server/features/audit/log/trim-log.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import type { AuditSegments } from '#server/features/audit/segments/segments.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Store } from '#server/platform/store/store.ts'
import { type AuditDeployment, eventOf, newAuditDeployment } from '../../../../support/audit/deployment.ts'

/** Milliseconds. */
const underLoad = 20_000

let at: AuditDeployment
beforeEach(async () => {
  at = await newAuditDeployment()
})
afterEach(() => at.close())

const waiting = async () =>
  (await allOf(at.store.list(`audit-outbox/${at.accountId}/`))).map(({ key }) => key)
const sequences = async (log = at.log, limit = 100, before?: number) =>
  (await log.page(at.accountId, limit, before)).map(({ sequence }) => sequence)
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i)

describe('entries that move to segments', () => {
  test('are returned unchanged before, during and after the move, with the same hashes', async () => {
    await at.add(4)
    const before = await at.log.page(at.accountId, 100, undefined)
    await at.log.move('due')
    expect(await waiting()).toEqual([])
    expect(await at.log.page(at.accountId, 100, undefined)).toEqual(before)
    await at.add(3)
    expect(await sequences()).toEqual(down(8, 1))
    expect(await sequences(at.log, 3, 7)).toEqual([6, 5, 4])
    expect(await sequences(at.log, 2, 2)).toEqual([1])
    expect(await at.log.verify(at.accountId)).toMatchObject({ valid: true, checked: 8 })
  })

  test('are read page by page across segments of several months and processes', async () => {
    for (const month of [1, 2, 3]) {
      at.clock.now = Date.parse(`2026-0${month}-10T12:00:00Z`)
      await at.add(5)
      await (month === 2 ? at.open() : at.log).move('due')
    }
    const found: number[] = []
    for (let before: number | undefined; ; before = found.at(-1)) {
      const page = await sequences(at.open(), 4, before)
      if (page.length === 0) break
      found.push(...page)
    }
    expect(found).toEqual(down(16, 1))
  })

  test('occur once if a process was killed before it could confirm the move', async () => {
    await at.add(3)
    const killed: Store = {
      ...at.store,
      commit: async () => {
        throw new Error('killed')
      },
    }
    await expect(at.open({ behind: killed }).move('due')).rejects.toThrow('killed')
    expect(await waiting()).toHaveLength(4)
    expect(await sequences()).toEqual(down(4, 1))
    expect(await at.log.verify(at.accountId)).toMatchObject({ valid: true, checked: 4 })
    await at.add(1)
    await at.open().move('due')
    expect(await waiting()).toEqual([])
    expect(await sequences()).toEqual(down(5, 1))
    expect(await at.log.verify(at.accountId)).toMatchObject({ valid: true, checked: 5 })
    expect(await at.log.verifyRecent(at.accountId)).toMatchObject({ valid: true })
  })

  test('wait while the disk is full, remain readable, and move once there is room', async () => {
    let isFull = true
    const change = (segments: AuditSegments): AuditSegments => ({
      ...segments,
      append: async (accountId, frames) => {
        if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
        return segments.append(accountId, frames)
      },
    })
    const log = at.open({ change })
    await at.add(3)
    await expect(log.move('due')).rejects.toThrow('no space left')
    await log.append(at.accountId, eventOf('meanwhile'))
    expect(await sequences(log)).toEqual(down(5, 1))
    expect(await log.verify(at.accountId)).toMatchObject({ valid: true, checked: 5 })
    isFull = false
    await log.move('due')
    expect(await waiting()).toEqual([])
    expect(await sequences(log)).toEqual(down(5, 1))
  })

  test('are moved by one of several processes, and by another one once that has ended', async () => {
    const moves = [vi.fn(), vi.fn()]
    const movers = moves.map((moved) =>
      createAuditMover({
        store: at.store,
        log: { move: async () => void moved() },
        onFailure: (error) => expect.unreachable(String(error)),
      }),
    )
    for (const mover of movers) mover.start()
    await vi.waitFor(() => expect(moves.map(({ mock }) => mock.calls.length > 1)).toContain(true), underLoad)
    const first = moves.findIndex(({ mock }) => mock.calls.length > 0)
    expect(moves[1 - first]).not.toHaveBeenCalled()
    await movers[first]!.stop()
    await vi.waitFor(() => expect(moves[1 - first]).toHaveBeenCalled(), underLoad)
    await movers[1 - first]!.stop()
  })
})

describe('a start', () => {
  /** Segments that count how many frames are read from them. */
  function counted() {
    const count = { frames: 0, whole: 0 }
    const change = (segments: AuditSegments): AuditSegments => ({
      ...segments,
      async *descending(accountId, upTo) {
        for await (const frame of segments.descending(accountId, upTo)) {
          count.frames++
          yield frame
        }
      },
      ascending(accountId, after) {
        count.whole++
        return segments.ascending(accountId, after)
      },
    })
    return { count, change }
  }

  test('reads from the newest checkpoint on, and knows earlier revocations', async () => {
    await at.log.append(at.accountId, eventOf('revokeKey', 'lost'))
    await at.add(2600)
    await at.log.move('due')
    const { count, change } = counted()
    const log = at.open({ change })
    const [old] = await at.log.page(at.accountId, 1, 51)
    const verdict = await log.verifyRecent(at.accountId)
    expect(verdict).toMatchObject({ valid: true, head: { sequence: 2602 } })
    expect(verdict.checked).toBe(2602)
    expect(verdict.withdrawals).toEqual([{ kind: 'key', id: 'lost', at: 2 }])
    expect(count).toEqual({ frames: 2, whole: 0 })
    expect(await log.verifyRecent(at.accountId, old)).toMatchObject({ valid: true })
    expect(await log.verifyRecent(at.accountId, { sequence: 50, hash: 'another' })).toMatchObject({
      valid: false,
      fault: 'rewritten',
      faultAt: 50,
    })
    expect(await log.verifyRecent(at.accountId, { sequence: 2700, hash: 'later' })).toMatchObject({
      valid: false,
      fault: 'missing',
      faultAt: 2603,
    })
    expect(count.whole).toBe(0)
    expect(await log.verify(at.accountId)).toMatchObject({ valid: true, checked: 2602 })
  })

  test('is signed after a minute, and when the process ends', async () => {
    const checkpoints = async () => {
      const frames = await allOf(createFolderSegments(at.folder, at.now).ascending(at.accountId, 0))
      return frames.filter(({ kind }) => kind === 'checkpoint').map(({ last }) => last)
    }
    await at.log.move('due')
    expect(await checkpoints()).toEqual([])
    at.clock.now += 60_000
    await at.log.move('due')
    expect(await checkpoints()).toEqual([1])
    await at.add(1)
    await at.log.move('all')
    await at.log.move('all')
    expect(await checkpoints()).toEqual([1, 2])
  })

  test('finds that segments were cut off after the checkpoint, and signs nothing that does not continue', async () => {
    await at.add(1100)
    await at.log.move('due')
    await createFolderSegments(at.folder, at.now).trim(at.accountId, 1000, () => undefined)
    const log = at.open()
    expect(await log.verifyRecent(at.accountId)).toMatchObject({ fault: 'missing', faultAt: 1001 })
    await log.append(at.accountId, eventOf('later'))
    await log.move('all')
    expect(await at.open().verifyRecent(at.accountId)).toMatchObject({ fault: 'missing', faultAt: 1001 })
  })
})

test('a restore leaves in the segments only what the store knows', async () => {
  await at.add(3)
  await at.log.move('due')
  const former = await allOf(at.store.list('audit-'))
  await at.add(5)
  await at.log.move('all')
  for (const { key, value } of former) await at.store.put(key, value)
  await trimToStore(at.log.book, at.log.book.ends)
  const restored = at.open()
  expect(await restored.verify(at.accountId)).toMatchObject({ valid: true, checked: 4 })
  await restored.append(at.accountId, eventOf('restoreBackup'))
  await restored.move('all')
  expect(await restored.verify(at.accountId)).toMatchObject({ valid: true, checked: 5 })
})
