import { describe, expect, test } from 'vitest'
import { openFaceServers } from '#server/app/face-servers.ts'
import { readSettings } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'

const ignore = () => undefined
const open = (env: Record<string, string>) => openFaceServers(readSettings(env), ignore)

describe('the servers that keep faces', () => {
  test('are empty if no setting names one', () => {
    expect(open({}).faceServers).toBeUndefined()
    expect(open({}).inexactSearches()).toBeUndefined()
    expect(open({ STORE: 'redis://127.0.0.1' }).faceServers).toBeUndefined()
  })

  test.each([
    [{ STORE: 'postgres://a@127.0.0.1/one' }, 1],
    [{ INDEX_SERVERS: 'postgres://a@127.0.0.1/one postgresql://a@127.0.0.1/two' }, 2],
    [{ STORE: 'postgres://a@127.0.0.1/one', INDEX_SERVERS: 'postgres://a@127.0.0.1/two' }, 2],
    [{ STORE: 'redis://127.0.0.1', INDEX_SERVERS: 'postgres://a@127.0.0.1/two' }, 1],
  ])('of %o are %i, each with its place', (env, places) => {
    const { faceServers, faceIndex, inexactSearches } = open(env as Record<string, string>)
    expect(faceServers!.partitions.map(({ place }) => place)).toEqual(
      Array.from({ length: places }, (_, i) => i + 1),
    )
    expect(new Set(faceServers!.partitions.map((one) => one.places))).toEqual(new Set([places]))
    expect(faceIndex).toBe('memory')
    expect(inexactSearches()).toBe(0)
  })

  test('have their codes in memory, except with INDEX_CODES_IN_MEMORY=0', () => {
    const env = { STORE: 'postgres://a@127.0.0.1/one' }
    expect(open(env).faceServers!.codeCache).toBeDefined()
    expect(open({ ...env, INDEX_CODES_IN_MEMORY: '0' }).faceServers!.codeCache).toBeUndefined()
  })

  test('are asked for, and there are none: no start', () => {
    expect(() => open({ FACE_INDEX: 'postgres' })).toThrow(/FACE_INDEX: postgres requires a server/)
    expect(() => open({ FACE_INDEX: 'postgres', STORE: 'redis://127.0.0.1' })).toThrow('INDEX_SERVERS')
  })

  test.each([
    [{ INDEX_SERVERS: 'postgres://a@127.0.0.1/one postgres://b@127.0.0.1:5432/one?pool_max=3' }],
    [{ STORE: 'postgres://a@127.0.0.1/one', INDEX_SERVERS: 'postgres://a@127.0.0.1/one' }],
  ])('are each another database: %o is refused', (env) => {
    expect(() => open(env as Record<string, string>)).toThrow(/INDEX_SERVERS: a database is listed twice/)
  })

  test('that cannot be reached are named, if the index is there', async () => {
    const INDEX_SERVERS = 'postgres://a@127.0.0.1:1/one'
    expect(await open({ INDEX_SERVERS }).troubles()).toEqual([])
    const [trouble] = await open({ INDEX_SERVERS, FACE_INDEX: 'postgres' }).troubles()
    expect(trouble).toMatch(/^The PostgreSQL server in INDEX_SERVERS cannot be used: /)
  })
})

describe('the start warns', () => {
  const codes = (env: Record<string, string>, movedToServers = 0) =>
    warningsOf(readSettings(env), false, {
      ...{ opensWithFormer: false, adminKeyInWebhooks: false, movedToServers },
    }).map(({ code }) => code)
  const INDEX_SERVERS = 'postgres://a@127.0.0.1/one'

  test('if codes of faces are stored in clear text', () => {
    expect(codes({ INDEX_SERVERS })).toEqual([])
    expect(codes({ INDEX_SERVERS, FACE_INDEX: 'postgres' })).toEqual(['clear_codes'])
    expect(codes({ INDEX_SERVERS }, 1)).toEqual(['clear_codes'])
  })

  test.each([
    ['postgres://a@db.example/one', ['index_no_tls']],
    ['postgres://a@db.example/one?sslmode=require', ['index_no_tls']],
    ['postgres://a@db.example/one?sslmode=verify-full', []],
  ])('of the way to %s: %j', (address, expected) => {
    expect(codes({ INDEX_SERVERS: address })).toEqual(expected)
  })
})
