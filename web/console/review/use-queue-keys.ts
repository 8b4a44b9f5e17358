import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { isWriting } from '#web/console/core/shortcuts.ts'
import { type QueueKey, queueKeys } from './queue.ts'

/** Listens for the queue's keys, except in text fields and when single-key shortcuts are disabled. */
export function useQueueKeys(act: (key: QueueKey) => void): void {
  const { preferences } = useConsole()
  const latest = useRef(act)
  latest.current = act
  const { hasShortcuts } = preferences.value
  useEffect(() => {
    if (!hasShortcuts) return
    let before = ''
    const hear = (event: KeyboardEvent) => {
      // After `g`, the second key belongs to the page shortcuts.
      const isSecond = before === 'g'
      before = event.key
      if (isSecond || isWriting(event) || document.querySelector('dialog[open]') !== null) return
      const key = queueKeys[event.key]
      if (key === undefined || event.repeat) return
      event.preventDefault()
      latest.current(key)
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [hasShortcuts])
}
