import { useEffect, useRef } from 'preact/hooks'
import { antiForgeryHeader } from '#shared/contract/console/console-paths.ts'
import { watchSessions } from '#shared/contract/console/events.ts'
import { useConsole } from './console-context.ts'

const againMilliseconds = 5000

/** Splits the text into the names of complete events and an incomplete rest. */
export function readEvents(arrived: string): { events: readonly string[]; rest: string } {
  const parts = arrived.split('\n\n')
  const rest = parts.pop()!
  const names = parts.flatMap((part) => {
    const line = part.split('\n').find((one) => one.startsWith('event:'))
    return line === undefined ? [] : [line.slice('event:'.length).trim()]
  })
  return { events: names, rest }
}

/** Calls `onNews` whenever the server reports that sessions have changed. Reconnects if the stream breaks. */
export function useSessionNews(key: string, onNews: () => void): void {
  const { membership } = useConsole()
  const latest = useRef(onNews)
  latest.current = onNews
  useEffect(() => {
    const leaving = new AbortController()
    const token = membership.gate.antiForgeryToken()
    // The server ended the stream, because another person or role has signed in or another tab has switched the account.
    const onEnd = () => void membership.ask()
    void follow(token, leaving.signal, () => latest.current(), onEnd)
    return () => leaving.abort()
    // Each account and environment has its own stream.
  }, [key, membership])
}

async function follow(
  token: string,
  signal: AbortSignal,
  onNews: () => void,
  onEnd: () => void,
): Promise<void> {
  while (!signal.aborted) {
    const isEnded = await listen(token, signal, onNews).catch(() => false)
    if (isEnded && !signal.aborted) onEnd()
    if (isEnded) return
    await new Promise((resolve) => setTimeout(resolve, againMilliseconds))
  }
}

/** Listens until the stream breaks. Resolves to true if the server ended or refused it. */
async function listen(token: string, signal: AbortSignal, onNews: () => void): Promise<boolean> {
  const answer = await fetch(watchSessions.path, { headers: { [antiForgeryHeader]: token }, signal })
  if (!answer.ok || answer.body === null) return answer.status < 500 && answer.status !== 429
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let held = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return false
    const { events, rest } = readEvents(held + value)
    held = rest
    if (events.includes('end')) return true
    if (events.includes('sessions')) onNews()
  }
}
