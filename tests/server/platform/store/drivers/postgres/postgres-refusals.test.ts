import { expect, test } from 'vitest'
import { whyUnreachable } from '#server/platform/store/drivers/postgres/postgres-refusals.ts'

const failed = (message: string, code?: string) => Object.assign(new Error(message), { code })

test.each([
  ['28P01', 'password authentication failed for user "selfsame_runtime"'],
  [undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'],
])('a password that is missing on either side (%s) names the remedy', (code, message) => {
  expect(whyUnreachable(failed(message, code))).toContain(
    'Give the role a password in psql (\\password ROLE)',
  )
})

test('no other refusal names it', () => {
  for (const code of ['28000', '3D000', '42501', '53300', 'ECONNREFUSED'])
    expect(whyUnreachable(failed('refused', code))).not.toContain('psql')
})
