import { once } from 'node:events'
import { connect } from 'node:net'
import type { Send } from './engine.ts'

type Answer = readonly [
  type: 1,
  id: number,
  error: { error: string; message: string } | null,
  result: unknown,
]

/**
 * Firefox's protocol on a TCP socket: JSON preceded by its length in bytes and a colon. A command is `[0, id, name, parameters]`, and
 * its answer is `[1, id, error, result]`. The first message is a greeting.
 */
export async function connectMarionette(port: number): Promise<Send> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.on(
    'data',
    messagesOf((message) => {
      if (Array.isArray(message)) waiting.get(message[1])?.(message as unknown as Answer)
    }),
  )
  let last = 0
  return (command, parameters = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last
      const fail = () => reject(new Error(`Firefox exited during ${command}`))
      socket.once('close', fail)
      waiting.set(id, ([, , error, result]) => {
        socket.off('close', fail)
        waiting.delete(id)
        if (error !== null) reject(new Error(`${command}: ${error.error}: ${error.message}`))
        else resolve(isValue(result) ? result.value : result)
      })
      const body = JSON.stringify([0, id, command, parameters])
      socket.write(`${Buffer.byteLength(body)}:${body}`)
    })
}

/** Some commands return their result directly. Most wrap it in a value, which may be null. */
function isValue(result: unknown): result is { readonly value: unknown } {
  return typeof result === 'object' && result !== null && 'value' in result
}

/** Reassembles messages from chunks of data. */
function messagesOf(take: (message: unknown) => void): (piece: Buffer) => void {
  let come = Buffer.alloc(0)
  return (piece) => {
    come = Buffer.concat([come, piece])
    for (;;) {
      const colon = come.indexOf(':')
      const end = colon + 1 + Number(come.subarray(0, Math.max(0, colon)))
      if (colon === -1 || come.length < end) return
      take(JSON.parse(come.subarray(colon + 1, end).toString()))
      come = come.subarray(end)
    }
  }
}
