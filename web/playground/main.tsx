import { render } from 'preact'
import { createPlaygroundCalls } from './playground-calls.ts'
import { PlaygroundPage } from './playground-page.tsx'
import { loadPlaygroundWording } from './wording/playground-languages.ts'

/** A bearer of the demo is asked for anew so long before it ends. */
const renewedBeforeMilliseconds = 60_000

interface Bearer {
  readonly token: string
  readonly expirationUtcTime: string
}

let bearer: Promise<Bearer> | undefined

/** What the demo lets its visitors call with: it reaches the analysis and nothing that is kept. */
async function tokenOfDemo(): Promise<string> {
  const known = await bearer?.catch(() => undefined)
  const isFresh = known && Date.parse(known.expirationUtcTime) - Date.now() > renewedBeforeMilliseconds
  if (isFresh) return known.token
  bearer = fetch('/demo/token').then((answer) => answer.json() as Promise<Bearer>)
  return (await bearer).token
}

const calls = createPlaygroundCalls({
  origin: location.origin,
  fetch: (address, init) => fetch(address, init),
  credentialFor: async () => ({ bearer: await tokenOfDemo() }),
})
const words = await loadPlaygroundWording(navigator.languages)
document.documentElement.lang = words.locale
document.documentElement.dir = words.direction
document.title = `${words.title} · Selfsame demo`
render(
  <PlaygroundPage words={words} calls={calls} publicOrigin={location.origin} />,
  document.getElementById('app')!,
)
