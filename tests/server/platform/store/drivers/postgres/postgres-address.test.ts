import { expect, test } from 'vitest'
import { readPostgresAddress } from '#server/platform/store/drivers/postgres/postgres-address.ts'

test('an address is read with the usual defaults', () => {
  expect(readPostgresAddress('postgres://shop:a%40b@db.example/faces')).toEqual({
    host: 'db.example',
    port: 5432,
    database: 'faces',
    user: 'shop',
    password: 'a@b',
    ssl: undefined,
    protection: 'none',
    connections: 10,
    connectInMilliseconds: 3000,
    statementInMilliseconds: 5000,
    lockInMilliseconds: 3000,
  })
  const words = 'pool_max=4&connect_timeout=1&statement_timeout=900&lock_timeout=100'
  expect(readPostgresAddress(`postgresql://shop@[::1]:6000/faces?${words}`)).toMatchObject({
    host: '::1',
    port: 6000,
    password: undefined,
    protection: 'on this machine',
    connections: 4,
    connectInMilliseconds: 1000,
    statementInMilliseconds: 900,
    lockInMilliseconds: 100,
  })
})

test('a socket is named by its folder', () => {
  const there = { host: '/run/postgresql', database: 'faces', user: 'shop', protection: 'on this machine' }
  expect(readPostgresAddress('postgres://shop@/faces?host=/run/postgresql')).toMatchObject(there)
  expect(readPostgresAddress('postgres:///faces?host=/run/postgresql')).toMatchObject({
    ...there,
    user: undefined,
  })
})

test.each([
  ['', 'none', undefined],
  ['sslmode=disable', 'none', undefined],
  ['sslmode=require', 'encrypted', { rejectUnauthorized: false }],
  ['sslmode=require&sslrootcert=package.json', 'encrypted', { rejectUnauthorized: true }],
  ['sslmode=verify-ca', 'encrypted', { rejectUnauthorized: true }],
  ['sslmode=verify-full', 'verified', { rejectUnauthorized: true, servername: 'db.example' }],
  ['sslmode=verify-full&sslrootcert=system', 'verified', { rejectUnauthorized: true }],
])('%s protects the connection: %s', (words, protection, ssl) => {
  const read = readPostgresAddress(`postgres://db.example/faces?${words}`)
  expect(read.protection).toBe(protection)
  if (ssl === undefined) expect(read.ssl).toBeUndefined()
  else expect(read.ssl).toMatchObject(ssl)
})

test('the name in a certificate is checked by verify-full only', () => {
  const checks = (mode: string) =>
    readPostgresAddress(`postgres://db.example/faces?sslmode=${mode}`).ssl!.checkServerIdentity!('', {
      subject: { CN: 'other.example' },
      subjectaltname: 'DNS:other.example',
    } as never)
  expect(checks('verify-full')?.message).toContain('db.example')
  expect(checks('verify-ca')).toBeUndefined()
})

test.each([
  ['postgres://shop:hidden-word@db.example/', 'STORE must name a host and a database'],
  [
    'postgres://shop:hidden-word@/faces?x=1',
    'STORE: x is not a known parameter. Use pool_max, connect_timeout',
  ],
  [
    'postgres://shop:hidden-word@db.example/faces?sslmode=prefer',
    'STORE: sslmode must be one of disable, require',
  ],
  [
    'postgres://shop:hidden-word@db.example/faces?pool_max=1',
    'STORE: pool_max must be a whole number from 2 to 200',
  ],
  [
    'postgres://shop:hidden-word@db.example/faces?lock_timeout=3s',
    'STORE: lock_timeout must be a whole number',
  ],
  [
    'postgres://shop:hidden-word@db.example/faces?sslmode=require&sslcert=/nowhere',
    'STORE: sslcert cannot be read',
  ],
  ['postgres://shop:hidden-word@db.example:port/faces', 'STORE must be an address'],
])('%s is refused in words, without the password', (address, words) => {
  const read = () => readPostgresAddress(address)
  expect(read).toThrow(words)
  expect(read).not.toThrow('hidden-word')
})
