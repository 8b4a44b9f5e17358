import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Starts a file of the lab as a process that answers one message at a time. Typed arrays keep their type. */
export function startChild(file: string, ...words: string[]): ChildProcess {
  return fork(file, words, { execArgv: ['--import', 'tsx', '--expose-gc'], serialization: 'advanced' })
}

/** @throws if the process dies before it answers */
export async function ask(child: ChildProcess, order: object): Promise<unknown> {
  const answered = new AbortController()
  const { signal } = answered
  child.send(order)
  const died = once(child, 'exit', { signal }).then(() =>
    Promise.reject(new Error('A process of the lab died')),
  )
  const [answer] = (await Promise.race([once(child, 'message', { signal }), died])) as [unknown]
  died.catch(() => undefined)
  answered.abort()
  return answer
}
