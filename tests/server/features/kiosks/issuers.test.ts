import { afterEach, expect, test } from 'vitest'
import { createKioskStore } from '#server/features/kiosks/kiosk-store.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { captureOf, type Device, handIn, pairDevice, sync, tokenOf } from '../../../support/kiosk-device.ts'
import { newVerification, problemOf } from '../../../support/visit.ts'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

/** Drawn captures have no film. */
const liveness = { type: 'Verification' as const, evidence: 'optional' as const }

/** A server that can move to another public address, and a device paired before the move. */
async function moving() {
  let address = 'https://one.example'
  const host = await startHost({ ports: { origin: () => address } })
  hosts.push(host)
  const device = await pairDevice(host, await newVerification(host, { verifierConfigs: { liveness } }))
  const move = (to: string) => {
    address = `https://${to}.example`
  }
  /** Follows the newest issuer, as the device does. */
  const follow = async (): Promise<Device> => {
    const { issuer } = await sync(host, device)
    return Object.assign(device, { issuer })
  }
  return { host, device, move, follow }
}

test('a kiosk survives a move of the server: it continues with its issuer and plans', async () => {
  const { host, device, move, follow } = await moving()
  expect(device.issuer).toBe('https://one.example')
  move('two')
  const before = await handIn(host, device, captureOf(device, host.now()))
  expect(before.verificationResult).toBe('Pass')
  expect((await follow()).issuer).toBe('https://two.example')
  expect((await follow()).issuer).toBe('https://two.example')
  expect(await tokenOf(host, device)).toBeTruthy()
  const after = await handIn(host, device, captureOf(device, host.now()))
  expect(after.verificationResult).toBe('Pass')
})

test('even after another move, as soon as the kiosk has learnt each address', async () => {
  const { host, device, move, follow } = await moving()
  for (const to of ['two', 'three']) {
    move(to)
    await follow()
  }
  move('four')
  const { verificationResult } = await handIn(host, device, captureOf(device, host.now()))
  expect(verificationResult).toBe('Pass')
})

test('no kiosk may name an issuer that it never received', async () => {
  const { host, device } = await moving()
  expect(await problemOf(tokenOf(host, { ...device, issuer: 'https://two.example' }))).toBe('unauthenticated')
})

test('a kiosk that was paired by a previous version is known by its issuer from its next sync on', async () => {
  const { host, device, move, follow } = await moving()
  const kiosks = createKioskStore(host.store)
  const read = (await kiosks.readAny(device.kioskId))!
  const { publicKey, pairedAt } = read.value.device!
  await kiosks.replace(read, { ...read.value, device: { publicKey, pairedAt } })
  expect(await tokenOf(host, device)).toBeTruthy()
  await follow()
  move('two')
  expect(await tokenOf(host, device)).toBeTruthy()
  const forgotten = (await kiosks.readAny(device.kioskId))!
  await kiosks.replace(forgotten, { ...forgotten.value, device: { publicKey, pairedAt } })
  expect(await problemOf(tokenOf(host, device))).toBe('unauthenticated')
})
