import {
  abilities,
  comforts,
  type Engine,
  engines,
  floors,
  floorVersions,
  isSince,
  needs,
  readers,
  wishes,
} from '../../shared/browsers/floors.ts'
import { trials } from '../../shared/browsers/trials.ts'
import { withMarkedPlace } from '../marked-place.ts'

export const supportPage = 'docs/browsers.md'

const names: Readonly<Record<Engine, string>> = {
  chromium: 'Chromium',
  firefox: 'Firefox',
  safari: 'Safari, iOS',
}

/** The page's tables, keyed by the marker above each one. */
export function supportTables(): Record<'floors' | 'needs' | 'wishes' | 'trials', string> {
  const since = (versions: Readonly<Record<Engine, string | null>>) =>
    engines.map((engine) => cellOf(versions[engine], engine))
  const heads = engines.map((engine) => names[engine])
  return {
    floors: table(
      ['engine', 'from version', 'in', 'why this one', 'shown as too old'],
      engines.map((engine) => {
        const { version, browsers, reason } = floors[engine]
        return [names[engine], `**${version}**`, browsers, reason, `from ${readers[engine]} on`]
      }),
    ),
    needs: table(
      ['needed', 'for', ...heads],
      abilities.map((ability) => [
        needs[ability].name,
        needs[ability].purpose,
        ...since(needs[ability].since),
      ]),
    ),
    wishes: table(
      ['used if available', 'for', ...heads, 'without it'],
      comforts.map((comfort) => {
        const { name, purpose, without } = wishes[comfort]
        return [name, purpose, ...since(wishes[comfort].since), without]
      }),
    ),
    trials: table(
      ['browser', 'tried by', 'what was seen'],
      trials.map(({ browser, triedBy, seen }) => [browser, triedBy ?? '', seen ?? '']),
    ),
  }
}

/** Highlights versions above the floor, because some supported browsers lack the feature. */
function cellOf(version: string | null, engine: Engine): string {
  if (version === null) return 'none'
  return isSince(floorVersions()[engine], version) ? version : `${version}, above the floor`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Regenerates the page's tables from the lists. */
export function withTables(page: string): string {
  return Object.entries(supportTables()).reduce(
    (text, [mark, lines]) => withMarkedPlace(text, mark, lines, supportPage),
    page,
  )
}
