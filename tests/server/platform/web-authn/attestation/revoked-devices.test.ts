import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AttestationOutcome } from '#server/platform/web-authn/attestation/attestation.ts'
import { chainCertificateOf } from '#server/platform/web-authn/attestation/chain-certificate.ts'
import { lapseOf } from '#server/platform/web-authn/attestation/lapse.ts'
import { parseRevocationList } from '#server/platform/web-authn/attestation/revocation-list.ts'
import {
  openRevokedDevices,
  type RevocationFile,
  watchRevokedDevices,
} from '#server/platform/web-authn/attestation/revoked-devices.ts'
import * as devices from '../../../../support/passkeys/attested-device.ts'
import { type DeviceMaker, newMaker, rootOf } from '../../../../support/passkeys/makers.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const nameOf = ({ certificate }: DeviceMaker) => sha256(Buffer.from(certificate.subjectName.toArrayBuffer()))

const root = await newMaker('Maker Root', { serialNumber: '77' })
const series = await root.below('Maker Series 7', { serialNumber: '0fee' })
const namesake = await newMaker('Another Maker')
const roots = [rootOf(root)]
const aaguid = devices.reportedAaguid
/** Has a leading zero digit, and a zero byte in DER because its highest bit is set. */
const serialNumber = '0a1b2c3d4e5f'
const otherSerial = '0a1b2c3d4e60'

const lapseUnder = (attested: AttestationOutcome, list: object) =>
  lapseOf(attested, {
    isSynced: false,
    roots,
    revoked: parseRevocationList(JSON.stringify(list)),
    now: Date.now(),
  })

const formats = [
  ['packed', devices.packed],
  ['tpm', devices.tpm],
  ['android-key', devices.androidKey],
] as const

describe.each(formats)('a device that attests as %s', (_, says) => {
  let attested: AttestationOutcome
  let sent: Buffer[]
  beforeAll(async () => {
    const noted = devices.changed(says(series, { serialNumber, above: [series, root] }), ({ x5c }) => {
      sent = (x5c as Uint8Array[]).map((one) => Buffer.from(one))
      return {}
    })
    attested = await devices.judged(noted, roots)
  })

  test.each<[string, () => object]>([
    ['its serial number', () => ({ serialNumbers: [serialNumber] })],
    ['the same in capitals', () => ({ serialNumbers: [serialNumber.toUpperCase()] })],
    ['the same without its leading zero', () => ({ serialNumbers: [serialNumber.slice(1)] })],
    ['the same with more leading zeros', () => ({ serialNumbers: [`0000${serialNumber}`] })],
    ['one of several', () => ({ serialNumbers: ['1', serialNumber, '2'] })],
    ['the serial number of its series', () => ({ serialNumbers: ['FEE'] })],
    ['the serial number of its root', () => ({ serialNumbers: ['077'] })],
    [
      'its serial number and issuer',
      () => ({ serialNumbers: [{ issuer: nameOf(series).toUpperCase(), serial: `00${serialNumber}` }] }),
    ],
    [
      'the serial number and issuer of its series',
      () => ({ serialNumbers: [{ issuer: nameOf(root), serial: 'fee' }] }),
    ],
    ['its model', () => ({ aaguids: [aaguid] })],
    ['its model in capitals', () => ({ aaguids: [aaguid.toUpperCase()] })],
    ['its certificate', () => ({ certificates: [sha256(sent[0]!)] })],
    ['the certificate of its series', () => ({ certificates: [sha256(series.der).toUpperCase()] })],
    ['the certificate of its root', () => ({ certificates: [sha256(root.der)] })],
  ])('is revoked by %s', (_, list) => {
    expect(lapseUnder(attested, list())).toBe('deviceRevoked')
  })

  test.each<[string, () => object]>([
    ['nothing', () => ({})],
    ['another serial number', () => ({ serialNumbers: [otherSerial, `${serialNumber}0`] })],
    [
      'its serial number of another issuer',
      () => ({ serialNumbers: [{ issuer: nameOf(root), serial: serialNumber }] }),
    ],
    [
      'another serial number of its issuer',
      () => ({ serialNumbers: [{ issuer: nameOf(series), serial: otherSerial }] }),
    ],
    ['its serial number among the certificates', () => ({ certificates: [serialNumber.padStart(64, '0')] })],
    ['another model', () => ({ aaguids: [aaguid.replace('0', '1')] })],
    ['another certificate', () => ({ certificates: [sha256(namesake.der)] })],
  ])('is not revoked by %s', (_, list) => {
    expect(lapseUnder(attested, list())).toBeUndefined()
  })

  test('is revoked by the root even if it does not send it', async () => {
    const short = await devices.judged(says(series, { serialNumber }), roots)
    expect(lapseUnder(short, { serialNumbers: ['77'] })).toBe('deviceRevoked')
    expect(short.attestation!.chain).toEqual(
      attested.attestation!.chain!.map((one, i) => (i === 0 ? expect.any(Object) : one)),
    )
  })
})

