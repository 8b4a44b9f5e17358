import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Passkey } from '#server/features/sessions/records/passkey-store.ts'
import {
  parseRevocationList,
  type RevocationList,
} from '#server/platform/web-authn/attestation/revocation-list.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { exportPerson, resetPasskeys } from '#shared/contract/account/person.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { newAuthenticator, pages } from '../../../../support/authenticator.ts'
import { haveShown, strong } from '../../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newAttestedAuthenticator, packed } from '../../../../support/passkeys/attested-device.ts'
import { newMaker, rootOf } from '../../../../support/passkeys/makers.ts'
import * as visits from '../../../../support/passkeys/passkey-visits.ts'
import { newVerification, type Opened, resultOf } from '../../../../support/visit.ts'

const live: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const maker = await newMaker('Test Keys Root')
const serialNumber = 'c0ffee'
const newDevice = () => newAttestedAuthenticator(pages, packed(maker, { serialNumber, above: [] }))

/** The current list. If a list revokes nothing, every passkey without a stored chain is unknown to it. */
let list: RevocationList
const revoke = (content: object) => {
  list = parseRevocationList(JSON.stringify(content))
}
const theDevice = { serialNumbers: [serialNumber] }

let host: Host
let verificationId: string
beforeAll(async () => {
  const revokedDevices = {
    includes: (device: Parameters<RevocationList['includes']>[0]) => list.includes(device),
  }
  const ports = { origin: () => pages, passkeyRoots: [rootOf(maker)], revokedDevices }
  host = await startHost({ ports })
  verificationId = await newVerification(host, live)
})
afterAll(() => host.close())
beforeEach(() => {
  haveShown(strong)
  revoke({})
})

let persons = 0
const newPerson = () => `owner-${++persons}`
async function bound(device: visits.Device, externalId = newPerson()) {
  const opened = await visits.open(host, verificationId, externalId)
  await visits.passThrough(host, opened)
  await visits.bind(host, opened, device)
  return { externalId, opened }
}
async function shown(externalId: string, device: visits.Device) {
  const opened = await visits.open(host, verificationId, externalId)
  await visits.show(host, opened, device)
  await visits.passThrough(host, opened)
  return opened
}
/** A visit's level, reasons and device findings, taken from its result and from the session list. */
async function seenOf(opened: Opened) {
  const { assurance, verificationResult, passkeys, findings } = await resultOf(host, opened)
  const { sessions } = await host.call(getSessions, { query: { limit: 5 } })
  const listed = sessions.find(({ verificationSessionId: id }) => id === opened.verificationSessionId)!
  expect([listed.assurance, listed.findings]).toEqual([assurance, findings])
  expect(verificationResult).toBe('Pass')
  // Everyone here has the same face, so other sessions are found too.
  const own = findings.filter(({ verificationSessionId: id }) => id === opened.verificationSessionId)
  return [assurance, passkeys.map(({ unattestedBecause }) => unattestedBecause), own.map(({ kind }) => kind)]
}
const revokedInAudit = async () => {
  const { entries } = await host.call(getAuditLog, { query: { limit: 100 } })
  return entries.filter(({ operation }) => operation === 'findRevokedDevice')
}

test('a device that is revoked when its passkey is bound leads to standard, and to high once it is off the list', async () => {
  revoke(theDevice)
  const device = newDevice()
  const before = (await revokedInAudit()).length
  const { externalId, opened } = await bound(device)
  expect(await seenOf(opened)).toEqual(['standard', ['deviceRevoked'], ['deviceRevoked']])
  const [entry, ...earlier] = await revokedInAudit()
  expect(earlier).toHaveLength(before)
  expect(entry).toMatchObject({
    actor: { kind: 'server' },
    outcome: 'succeeded',
    resources: { verificationId, session: expect.any(String), person: expect.any(String) },
  })
  expect(await seenOf(await shown(externalId, device))).toEqual([
    'standard',
    ['deviceRevoked'],
    ['deviceRevoked'],
  ])
  expect(await revokedInAudit()).toHaveLength(before + 2)
  revoke({})
  expect(await seenOf(await shown(externalId, device))).toEqual(['high', [null], []])
})

test('a device that is revoked after its passkey was bound leads to standard from the next visit on', async () => {
  const device = newDevice()
  const { externalId, opened } = await bound(device)
  expect(await seenOf(opened)).toEqual(['standard', [null], []])
  revoke(theDevice)
  const before = (await revokedInAudit()).length
  expect(await seenOf(await shown(externalId, device))).toEqual([
    'standard',
    ['deviceRevoked'],
    ['deviceRevoked'],
  ])
  expect(await revokedInAudit()).toHaveLength(before + 1)
})

test('a passkey that was stored without its chain is unknown until it is bound again', async () => {
  const device = newDevice()
  const { externalId } = await bound(device)
  const person = { accountId: host.accountId, externalId }
  const [{ attested, ...passkey }] = (await host.services.passkeys.list(person)) as [Passkey]
  const { chain: _, ...ofBefore } = attested!.attestation!
  const stored = { ...passkey, attested: { attestation: ofBefore } }
  await host.store.commit([await host.services.passkeys.write(person, stored)], [])
  const entries = await revokedInAudit()
  expect(await seenOf(await shown(externalId, device))).toEqual([
    'standard',
    ['deviceUnknown'],
    ['deviceUnknown'],
  ])
  expect(await revokedInAudit()).toEqual(entries)

  await host.call(resetPasskeys, { body: { externalId } })
  await bound(device, externalId)
  expect(await seenOf(await shown(externalId, device))).toEqual(['high', [null], []])
})

test('an unattested device is no finding, whatever the list contains', async () => {
  revoke({ aaguids: ['00000000-0000-0000-0000-000000000000'] })
  const { opened } = await bound(newAuthenticator(pages))
  expect(await seenOf(opened)).toEqual(['standard', ['notSent'], []])
})

test('the result and the export of a person name the certificates in the same form as the list', async () => {
  const { externalId, opened } = await bound(newDevice())
  const { certificates } = (await resultOf(host, opened)).passkeys[0]!.attestation!
  const { passkeys } = await host.call(exportPerson, { query: { externalId } })
  expect(passkeys[0]!.attestation!.certificates).toEqual(certificates)
  expect(certificates).toHaveLength(2)
  const device = host.services.passkeys.list({ accountId: host.accountId, externalId })
  const { attestation } = (await device)[0]!.attested!
  for (const { sha256, issuer, serial } of certificates!) {
    revoke({ certificates: [sha256] })
    expect(list.includes(attestation!)).toBe(true)
    revoke({ serialNumbers: [{ issuer, serial }] })
    expect(list.includes(attestation!)).toBe(true)
  }
})
