import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuiltServer } from '../../tests/support/programs/built-server.ts'
import { startRedisServer } from '../../tests/support/programs/redis-server.ts'
import { tortureProcesses } from './processes.ts'

/** Three built servers on a single Redis server. Each person's picture is sent five times. */
export async function fullProcesses(people: number): Promise<Record<string, number>> {
  const redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
  const auditDir = await mkdtemp(join(tmpdir(), 'selfsame-torture-audit-'))
  const settings = {
    STORE: redis.address,
    AUDIT_DIR: auditDir,
    SECRET: 'a secret of thirty-two characters',
    SECURITY_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'error',
  }
  const servers = []
  try {
    for (let i = 0; i < 3; i++) servers.push(await startBuiltServer(settings))
    return await tortureProcesses({ people, copies: 5, processes: servers, underWayAtEach: 8, looks: 10 })
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await redis.stop()
    await rm(auditDir, { recursive: true, force: true })
  }
}
