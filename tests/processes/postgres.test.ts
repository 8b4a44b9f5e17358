import '../long-alone.ts'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import { createCollection } from '#shared/contract/recognition/recognition.ts'
import { getUtcNow } from '#shared/contract/security/security.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'
import {
  ask,
  createStarts,
  expectRecovery,
  expectTimeOut,
  untilItAnswers,
} from '../support/programs/server-outage.ts'
import { launch, stillLoading } from '../support/programs/server-process.ts'
import { problemOf } from '../support/visit.ts'

const password = 'hidden-word-of-postgres'
const reload = 'SELECT pg_reload_conf()'
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

const { closers, newFolder, startOn, closeAll } = createStarts('selfsame-postgres-data-')
afterEach(closeAll, 30_000)

async function newServer(settings: readonly string[] = []): Promise<PostgresServer> {
  const postgres = await startPostgresServer({ settings })
  closers.push(postgres.stop)
  return postgres
}

/** The message after a failed start. */
async function refusalOf(STORE: string): Promise<string> {
  return text(launch({ STORE, DATA_DIR: newFolder(), DEMO: 'false' }).stderr!)
}

describe.skipIf(!hasPostgresServer)(`a process whose PostgreSQL server${needsPostgresServer}`, () => {
  test('dies, answers 503 with the time to wait, and recovers when it is back', async () => {
    const postgres = await newServer()
    const started = await startOn(postgres.address, stillLoading)
    await expectRecovery(started, postgres)
    expect(started.log().match(/The store failed/g)!.length).toBeLessThan(6)
  })

  test('hangs, answers 503 after some seconds, and recovers when it is back', async () => {
    const postgres = await newServer()
    const { server } = await startOn(`${postgres.address}?statement_timeout=2000`, stillLoading)
    await expectTimeOut(server, postgres)
  })

  test('becomes read-only, answers writes with 503, and gives the reason in readiness', async () => {
    const postgres = await newServer()
    const { server } = await startOn(postgres.address)
    await server.ready()
    await postgres.sql('ALTER SYSTEM SET default_transaction_read_only = on', reload)
    const make = () => problemOf(server.call(createCollection, { body: { collectionId: 'refused' } }))
    await expect.poll(make, { timeout: 10_000 }).toBe('store_read_only')
    const answer = await ask(server, '/v1/readyz')
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('The store refuses writes: the PostgreSQL server is read-only')
    await postgres.sql('ALTER SYSTEM RESET default_transaction_read_only', reload)
    await server.ready()
    expect(await problemOf(server.call(createCollection, { body: { collectionId: 'kept' } }))).toBe(
      'no problem',
    )
  })
})

describe.skipIf(!hasPostgresServer || !hasOpenssl)(`PostgreSQL over TLS${needsPostgresServer}`, () => {
  /** A certificate for 127.0.0.1, with a key that the server is allowed to read. */
  function newCertificate(owner: { uid: number; gid: number }) {
    const folder = newFolder()
    chmodSync(folder, 0o755)
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const name = ['-subj', '/CN=postgres', '-addext', 'subjectAltName=IP:127.0.0.1']
    const words = ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', certificate]
    expect(spawnSync('openssl', words).status).toBe(0)
    chownSync(key, owner.uid, owner.gid)
    return { certificate, settings: ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`] }
  }

  test('is only reached if its certificate is trusted; with its password, which is in no log', async () => {
    const first = await newServer()
    const { certificate, settings } = newCertificate(statSync(first.folder))
    const postgres = await newServer(settings)
    await postgres.sql(`ALTER ROLE selfsame PASSWORD '${password}'`)
    const asks = 'hostssl all all 127.0.0.1/32 scram-sha-256'
    await postgres.sql(`COPY (SELECT '${asks}') TO '${join(postgres.folder, 'pg_hba.conf')}'`, reload)
    await pause(300)
    const address = (words: string, secret = password) =>
      `postgres://selfsame:${secret}@127.0.0.1:${postgres.port}/postgres?${words}`
    const trusting = `sslmode=verify-full&sslrootcert=${certificate}`
    const { server, log } = await startOn(address(trusting), stillLoading)
    await server.call(getUtcNow, {})
    const options = { tag: 'EU', onFailure: () => undefined }
    await expect(openPostgresStore(address('sslmode=verify-full'), options)).rejects.toThrow(
      /cannot be used: .*certificate/,
    )
    await expect(openPostgresStore(address('sslmode=disable'), options)).rejects.toThrow(
      'it refuses the role or the password',
    )
    for (const words of ['sslmode=require', `sslmode=verify-ca&sslrootcert=${certificate}`]) {
      await (await openPostgresStore(address(words), options)).close()
    }
    const refused = await refusalOf(address(trusting, 'another-word'))
    expect(refused).toContain('it refuses the role or the password: password authentication failed')
    expect(refused).not.toContain('another-word')
    await postgres.kill()
    expect((await ask(server)).status).toBe(503)
    await postgres.start()
    await untilItAnswers(server)
    expect(log()).not.toContain(password)
    expect(server.lines.join('\n')).not.toContain(password)
  })
})
