import type { ServerResponse } from 'node:http'

/** Sends the body of an answer whose head is set, soon. */
export type Send = (response: ServerResponse, text: string, encoding: 'latin1' | 'utf8') => void

interface Leaving {
  readonly response: ServerResponse
  readonly text: string
  readonly encoding: 'latin1' | 'utf8'
}

/** [Note: Ours] So many answers wait for each other at most. */
export const mostTogether = 32

/** After what was written has left: `end` with a body, or before, would hand over a second, empty piece with it. */
function endAll(left: readonly Leaving[]): void {
  for (const { response } of left) response.end()
}

/**
 * [Note: Answers leave together] What is answered in one turn of the event loop is sent at its end: who takes answers on the same machine,
 * a proxy or another service, is woken once and not for each. A turn with one answer sends it as soon as it would have been.
 */
export function createSender(): Send {
  let waiting: Leaving[] = []
  const sendAll = () => {
    const leaving = waiting
    waiting = []
    for (const { response, text, encoding } of leaving) response.write(text, encoding)
    process.nextTick(endAll, leaving)
  }
  return (response, text, encoding) => {
    const count = waiting.push({ response, text, encoding })
    if (count === 1) setImmediate(sendAll)
    if (count === mostTogether) sendAll()
  }
}
