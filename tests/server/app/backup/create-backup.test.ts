import { expect, test } from 'vitest'
import { whyUnfit } from '#server/app/backup/create-backup.ts'
import { storeFormat } from '#server/platform/store/store-stamp.ts'

const head = {
  backup: 1,
  program: '7.0.0',
  format: storeFormat,
  leastReader: storeFormat,
  region: 'EU',
} as const

test.each([
  ['of this format', {}, undefined],
  ['of a later format that this program reads', { format: storeFormat + 1 }, undefined],
  ['of another region', { region: 'US' }, 'belongs to the region US, not EU'],
  ['of a format that no release wrote', { format: 2, leastReader: 2 }, 'has format 2, which no release'],
  [
    'that takes a later program',
    { format: storeFormat + 1, leastReader: storeFormat + 1 },
    'which Selfsame 7.0.0 wrote',
  ],
] as const)('a backup %s is restored only if this program can read it', (_name, otherwise, refusal) => {
  const why = whyUnfit({ ...head, ...otherwise }, { region: 'EU' })
  if (refusal === undefined) expect(why).toBeUndefined()
  else expect(why).toContain(refusal)
})
