import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'

/** A page before the door: one thing to do. */
export function Entrance({ title, children }: { title: string; children: ComponentChildren }) {
  const { words } = useConsole()
  useEffect(() => {
    document.title = `${title} · ${words.value.product}`
  }, [title, words.value])
  return (
    <main class="entrance">
      <Sign />
      <h1>{title}</h1>
      {children}
    </main>
  )
}

/** Our own mark. */
export function Sign() {
  const { words } = useConsole()
  return (
    <span class="sign">
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <ellipse cx="12" cy="16" rx="8" ry="11" />
        <ellipse cx="20" cy="16" rx="8" ry="11" />
      </svg>
      {words.value.product}
    </span>
  )
}
