import { setTimeout as pause } from 'node:timers/promises'
import { createClient, defineScript } from 'redis'
import {
  beginWatchScript,
  changedScript,
  commitScript,
  countedOf,
  countScript,
  sweepScript,
  watchScript,
} from './redis-scripts.ts'

/** [Note: A silent server is lost] A connection with unanswered pings is closed and opened again. */
const pingedAfterInMilliseconds = 2000
const silentForMilliseconds = 5000
/** Longer than a reachable server needs to answer pending commands. */
const closedWithinMilliseconds = 1000

export type Argument = string | Buffer

function script<T>(source: string, transformReply: (reply: unknown) => T) {
  return defineScript({
    IS_READ_ONLY: false,
    SCRIPT: source,
    parseCommand(parser, keys: readonly string[], values: readonly Argument[]) {
      parser.push(String(keys.length))
      parser.pushKeys([...keys])
      parser.push(...values)
    },
    transformReply,
  })
}

/**
 * A connection to a Redis server that reconnects whenever it is lost and calls `onFailure` each time.
 * @throws an Error if the first connection fails
 */
export async function connectRedis(address: string, onFailure: (error: unknown) => void) {
  let connected = false
  const connection = createClient({
    url: address,
    disableOfflineQueue: true,
    pingInterval: pingedAfterInMilliseconds,
    socket: {
      socketTimeout: silentForMilliseconds,
      reconnectStrategy: (tries) => (connected ? Math.min(50 * 2 ** tries, 2000) : false),
    },
    scripts: {
      commitEntries: script(commitScript, Number),
      sweepEntries: script(sweepScript, Number),
      countUses: script(countScript, countedOf),
      takeChanged: script(changedScript, (reply) => reply as Buffer[] | null),
      beginWatch: script(beginWatchScript, Number),
      watchOn: script(watchScript, Number),
    },
  })
  connection.on('error', (error) => connected && onFailure(error))
  await connection.connect().catch((error: Error) => {
    throw new Error(`The Redis server in STORE cannot be reached: ${error.message}`)
  })
  connected = true
  return connection
}

/**
 * Waits up to a second for pending commands, then rejects them. The client itself would wait forever for a server that is
 * gone, and the process could not stop.
 */
export async function closeRedis(connection: Awaited<ReturnType<typeof connectRedis>>): Promise<void> {
  const late = new AbortController()
  const waited = pause(closedWithinMilliseconds, undefined, late).catch(() => undefined)
  await Promise.race([connection.close(), waited])
  late.abort()
  connection.destroy()
}
