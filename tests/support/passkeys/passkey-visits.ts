import {
  bindPasskey,
  createPasskeyOptions,
  verifyPasskey,
} from '#shared/contract/sessions/session-passkey.ts'
import type { newAuthenticator } from '../authenticator.ts'
import type { Host } from '../host.ts'
import { act, type Opened, openSession, step, submit } from '../visit.ts'

type Plain = ReturnType<typeof newAuthenticator>
type Answer = ReturnType<Plain['make']>
/** A device that either creates its passkey immediately or sends its attestation first. */
export type Device = Omit<Plain, 'make'> & {
  make(...given: Parameters<Plain['make']>): Answer | Promise<Answer>
}

/** Completes a visit with this face. */
export async function passThrough(on: Host, opened: Opened, person = 'anna') {
  let { next } = await step(on, opened, 0, { person })
  while (next !== null) next = (await act(on, opened, next, { person })).next
  return submit(on, opened, { person })
}

export const open = (on: Host, verificationId: string, externalId: string | null) =>
  openSession(on, verificationId, externalId === null ? '' : `reExternalId=${externalId}`)

export const optionsOf = async (on: Host, { bearer }: Opened, ceremony: 'bind' | 'verify') =>
  (await on.call(createPasskeyOptions, { bearer, body: { ceremony } })).options

export const bindAnswer = (on: Host, { bearer }: Opened, response: Answer) =>
  on.call(bindPasskey, { bearer, body: { response } })

export const verifyAnswer = (on: Host, { bearer }: Opened, response: Answer) =>
  on.call(verifyPasskey, { bearer, body: { response } })

export const bind = async (on: Host, opened: Opened, device: Device, otherwise = {}) =>
  bindAnswer(on, opened, await device.make(await optionsOf(on, opened, 'bind'), otherwise))

export const show = async (on: Host, opened: Opened, device: Device, otherwise = {}) =>
  verifyAnswer(on, opened, device.show(await optionsOf(on, opened, 'verify'), otherwise))

/** A visit in which the person uses another device's passkey, such as a phone next to a computer. */
export const showFromElsewhere = (on: Host, opened: Opened, device: Device) =>
  show(on, opened, device, { attachment: 'cross-platform' })
