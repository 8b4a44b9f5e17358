import { expect, test } from 'vitest'
import { readSettings } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'
import { findAskingForHigh } from '#server/features/verifications/out-of-reach.ts'

const accounts = { list: async () => [{ accountId: 'one' }, { accountId: 'two' }] as never }

function stored(asked: readonly (string | undefined)[]) {
  return {
    async *listReadable(accountId: string) {
      for (const [i, leastAssurance] of asked.entries()) {
        const liveness = { type: 'Verification' as const, ...(leastAssurance && { leastAssurance }) }
        yield {
          verificationId: `${accountId}-${i}`,
          name: `Check ${i}`,
          verificationConfig: { verifierConfigs: { liveness } },
        } as never
      }
    },
  }
}

test('finds the verifications of every account that require high, and no others', async () => {
  const found = await findAskingForHigh(accounts, stored(['high', 'standard', undefined]))
  expect(found.map(({ verificationId }) => verificationId)).toEqual(['one-0', 'two-0'])
})

test.each([
  [10, 20, 0],
  [11, 20, 2],
  [25, 20, 30],
])('%s of each of two accounts are named for %s, and %s are counted', async (each, named, left) => {
  const outOfReach = await findAskingForHigh(accounts, stored(Array(each).fill('high')))
  const found = { opensWithFormer: false, adminKeyInWebhooks: false, outOfReach }
  const told = warningsOf(readSettings({}), false, found).filter(({ code }) => code === 'high_out_of_reach')
  expect(told.filter(({ meaning }) => meaning.includes('Check'))).toHaveLength(named)
  expect(told.slice(named).map(({ meaning }) => meaning)).toEqual(
    left === 0 ? [] : [`The same applies to ${left} further verifications.`],
  )
})
