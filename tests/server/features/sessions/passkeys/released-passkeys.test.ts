import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Contents, fixturePages, fixtureSettingsIn } from '#lab/fixtures/contents.ts'
import { readSettings } from '#server/app/settings.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { fingerprintOf } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import { unpackFixture } from '../../../../processes/released-store.ts'
import { newAuthenticator } from '../../../../support/authenticator.ts'
import { haveShown, strong } from '../../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import * as visits from '../../../../support/passkeys/passkey-visits.ts'
import { resultOf } from '../../../../support/visit.ts'

const folder = mkdtempSync(join(tmpdir(), 'selfsame-passkeys-'))
let contents: Contents
let host: Host
let closeStore: () => Promise<void>
beforeAll(async () => {
  contents = unpackFixture('0.2.0', 'lmdb', folder)
  const offset = contents.madeAt - Date.now()
  let now = () => Date.now() + offset
  const file = openLmdbStore(join(folder, 'store'), () => now())
  closeStore = file.close
  const settings = readSettings(fixtureSettingsIn(folder, 'lmdb'))
  const { store, keyRing } = await openKeyRing(file, settings)
  const certificate = new X509Certificate(readFileSync(join(folder, 'passkey-roots/root.pem')))
  const passkeyRoots = [{ certificate, fingerprint: fingerprintOf(certificate) }]
  const ports = {
    keyRing,
    passkeyRoots,
    now: () => now(),
    origin: () => fixturePages,
    issuer: () => fixturePages,
  }
  const started = await startHost({ store, ports })
  now = () => started.now() + offset
  const { apiKey } = contents.keys[0]!
  host = { ...started, call: (endpoint, args) => started.call(endpoint, { apiKey, ...args }) }
})
afterAll(async () => {
  await host?.close()
  await closeStore?.()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => haveShown(strong))

test('a passkey that 0.2.0 bound still leads a visit to high', async () => {
  const { externalId, verificationId, device } = contents.passkeyHolder
  const opened = await visits.open(host, verificationId, encodeURIComponent(externalId))
  await visits.show(host, opened, newAuthenticator(fixturePages, undefined, device))
  await visits.passThrough(host, opened)
  expect(await resultOf(host, opened)).toMatchObject({ verificationResult: 'Pass', assurance: 'high' })
})
