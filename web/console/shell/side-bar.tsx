import { type PageName, pages } from '#web/console/core/address.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { Sign } from '#web/console/sign-in/entrance.tsx'
import { Link } from '#web/console/ui/link.tsx'

const drawings: Readonly<Record<PageName, string>> = {
  overview: 'M2 9h5V2H2zM9 14h5V7H9zM2 14h5v-3H2zM9 5h5V2H9z',
  sessions: 'M2 4h12M2 8h12M2 12h8',
  review: 'M2 8l4 4 8-8',
  verifications: 'M8 1.500l5.500 2v4c0 3.500-2.500 6-5.500 7-3-1-5.500-3.500-5.500-7v-4z',
  collections: 'M8 8a3 3 0 100-6 3 3 0 000 6zM2 14c.5-3 3-4.500 6-4.500s5.500 1.500 6 4.500',
  kiosks: 'M4 1.500h8v10H4zM8 11.500v3M5 14.500h6',
  developers: 'M5 4L1.500 8 5 12M11 4l3.500 4L11 12M9.500 2l-3 12',
  settings: 'M2 4h7M13 4h1M2 12h1M7 12h7M11 2v4M5 10v4',
}

/** Pages that are hidden from roles that cannot use them. */
const builders: readonly PageName[] = ['developers']

/** Links to the console's pages. */
export function SideBar({ isOpen }: { isOpen: boolean }) {
  const { words, navigation } = useConsole()
  const { role } = useMe()
  const { page } = navigation.address.value
  const shown = pages.filter((one) => !builders.includes(one) || role === 'owner' || role === 'developer')
  return (
    <nav id="navigation" class="side" data-open={isOpen} aria-label={words.value.shell.navigation}>
      <Sign />
      <ul>
        {shown.map((one) => (
          <li key={one}>
            <Link to={{ page: one }} current={one === page}>
              <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                <path d={drawings[one]} />
              </svg>
              {words.value.page[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
