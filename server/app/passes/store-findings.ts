import type { Services } from '#server/app/compose.ts'
import { tellOfConsole } from '#server/app/console-lines.ts'
import type { Settings } from '#server/app/settings.ts'
import { type UnreadableCollection, unreadableCollections } from '#server/features/recognition/recognition.ts'
import { createLookUp } from './look-up.ts'

interface StartOptions {
  readonly settings: Settings
  /** True if this process serves verifications and the console. */
  readonly isConfiguration: boolean
  /** True if a code that opens the console may be printed. */
  readonly mayPrintCode: boolean
  readonly onFailure: (error: unknown) => void
}

/** Facts about the store's content that are reported at startup. */
export async function findInStore(services: Services, given: StartOptions) {
  const { settings, isConfiguration, mayPrintCode, onFailure } = given
  const { accounts, recognition, verifications } = services
  const lookUp = createLookUp(onFailure)
  const { embeddingModel, formerModel } = settings.pack
  return {
    unknownNames: isConfiguration ? await lookUp(verifications.withUnknownNames, []) : [],
    equalNames: isConfiguration ? await lookUp(verifications.withEqualNames, []) : [],
    outOfReach:
      isConfiguration && settings.upkeep.passkeyRoots === undefined
        ? await lookUp(verifications.askingForHigh, [])
        : [],
    movedToServers: await lookUp(() => movedToServers(services), 0),
    oldAuditLogs: isConfiguration ? await lookUp(() => olderThan(services, settings.upkeep.auditDays), 0) : 0,
    adminKeyInWebhooks: await lookUp(accounts.keys.anyWebhookCarriesAdmin, false),
    aboutConsole: isConfiguration
      ? await lookUp(() => tellOfConsole(services, mayPrintCode, settings), undefined)
      : undefined,
    unreadable: await lookUp<readonly UnreadableCollection[]>(
      () => unreadableCollections(accounts, recognition.access, embeddingModel, formerModel),
      [],
    ),
  }
}

/** How many collections were moved to PostgreSQL servers. */
async function movedToServers({ accounts, recognition }: Services): Promise<number> {
  let moved = 0
  for (const { accountId } of await accounts.list()) {
    for await (const { faceIndex } of recognition.access.listReadable(accountId))
      if (faceIndex === 'postgres') moved++
  }
  return moved
}

const dayInMilliseconds = 24 * 3600 * 1000

/** How many audit logs have entries older than this many days. */
async function olderThan({ accounts, auditArchives, now }: Services, days: number): Promise<number> {
  const since = now() - days * dayInMilliseconds
  let old = 0
  for (const { accountId } of await accounts.list()) {
    const oldest = await auditArchives.oldest(accountId)
    if (oldest !== undefined && oldest < since) old++
  }
  return old
}
