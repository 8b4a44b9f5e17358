import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Form } from '#web/console/ui/form.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Key } from '#web/console/ui/pieces.tsx'
import { fill } from '#web/wording/fill.ts'
import { type FoundPlace, findPlaces, type PlaceKind } from './found-places.ts'

/** Finds whatever has an id or a name. One find opens at once; several are listed below the field. */
export function SearchField({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const { words, navigation, calls } = useConsole()
  const [sought, setSought] = useState('')
  const [found, setFound] = useState<readonly FoundPlace[] | null>(null)
  const latest = useRef(sought)
  latest.current = sought
  const { shell } = words.value
  const close = () => setFound(null)
  const address = navigation.address.value
  useEffect(close, [address])
  const find = async () => {
    const places = await findPlaces(sought, calls.configuration)
    // The text has changed since, so these finds are not wanted any more.
    if (latest.current !== sought || sought.trim() === '') return
    const [only] = places
    if (places.length !== 1 || only === undefined) return setFound(places)
    close()
    navigation.go(only.to)
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!(currentTarget as HTMLElement).contains(relatedTarget as Node | null)) close()
  }
  return (
    <search class="search" onFocusOut={leave} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <Form onSubmit={find}>
        <input
          ref={field}
          type="search"
          aria-label={shell.search}
          placeholder={shell.searchHint}
          value={sought}
          onInput={(event) => {
            setSought(event.currentTarget.value)
            close()
          }}
        />
        <Key name="/" />
      </Form>
      {found !== null && <Finds found={found} text={sought.trim()} />}
    </search>
  )
}

function Finds({ found, text }: { found: readonly FoundPlace[]; text: string }) {
  const { words } = useConsole()
  const { shell, page, developers, sessions } = words.value
  const kinds: Readonly<Record<PlaceKind, string>> = {
    sessions: page.sessions,
    person: sessions.person,
    verifications: page.verifications,
    kiosks: page.kiosks,
    keys: developers.tabs.keys,
    requests: developers.tabs.requests,
  }
  if (found.length === 0)
    return (
      <p class="finds find" role="status">
        {fill(shell.searchNone, { text })}
      </p>
    )
  return (
    <ul class="finds">
      {found.map(({ kind, name, to }) => (
        <li key={`${kind} ${JSON.stringify(to)}`}>
          <Link to={to} class="find">
            <span class="small">{kinds[kind]}</span> <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