describe('a passkey that was bound before its chain was stored', () => {
  const attestation = { format: 'packed', aaguid, root: sha256(root.der), at: 0 }

  test('is unknown with a list, whatever is on it, and attested without one', () => {
    expect(lapseUnder({ attestation }, {})).toBe('deviceUnknown')
    expect(lapseUnder({ attestation }, { serialNumbers: [serialNumber] })).toBe('deviceUnknown')
    const withoutList = { isSynced: false, roots, revoked: undefined, now: Date.now() }
    expect(lapseOf({ attestation }, withoutList)).toBeUndefined()
  })

  test('is revoked by its model or its root, which were stored', () => {
    expect(lapseUnder({ attestation }, { aaguids: [aaguid] })).toBe('deviceRevoked')
    expect(lapseUnder({ attestation }, { certificates: [sha256(root.der)] })).toBe('deviceRevoked')
  })
})

test('a revoked device is reported as such even if it has also lapsed otherwise, an unattested one never', async () => {
  const attested = await devices.judged(devices.packed(series, { above: [series] }), roots)
  const revoked = parseRevocationList(JSON.stringify({ aaguids: [aaguid] }))
  const now = Date.now()
  expect(lapseOf(attested, { isSynced: true, roots: [], revoked, now })).toBe('deviceRevoked')
  expect(lapseOf({ unattestedBecause: 'selfAttested' }, { isSynced: false, roots, revoked, now })).toBe(
    'selfAttested',
  )
})

test('certificates that a device sends beyond the trusted root are not stored, because anyone could have made them', async () => {
  const says = devices.packed(series, { above: [series, root, namesake] })
  const { attestation } = await devices.judged(says, roots)
  expect(attestation!.chain!.slice(1).map((one) => one.sha256)).toEqual([
    sha256(series.der),
    sha256(root.der),
  ])
})

test('serial numbers and issuers match those that other programs print', async () => {
  for (const serial of ['01', '7f', '80', 'ff00', '00ff', '9f'.repeat(20)]) {
    const maker = await newMaker('Müller & Söhne', { serialNumber: serial })
    const certificate = new X509Certificate(maker.der)
    const found = chainCertificateOf(certificate)
    expect(BigInt(`0x${found.serial}`)).toBe(BigInt(`0x${certificate.serialNumber}`))
    expect(found.issuer).toBe(nameOf(maker))
  }
})

