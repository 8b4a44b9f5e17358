import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeLeaf } from '#server/platform/listening/https/leaf-certificate.ts'

const now = Date.UTC(2026, 0, 1)

test('a leaf for names and addresses, for 14 days, that cannot sign other certificates', async () => {
  const { key, cert } = await makeLeaf(['192.168.1.20', 'workshop.local'], now)
  const leaf = new X509Certificate(cert)
  expect(leaf.subjectAltName).toBe('IP Address:192.168.1.20, DNS:workshop.local')
  expect(Date.parse(leaf.validTo) - now).toBe(14 * 24 * 3600 * 1000)
  expect(leaf.ca).toBe(false)
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true)
})
