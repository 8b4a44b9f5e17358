import { expect, test } from 'vitest'
import { androidKey, judged, type Says } from '../../../../support/passkeys/attested-device.ts'
import { newMaker, rootOf } from '../../../../support/passkeys/makers.ts'

const maker = await newMaker('Phones Root')
const roots = [rootOf(maker)]
type Phone = NonNullable<Parameters<typeof androidKey>[1]>

const reasonFor = async (says: Says) => (await judged(says, roots)).unattestedBecause

const unlocked = { deviceLocked: 0 }
test.each<[string, Phone]>([
  ['its boot loader is unlocked', { boot: unlocked }],
  ['its owner signed the system', { boot: { verifiedBootState: 1 } }],
  ['its system is not verified', { boot: { verifiedBootState: 2 } }],
  ['its system failed the check', { boot: { verifiedBootState: 3 } }],
  ['it says nothing of its boot', { boot: null }],
  ['only its software says that it is locked', { boot: null, bootBySoftware: {} }],
  ['its software contradicts its hardware', { boot: unlocked, bootBySoftware: {} }],
  ['it has a chip for keys, and is unlocked', { level: 2, boot: unlocked }],
])('a phone does not count as attested if %s', async (_, phone) => {
  expect(await reasonFor(androidKey(maker, phone))).toBe('unlockedDevice')
})

test.each<[string, Phone]>([
  ['hardware says so', {}],
  ['TRUE is not encoded as DER demands', { boot: { deviceLocked: 1 } }],
  ['its software says otherwise', { bootBySoftware: { deviceLocked: 0, verifiedBootState: 2 } }],
])('a locked phone with the system of its maker counts if %s', async (_, phone) => {
  expect(await reasonFor(androidKey(maker, phone))).toBeUndefined()
})
