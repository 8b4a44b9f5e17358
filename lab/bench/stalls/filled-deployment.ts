import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddingLengths, embeddingModel } from '../../../models/rules/embedding.ts'
import type { Services } from '../../../server/app/compose.ts'
import { openServices } from '../../../server/app/opening.ts'
import { readSettings } from '../../../server/app/settings.ts'
import { lengthOf } from '../../../server/features/sessions/records/usage-counts.ts'
import type { Store } from '../../../server/platform/store/store.ts'
import { beginTransaction } from '../../../server/platform/store/transaction.ts'
import { usageInDays } from '../../../shared/contract/sessions/session-usage.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import { countsOfDay } from '../running/usage-of-a-day.ts'
import { makeEntries } from '../start/audit-entries.ts'

/** How large a deployment is before its reads are measured. */
export interface DeploymentSize {
  readonly sessions: number
  readonly auditEntries: number
  readonly faces: number
  readonly deliveries: number
}

/** A deployment on LMDB in a temporary folder. */
export interface FilledDeployment {
  readonly folder: string
  readonly apiKey: string
  close(): Promise<void>
}

/** A person with several hundred sessions, for the export. */
export const frequentPerson = 'frequent visitor'
export const filledCollection = 'people'

const sessionsOfFrequentPerson = 300
const writtenAtOnce = 200
const day = 24 * 3600 * 1000

/**
 * Fills a deployment with six days of sessions, 400 days of counts, an audit log, faces and deliveries. All sessions are copies of one that the
 * product created.
 */
export async function fillDeployment(size: DeploymentSize): Promise<FilledDeployment> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-bench-stalls-'))
  const { services, close } = await openServices(readSettings({ DATA_DIR: folder }), true)
  const { store } = services.auditLog.book
  const { account, apiKey } = await services.accounts.create('Bench')
  const { accountId } = account
  await fillSessions(services, store, accountId, size.sessions)
  await fillCounts(store, accountId)
  await fillFaces(services, accountId, size.faces)
  await fillDeliveries(services, store, accountId, size.deliveries)
  await services.auditLog.move('all')
  await makeEntries(services.auditLog.book, accountId, size.auditEntries)
  await close()
  return { folder, apiKey, close: () => rm(folder, { recursive: true, force: true }) }
}

async function fillSessions(
  { sessions, sessionStore }: Services,
  store: Store,
  accountId: string,
  count: number,
) {
  const caller = { kind: 'account', via: 'key', accountId } as never
  const create = (externalId: string) =>
    sessions.createSession({ query: undefined, body: { verifierConfigs: {}, externalId } as never, caller })
  for (let i = 0; i < sessionsOfFrequentPerson; i++) await create(frequentPerson)
  const { verificationSessionId } = await create('template')
  const { value: created } = (await sessionStore.read(accountId, verificationSessionId))!
  await sessions.cancelSession({ query: undefined, body: { verificationSessionId }, caller })
  const { value: ended } = (await sessionStore.read(accountId, verificationSessionId))!
  for (let from = 0; from < count; from += writtenAtOnce) {
    const made = Array.from({ length: Math.min(writtenAtOnce, count - from) }, (_, i) => ({
      sessionId: randomBytes(16).toString('hex'),
      created: Date.now() - Math.floor(((count - from - i) / count) * 6 * day) - 1000,
      inputs: {
        ...created.inputs,
        externalId: `user ${from + i}`,
        correlationId: `order ${(from + i) % 1000}`,
      },
    }))
    const opening = beginTransaction(store)
    for (const own of made) sessionStore.insert(opening, { ...created, ...own })
    await opening.commit()
    const ending = beginTransaction(store)
    for (const [i, own] of made.entries()) {
      const before = (await sessionStore.read(accountId, own.sessionId))!
      const isFailed = (from + i) % 4 === 0
      const result = {
        ...ended.outcome!.result,
        verificationResult: isFailed ? 'Fail' : 'Pass',
        verificationFailedReasons: isFailed ? ['lowQuality' as const] : [],
      } as const
      const outcome = { ...ended.outcome!, result }
      const completedAt = own.created + 30_000
      sessionStore.save(ending, before, {
        ...ended,
        ...own,
        state: 'Completed',
        outcome,
        completedAt,
        tries: 1,
      })
    }
    await ending.commit()
  }
}

async function fillCounts(store: Store, accountId: string): Promise<void> {
  const now = Date.now()
  for (let at = now - usageInDays * lengthOf.day; at < now; at += lengthOf.day)
    await store.commit(countsOfDay(accountId, Math.floor(at / lengthOf.day) * lengthOf.day), [])
}

async function fillFaces({ recognition: { access } }: Services, accountId: string, count: number) {
  await access.change(accountId, filledCollection, async (_, writer) => ({
    answer: undefined,
    change: writer.make(),
  }))
  const random = randomNumbers(1)
  for (let from = 0; from < count; from += writtenAtOnce)
    await access.change(accountId, filledCollection, async (_, writer) => ({
      answer: undefined,
      change: writer.addSeveral(
        Array.from({ length: Math.min(writtenAtOnce, count - from) }, (_, i) => ({
          externalId: `user ${from + i}`,
          embeddingModel,
          embedding: Float32Array.from({ length: embeddingLengths[embeddingModel] }, () => random() - 0.5),
        })),
      ),
    }))
}

async function fillDeliveries({ deliveryStore }: Services, store: Store, accountId: string, count: number) {
  const occurredAt = new Date().toISOString()
  for (let from = 0; from < count; from += writtenAtOnce) {
    const made = Array.from({ length: Math.min(writtenAtOnce, count - from) }, () => {
      const delivery = deliveryStore.make({
        accountId,
        event: 'VerificationCompleted',
        occurredAt,
        address: 'https://example.com/events',
        verificationSessionId: randomBytes(16).toString('hex'),
        sessionCreated: Date.now(),
      })
      // Drops the pending entries, so that nothing is sent.
      return deliveryStore.add(delivery).filter(({ key }) => !key.startsWith('pending-delivery/'))
    })
    await store.commit(made.flat(), [])
  }
}
