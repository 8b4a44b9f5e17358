import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { lazily } from '#web/console/ui/lazy.tsx'
import { Empty, PageHead } from '#web/console/ui/pieces.tsx'
import { Tabs } from '#web/console/ui/tabs.tsx'
import { UnknownPage } from '#web/console/ui/unknown-page.tsx'
import { Clients } from './clients/clients.tsx'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'
import { Explore } from './explore.tsx'
import { Keys } from './keys.tsx'
import { Requests } from './requests.tsx'
import { Rotation } from './rotation.tsx'

/** Loaded on demand, because few people open it. */
const Playground = lazily(async () => (await import('./playground.tsx')).ConsolePlayground)

const tabs = {
  keys: Keys,
  clients: Clients,
  endpoints: Endpoints,
  deliveries: Deliveries,
  requests: Requests,
  playground: Playground,
  explore: Explore,
  rotation: Rotation,
} as const
type Tab = keyof typeof tabs

/** Tools for developers: keys, webhooks and logs. */
export function DevelopersPage({ tab }: { tab: string | undefined }) {
  const { words } = useConsole()
  const may = useMay()
  const { page, developers, problem } = words.value
  const chosen = (tab ?? 'keys') as Tab
  if (!Object.hasOwn(tabs, chosen)) return <UnknownPage />
  const Part = tabs[chosen]
  const names = Object.keys(tabs) as Tab[]
  return (
    <>
      <PageHead title={page.developers} />
      {may('getKeys') ? (
        <>
          <Tabs
            label={page.developers}
            page="developers"
            chosen={chosen}
            tabs={names.map((name) => [name, developers.tabs[name]] as const)}
          />
          <Part />
        </>
      ) : (
        <Empty {...problem.code.forbidden} />
      )}
    </>
  )
}
