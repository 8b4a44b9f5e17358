import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Ovals } from '#web/ui/ovals.tsx'

/** A page before sign-in, with a single action. */
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

/** The product's logo and name. */
export function Sign() {
  const { words } = useConsole()
  return (
    <span class="sign">
      <Ovals size={24} />
      {words.value.product}
    </span>
  )
}
