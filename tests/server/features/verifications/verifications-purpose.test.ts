import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createVerification, getVerification } from '#shared/contract/configuration/verification.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { newVerification, openSession } from '../../../support/visit.ts'

let host: Host
beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

const words = { default: 'To open a door', de: 'Um eine Tür zu öffnen', ar: 'لفتح باب' }
const configured = (purpose: unknown) => ({ privacyConfig: { purpose } }) as never

describe('the purpose of a check, by language', () => {
  test('is returned as sent, and reaches the page with the default text for every other language', async () => {
    const verificationId = await newVerification(host, configured(words))
    const { verification } = await host.call(getVerification, { query: { verificationId } })
    expect(verification.verificationConfig.privacyConfig).toEqual({ purpose: words })
    const { capturePlan } = await openSession(host, verificationId)
    const { default: purpose, ...purposes } = words
    expect(capturePlan.privacy).toMatchObject({ purpose, purposes })
  })

  test('stays a single text if it was one', async () => {
    const { capturePlan } = await openSession(host, await newVerification(host, configured('To vote')))
    expect(capturePlan.privacy).toEqual({
      privacyUrl: null,
      termsUrl: null,
      controller: null,
      purpose: 'To vote',
    })
  })

  test.each([
    [{ de: 'Tür' }, '/default', 'invalid_request'],
    [{ default: '' }, '/default', 'invalid_request'],
    [{ default: 'x'.repeat(501) }, '/default', 'invalid_request'],
    [{ default: 'Door', de: 7 }, '/de', 'invalid_request'],
    [{ default: 'Door', de: '' }, '/de', 'invalid_request'],
    [{ default: 'Door', dee: 'Tür' }, '/dee', 'unknown_name'],
    [{ default: 'Door', 'x-own': 'Tür' }, '/x-own', 'unknown_name'],
    [7, '', 'invalid_request'],
    ['', '', 'invalid_request'],
    [['Door'], '', 'invalid_request'],
  ])('refuses %j', async (purpose, place, code) => {
    const body = { name: 'Door', verificationConfig: configured(purpose) }
    const pointer = `#/verificationConfig/privacyConfig/purpose${place}`
    await expect(host.call(createVerification, { body })).rejects.toMatchObject({
      code,
      errors: [{ pointer }],
    })
  })
})
