import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { lanAddresses, lanNames } from '#server/platform/listening/https/lan.ts'

const at = (address: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false) =>
  ({ address, family, internal }) as NetworkInterfaceInfo

const interfaces = {
  lo: [at('127.0.0.1', 'IPv4', true), at('::1', 'IPv6', true)],
  wlan0: [at('fe80::1', 'IPv6'), at('192.168.1.20')],
  usb0: [at('169.254.3.4')],
  gone: undefined,
}

test('the addresses of the network are those that another machine can use', () => {
  expect(lanAddresses(interfaces)).toEqual(['192.168.1.20'])
})

test.each([
  ['Workshop', ['192.168.1.20', 'workshop.local', 'workshop', 'localhost', '127.0.0.1']],
  ['mac.local', ['192.168.1.20', 'mac.local', 'mac', 'localhost', '127.0.0.1']],
  ['kein Name', ['192.168.1.20', 'localhost', '127.0.0.1']],
])('a machine called %s has the names %o', (host, names) => {
  expect(lanNames(interfaces, host)).toEqual(names)
})
