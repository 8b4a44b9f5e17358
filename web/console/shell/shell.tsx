import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { showingOf } from '#shared/contract/console/console-paths.ts'
import { CollectionsPage } from '#web/console/collections/collections-page.tsx'
import type { Address } from '#web/console/core/address.ts'
import { ConsoleContext, useConsole, useMe } from '#web/console/core/console-context.ts'
import { isWriting, readShortcut } from '#web/console/core/shortcuts.ts'
import { DevelopersPage } from '#web/console/developers/developers-page.tsx'
import { KiosksPage } from '#web/console/kiosks/kiosks-page.tsx'
import { OverviewPage } from '#web/console/overview/overview-page.tsx'
import { DecisionsPage } from '#web/console/review/decisions-page.tsx'
import { ReviewPage } from '#web/console/review/review-page.tsx'
import { SimilarPage } from '#web/console/sessions/face/similar-page.tsx'
import { SessionPage } from '#web/console/sessions/session-page.tsx'
import { SessionsPage } from '#web/console/sessions/sessions-page.tsx'
import { SettingsPage } from '#web/console/settings/settings-page.tsx'
import { UnknownPage } from '#web/console/ui/unknown-page.tsx'
import { VerificationPage } from '#web/console/verifications/verification-page.tsx'
import { VerificationsPage } from '#web/console/verifications/verifications-page.tsx'
import { KeyHelp } from './key-help.tsx'
import { SideBar } from './side-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { Welcome } from './welcome.tsx'

/** The frame around every page. */
export function Shell() {
  const { words, navigation, notice } = useConsole()
  const me = useMe()
  const { environment } = me
  const showing = showingOf(me)
  const [isHelpShown, setHelpShown] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const main = useRef<HTMLElement>(null)
  useShortcuts({ onSearch: () => search.current?.select(), onHelp: () => setHelpShown(true) })
  const { page, parts } = navigation.address.value
  const path = [page, ...parts].join('/')
  useEffect(() => {
    setMenuOpen(false)
    window.scrollTo(0, 0)
  }, [path])
  const { shell } = words.value
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {shell.skip}
      </button>
      <SideBar isOpen={isMenuOpen} />
      <div class="beside">
        <TopBar
          search={search}
          isMenuOpen={isMenuOpen}
          onMenu={() => setMenuOpen(!isMenuOpen)}
          onHelp={() => setHelpShown(true)}
        />
        {environment === 'test' && (
          <aside class="test-banner" aria-label={shell.test}>
            {shell.testBanner}
          </aside>
        )}
        <main ref={main} id="page" class={`page of-${page}`} tabIndex={-1}>
          <Shown key={showing} showing={showing}>
            <Page key={path} page={page} parts={parts} />
          </Shown>
        </main>
      </div>
      <div class="notice" role="status">
        {notice.value}
      </div>
      {isHelpShown && <KeyHelp onClose={() => setHelpShown(false)} />}
      <Welcome />
    </div>
  )
}

/** The page, with calls bound to the account it shows. After a switch, the server rejects calls that were started here. */
function Shown({ showing, children }: { showing: string; children: ComponentChildren }) {
  const tools = useConsole()
  const own = useMemo(() => ({ ...tools, calls: tools.calls.about(showing) }), [tools, showing])
  return <ConsoleContext.Provider value={own}>{children}</ConsoleContext.Provider>
}

function Page({ page, parts }: Pick<Address, 'page' | 'parts'>) {
  const [part, further] = parts
  switch (page) {
    case 'overview':
      return <OverviewPage />
    case 'sessions':
      if (part === undefined) return <SessionsPage />
      return further === 'face' ? <SimilarPage id={part} /> : <SessionPage id={part} />
    case 'review':
      return part === 'decisions' ? <DecisionsPage /> : <ReviewPage />
    case 'verifications':
      return part === undefined ? <VerificationsPage /> : <VerificationPage id={part} />
    case 'collections':
      return <CollectionsPage chosen={part} />
    case 'kiosks':
      return <KiosksPage />
    case 'developers':
      return <DevelopersPage tab={part} />
    case 'settings':
      return <SettingsPage tab={part} />
    case 'unknown':
      return <UnknownPage />
  }
}

interface ShortcutUses {
  readonly onSearch: () => void
  readonly onHelp: () => void
}

/** Listens for global shortcuts, except in text fields and when they are disabled. */
function useShortcuts({ onSearch, onHelp }: ShortcutUses): void {
  const { navigation, preferences } = useConsole()
  const { hasShortcuts } = preferences.value
  const before = useRef<{ key: string; at: number } | null>(null)
  useEffect(() => {
    if (!hasShortcuts) return
    const hear = (event: KeyboardEvent) => {
      if (isWriting(event) || document.querySelector('dialog[open]') !== null) return
      const found = readShortcut(event.key, before.current, event.timeStamp)
      before.current = { key: event.key, at: event.timeStamp }
      if (found === undefined) return
      event.preventDefault()
      if (found.kind === 'go') navigation.go({ page: found.page })
      else if (found.kind === 'search') onSearch()
      else onHelp()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [hasShortcuts])
}
