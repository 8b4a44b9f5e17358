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
  const giveUp = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || found === null) return
    close()
    field.current?.focus()
  }
  return (
    <search class="search" onFocusOut={leave} onKeyDown={giveUp}>
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

/** The focus goes to the first find, so that people hear that there are some, and arrow keys go through them. */
function Finds({ found, text }: { found: readonly FoundPlace[]; text: string }) {
  const { words } = useConsole()
  const list = useRef<HTMLUListElement>(null)
  const links = () => [...(list.current?.querySelectorAll('a') ?? [])]
  useEffect(() => links()[0]?.focus(), [found])
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const all = links()
    const at = all.indexOf(document.activeElement as HTMLAnchorElement)
    all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus()
  }
  const { shell, page, developers, requests } = words.value
  const kinds: Readonly<Record<PlaceKind, string>> = {
    sessions: page.sessions,
    person: requests.person,
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
    <ul class="finds" ref={list} onKeyDown={step}>
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
