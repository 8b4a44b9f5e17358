import type { ComponentChildren } from 'preact'
import { writeAddress } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'

interface LinkProps {
  readonly to: Parameters<typeof writeAddress>[0]
  readonly children: ComponentChildren
  readonly class?: string
  readonly current?: boolean
}

/** A link to another view. It is a real link, so it can be opened in a new tab. */
export function Link({ to, children, class: name, current = false }: LinkProps) {
  const { navigation } = useConsole()
  return (
    <a
      href={writeAddress(to)}
      class={name}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        navigation.go(to)
      }}
    >
      {children}
    </a>
  )
}
