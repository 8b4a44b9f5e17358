import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createListeningServer, type ListeningServer } from '#server/platform/listening/listening-server.ts'

const failures: unknown[] = []
const create = (port: number) =>
  createListeningServer({ port, roles: [] }, '127.0.0.1', (error) => failures.push(error))

let listening: ListeningServer
beforeEach(async () => {
  failures.length = 0
  listening = create(0)
  await listening.listen()
})
afterEach(() => listening.finish())

describe('a server on a separate port', () => {
  test('continues if a connection cannot be accepted, however often, and reports it', () => {
    const tooMany = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    for (let i = 0; i < 3; i++) listening.server.emit('error', tooMany)
    expect(failures).toEqual([tooMany, tooMany, tooMany])
  })

  test('names the setting to change if the port is in use', async () => {
    const port = Number(new URL(listening.address()).port)
    await expect(create(port).listen()).rejects.toThrow('set PORT or LISTEN to another')
    expect(failures).toEqual([])
  })

  // Set aside for documentation, so no machine has it.
  test.each(['192.0.2.1', 'no-such-host.invalid'])(
    'names the setting to change if %s is not of this machine',
    async (host) => {
      const elsewhere = createListeningServer({ port: 0, roles: [] }, host, (error) => failures.push(error))
      await expect(elsewhere.listen()).rejects.toThrow(`${host} is no address of this machine; set HOST`)
    },
  )

  test('names the setting to change if this user may not open the port', async () => {
    const refused = create(81)
    const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
    refused.server.listen = (() =>
      refused.server.emit('error', denied)) as unknown as typeof refused.server.listen
    await expect(refused.listen()).rejects.toThrow(
      'may not open port 81; set PORT or LISTEN to 1024 or above',
    )
  })
})
