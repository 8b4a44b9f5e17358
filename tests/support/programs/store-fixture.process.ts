import { writeFileSync } from 'node:fs'
import { readSettings } from '#server/app/settings.ts'
import { faceForms } from '#server/features/recognition/faces/stored-face.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { createKey, revokeKey } from '#shared/contract/account/account.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { addFace, newCollection } from '../drawn/gallery.ts'
import { startHost } from '../host.ts'
import { fixtureSecret } from '../stores/fixture.ts'

/**
 * Writes a small store, as the program that stands here makes it, to the file that is named: an account with a revoked
 * key, a verification with an address, a collection of two faces, and the log. For a release that changes the format,
 * run it on the release before: `node --import tsx tests/support/programs/store-fixture.process.ts FILE`.
 */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('FILE is missing.')
const kept = createMemoryStore()
const { keyRing, store } = await openKeyRing(kept, readSettings({ SECRET: fixtureSecret }), {
  forms: faceForms,
})
const host = await startHost({ store, ports: { keyRing } })
const { keyId } = await host.call(createKey, { body: { name: 'Lost key', scopes: ['analyse'] } })
await host.call(revokeKey, { query: { keyId } })
const webhookConfig = { eventCallbackUrl: 'https://hooks.bank.example/events' }
const body = { name: 'Opening an account', verificationConfig: { webhookConfig } }
await host.call(createVerification, { body })
const collectionId = await newCollection(host)
for (const person of ['anna', 'boris']) await addFace(host, collectionId, { person })
const { apiKey, accountId } = host
const lines = [JSON.stringify({ apiKey, accountId, collectionId, keyId })]
for await (const { key, value } of kept.list('')) {
  if (!key.startsWith('rate-share/')) lines.push(JSON.stringify([key, Buffer.from(value).toString('base64')]))
}
writeFileSync(file, `${lines.join('\n')}\n`)
process.exit()
