import { packs } from '#models/rules/packs.ts'
import { openServices } from '#server/app/opening.ts'
import { readSettings } from '#server/app/settings.ts'
import { createSessionStore } from '#server/features/sessions/records/session-store.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { embeddingOf } from '../drawn/fake-analysis.ts'

/**
 * Offers a session's person the chance to bind a passkey, as a visit at `standard` does: ACCOUNT SESSION, with a server's
 * settings. Photographs do not reach that level, so the fixture maker leaves this step to the program's
 * own sources. The face is drawn.
 */
const [accountId = '', sessionId = ''] = process.argv.slice(2)
const settings = readSettings()
const { services, close } = await openServices(settings, false)
const opened = await openStore(settings, console.error)
const { keyRing, store } = await openKeyRing(opened.store, settings)
const sessions = createSessionStore(store, keyRing, Date.now)
const read = await sessions.read(accountId, sessionId)
const { passkey, inputs } = read?.value ?? {}
if (read === undefined || passkey === undefined || !inputs?.externalId)
  throw new Error('This session cannot lead to a passkey.')
const { embeddingModel, secondModel } = packs.standard
const face = { embedding: embeddingOf('anna'), embeddingModel, ...(secondModel && { secondModel }) }
const offer = { accountId, externalId: inputs.externalId, face }
const writes = [services.passkeys.writeOffer(sessionId, offer, 600)]
const offered = { ...read.value, passkey: { ...passkey, isOffered: true } }
if (!(await sessions.replace(read, offered, { writes, guards: [] }))) throw new Error('The session changed.')
await store.close()
await close()
process.exit()
