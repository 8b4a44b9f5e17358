import type { NewAccount } from '#server/features/accounts/accounts.ts'
import { headsWords } from '#server/features/audit/audit.ts'
import type { ListeningServer } from '#server/platform/listening/listening-server.ts'
import { provenanceOf } from '#server/platform/running/provenance.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import { type AuditPlace, auditPlaceWords } from './audit-place.ts'
import { type DeviceTrust, deviceLines } from './device-trust.ts'
import { evidenceWords } from './evidence-place.ts'
import type { Settings } from './settings.ts'

/**
 * Prints the key, which is shown only once. [Note: A key is printed before anything can fail] Later steps, such as listening
 * on a port that is taken, may end the start. The account remains, so its key must be known by then.
 */
export function announceKey(
  settings: Pick<Settings, 'pack' | 'upkeep'>,
  first: Pick<NewAccount, 'apiKey' | 'webhookKey'> | undefined,
): void {
  if (first === undefined) {
    console.log('API key: printed at the first start')
    return
  }
  if (settings.upkeep.firstApiKey !== undefined) console.log('API key: the value of FIRST_API_KEY')
  else
    for (const line of [`API key: ${first.apiKey}`, 'This key is shown only once: save it.'])
      console.log(line)
  if (first.webhookKey !== undefined)
    console.log(
      `Webhooks of verifications carry this key, which grants no access, in X-API-Key: ${first.webhookKey}`,
    )
  for (const line of provenanceOf(settings.pack)) console.log(line)
}

/** Prints the server's addresses. `pages` is the pages' public origin; undefined if none are served. */
export function announceAddresses(
  servers: readonly Pick<ListeningServer, 'address' | 'roles'>[],
  pages: string | undefined,
  hasDemo: boolean,
  aboutConsole: readonly string[],
): void {
  const [only, ...others] = servers
  if (others.length === 0 && only !== undefined) {
    console.log(`Selfsame is ready at ${pages ?? only.address()}/`)
  } else {
    for (const { address, roles } of servers)
      console.log(`Selfsame is ready at ${address()}/ (${roles.join(', ')})`)
  }
  for (const line of aboutConsole) console.log(line)
  if (hasDemo) console.log(`Demo: ${pages}/demo`)
}

/** Lines about the places other than the store that this process writes or reports to, and about trusted devices. */
export function placeLines(
  settings: Settings,
  {
    ofServer,
    auditPlace,
    devices,
  }: { ofServer: Blobs | undefined; auditPlace: AuditPlace; devices: DeviceTrust },
): readonly string[] {
  const { upkeep } = settings
  const evidence = evidenceWords(settings, ofServer)
  return [
    auditPlaceWords(settings, auditPlace),
    headsWords(upkeep.auditHeads),
    ...(evidence === undefined ? [] : [evidence]),
    ...deviceLines(devices),
  ]
}
