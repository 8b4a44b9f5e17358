import type { FileHandle } from 'node:fs/promises'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createAuditArchives } from '#server/features/audit/archives/audit-archives.ts'
import { createFolderArchives, fileSource } from '#server/features/audit/archives/folder-archives.ts'
import { gapsBetween } from '#server/features/audit/archives/verify-archive.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Store } from '#server/platform/store/store.ts'
import { type AuditDeployment, newAuditDeployment } from '../../../../support/audit/deployment.ts'

/** How many changes to files and the store happen before the process is killed. It makes none after that. */
const life = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }))

function step(): void {
  if (life.left <= 0) throw new Error('killed')
  life.left--
}

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  /** A handle that tears the last write before the kill. */
  const mortal = (file: FileHandle) =>
    new Proxy(file, {
      get(of, name) {
        const method = Reflect.get(of, name)
        if (typeof method !== 'function') return method
        return async (...given: never[]) => {
          if (name === 'appendFile' && life.left <= 0) {
            const bytes = Buffer.from(given[0] as unknown as string)
            life.left = 0
            await of.appendFile(bytes.subarray(0, bytes.length / 2)).catch(() => undefined)
          }
          if (name !== 'close' && name !== 'read' && name !== 'stat') step()
          return method.apply(of, given)
        }
      },
    })
  const counted =
    <A extends never[], R>(change: (...given: A) => R) =>
    (...given: A): R => {
      step()
      return change(...given)
    }
  return {
    ...real,
    open: async (path: string, flags?: string, mode?: number) => {
      if (flags !== undefined && flags !== 'r') step()
      return mortal(await real.open(path, flags, mode))
    },
    mkdir: counted(real.mkdir as never),
    rename: counted(real.rename as never),
    rm: counted(real.rm as never),
  }
})

let at: AuditDeployment
/** Ten entries in each of three months. The first entry creates the account. */
async function begin(): Promise<void> {
  at = await newAuditDeployment()
  for (const month of ['01', '02', '03']) {
    at.clock.now = Date.parse(`2026-${month}-10T12:00:00Z`)
    await at.add(month === '01' ? 9 : 10)
    await at.log.move('all')
  }
  at.clock.now = Date.parse('2026-05-10T12:00:00Z')
}

async function end(): Promise<void> {
  await at.close()
  await rm(into(), { recursive: true, force: true })
}

const into = () => `${at.folder}-archives`
const commit: Store['commit'] = async (writes, guards) => {
  step()
  return at.store.commit(writes, guards)
}
/** Archives the way the command does, until there is nothing left. */
const archive = async (before: string) => {
  const log = at.open({ behind: { ...at.store, commit } })
  const archives = createAuditArchives(log, at.keyRing)
  while (await archives.archive(at.accountId, Date.parse(before), createFolderArchives(into())));
}

/** Kills a run after a number of changes. Returns true if the run had finished before that. */
async function killed(before: string, changes: number): Promise<boolean> {
  life.left = changes
  const isOver = await archive(before).then(
    () => true,
    (error: Error) => {
      expect(error.message).toBe('killed')
      return false
    },
  )
  life.left = Number.POSITIVE_INFINITY
  return isOver
}

/** The log combined with all archives. */
async function whole() {
  const { valid, head, checked } = await at.open().verify(at.accountId)
  const names = (await readdir(into())).filter((name) => name.endsWith('.audit'))
  const archives = createAuditArchives(at.open(), at.keyRing)
  const proven = await Promise.all(
    names.map((name) => archives.verifyArchive(fileSource(join(into(), name)))),
  )
  const frames = await allOf(at.open().book.segments.ascending(at.accountId, 0))
  return {
    valid,
    head: head?.sequence,
    checked,
    gaps: gapsBetween(proven),
    archived: proven.reduce((sum, { entries }) => sum + entries, 0),
    left: frames.filter(({ kind }) => kind === 'entries').map(({ first, last }) => [first, last]),
  }
}

test.each([
  ['the same day', '2026-03-01'],
  ['a later day', '2026-04-01'],
])('a run that is killed at any step is run again for %s', async (_name, again) => {
  const archived = again === '2026-03-01' ? 20 : 30
  let steps = 0
  for (let isOver = false; !isOver; steps++) {
    await begin()
    isOver = await killed('2026-03-01', steps)
    expect(await at.open().verify(at.accountId), `killed after ${steps}`).toMatchObject({ valid: true })
    await archive(again)
    expect(await whole(), `killed after ${steps}`).toEqual({
      valid: true,
      head: 30,
      checked: 30 - archived,
      gaps: [],
      archived,
      left: archived === 30 ? [] : [[21, 30]],
    })
    await end()
  }
  expect(steps).toBeGreaterThan(10)
})
