import { expect, test } from 'vitest'
import { linkQuery } from '#web/console/verifications/link-query.ts'

test('a link names its verification, and its person if there is one', () => {
  expect(linkQuery('v1', { externalId: ' ', correlationId: '' })).toBe('reVerificationId=v1')
  expect(linkQuery('v1', { externalId: ' a&b ', correlationId: 'c' })).toBe(
    'reVerificationId=v1&reExternalId=a%26b&reCorrelationId=c',
  )
  expect(linkQuery('v1', { externalId: '', correlationId: '', locale: 'de' })).toBe(
    'reVerificationId=v1&reLocale=de',
  )
})
