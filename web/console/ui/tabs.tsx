import type { PageName } from '#web/console/core/address.ts'
import { Link } from './link.tsx'

interface TabsProps {
  readonly label: string
  readonly page: PageName
  readonly tabs: readonly (readonly [name: string, label: string])[]
  readonly chosen: string
}

/** Tabs that each have their own address. */
export function Tabs({ label, page, tabs, chosen }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, words]) => (
        <Link key={name} to={{ page, parts: [name] }} current={name === chosen}>
          {words}
        </Link>
      ))}
    </nav>
  )
}