describe('the file of PASSKEY_REVOKED', () => {
  let folder: string
  let path: string
  let said: string[]
  const log = {
    onMistake: (words: string) => said.push(`mistake: ${words}`),
    onChange: (words: string) => said.push(`change: ${words}`),
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selfsame-revoked-'))
    path = join(folder, 'revoked.json')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  beforeEach(() => {
    said = []
  })
  afterEach(() => vi.useRealTimers())

  const device = { aaguid, root: sha256(root.der), chain: [] }
  const revokesIt = JSON.stringify({ aaguids: [aaguid] })
  const put = (content: string | Uint8Array) => writeFile(path, content)
  /** Replaces a file the way an editor or a deployment does, so that readers see either the old one or the new one. */
  async function replace(content: string) {
    await writeFile(`${path}.new`, content)
    await rename(`${path}.new`, path)
  }

  test.each<[string, string | Uint8Array, string]>([
    ['is empty', '', 'Is not JSON: '],
    ['is torn', '{ "aaguids": [', 'Is not JSON: '],
    ['is not text', Buffer.from([0x7b, 0xff, 0x7d]), 'The encoded data was not valid'],
    ['is a list', '[]', 'Must be an object with serialNumbers, aaguids and certificates'],
    ['is null', 'null', 'Must be an object with'],
    ['has a name that does not exist', '{ "serials": ["a1"] }', 'serials: Must be an object with'],
    ['has a text in place of a list', '{ "aaguids": "x" }', 'aaguids: Must be a list.'],
    ['has null in place of a list', '{ "aaguids": null }', 'aaguids: Must be a list.'],
    [
      'has a number as a serial number',
      '{ "serialNumbers": [12] }',
      'serialNumbers.0: Must be a serial number',
    ],
    [
      'has an empty serial number',
      '{ "serialNumbers": ["a1", ""] }',
      'serialNumbers.1: Must be a serial number',
    ],
    [
      'has a serial number with colons',
      '{ "serialNumbers": ["a1:b2"] }',
      'serialNumbers.0: Must be a serial number',
    ],
    [
      'has an issuer without a serial number',
      `{ "serialNumbers": [{ "issuer": "${'a'.repeat(64)}" }] }`,
      'serialNumbers.0',
    ],
    [
      'has an issuer by its name',
      '{ "serialNumbers": [{ "issuer": "CN=A", "serial": "a1" }] }',
      'serialNumbers.0',
    ],
    ['has a model without hyphens', `{ "aaguids": ["${'0'.repeat(32)}"] }`, 'aaguids.0: Must be an AAGUID'],
    [
      'has a digest of another length',
      '{ "certificates": ["abcd"] }',
      'certificates.0: Must be a SHA-256 digest',
    ],
  ])('stops the start, with the setting and the fault named, if it %s', async (_, content, words) => {
    await put(content)
    const opened = openRevokedDevices(path, log)
    await expect(opened).rejects.toThrow(`The settings are wrong.\n  PASSKEY_REVOKED: ${path}: ${words}`)
  })

  test('stops the start if it is missing', async () => {
    const missing = join(folder, 'missing.json')
    await expect(openRevokedDevices(missing, log)).rejects.toThrow(
      `The settings are wrong.\n  PASSKEY_REVOKED: ${missing} cannot be read (ENOENT).`,
    )
  })

  test('may omit lists, and begin with a byte order mark', async () => {
    await put(`\uFEFF${revokesIt}`)
    const opened = await openRevokedDevices(path, log)
    expect(opened.words()).toBe('0 serial numbers, 1 models, 0 certificates')
    expect(opened.includes(device)).toBe(true)
  })

  test('applies as soon as it is replaced, and the last good list applies while it is broken or missing', async () => {
    await put('{}')
    const opened = await openRevokedDevices(path, log)
    const look = async () => {
      await opened.look()
      return [opened.includes(device), opened.isCurrent()]
    }
    expect(await look()).toEqual([false, true])
    await replace(revokesIt)
    expect(await look()).toEqual([true, true])

    await replace('{ "aaguids": [')
    expect(await look()).toEqual([true, false])
    expect(await look()).toEqual([true, false])
    await unlink(path)
    expect(await look()).toEqual([true, false])
    await put(revokesIt)
    expect(await look()).toEqual([true, true])
    await replace('{}')
    expect(await look()).toEqual([false, true])
    expect(said).toEqual([
      'change: 0 serial numbers, 1 models, 0 certificates',
      expect.stringContaining(`mistake: ${path}: Is not JSON: `),
      `mistake: ${path} cannot be read (ENOENT).`,
      'change: 0 serial numbers, 0 models, 0 certificates',
    ])
  })

  test('is checked every 10 s, and the next check waits for the last', async () => {
    vi.useFakeTimers()
    let looks = 0
    let done = () => {}
    const look: RevocationFile['look'] = () => {
      looks++
      return new Promise((resolve) => {
        done = resolve
      })
    }
    watchRevokedDevices({ look })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(looks).toBe(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks).toBe(1)
    done()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(looks).toBe(2)
  })
})
