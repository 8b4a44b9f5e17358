import { openAuditPlace } from '#server/app/audit-place.ts'
import { readSettings } from '#server/app/settings.ts'
import { createAuditLog } from '#server/features/audit/audit-log.ts'
import { createAuditMover } from '#server/features/audit/audit-mover.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'

/**
 * A deployment's process that adds to one account's audit log as fast as it can, and moves entries the way a
 * server does, until it is killed. Prints each operation on a separate line once it has been acknowledged.
 */
const [accountId = '', name = ''] = process.argv.slice(2)
const settings = readSettings()
const complain = (error: unknown) => console.error(String(error))
const opened = await openStore(settings, complain)
const { keyRing, store } = await openKeyRing(opened.store, settings)
const { segments } = await openAuditPlace(settings, opened.rows, () => undefined)
const log = createAuditLog({ store, keyRing, segments, now: Date.now })
createAuditMover({ store, log, onFailure: complain }).start()
const actor = { kind: 'server', keyId: null, tokenId: null } as const
for (let number = 0; ; number++) {
  const operation = `${name}.${number}`
  await log.append(accountId, { operation, actor, resources: {}, outcome: 'succeeded' })
  process.stdout.write(`${operation}\n`)
  // More often than its clock calls for, so that kills coincide with moves.
  if (number % 20 === 0) await log.move('due')
}
