/** A place in the repository that names the version. */
export interface VersionPlace {
  readonly place: string
  /** Undefined if it names none. */
  readonly version: string | undefined
}

type Read = (path: string) => string

const ofJson = (read: Read, path: string, ...members: readonly string[]): string | undefined => {
  let value: unknown = JSON.parse(read(path))
  for (const member of members) value = (value as Record<string, unknown> | undefined)?.[member]
  return typeof value === 'string' ? value : undefined
}

/** The newest version of CHANGELOG.md, and those before it. */
export function changelogVersions(read: Read): string[] {
  return [...read('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version!)
}

/** Every place that names this version; they have to agree. */
export function versionPlaces(read: Read): VersionPlace[] {
  const inText = (path: string, pattern: RegExp) => pattern.exec(read(path))?.[1]
  return [
    { place: 'package.json', version: ofJson(read, 'package.json', 'version') },
    { place: 'package-lock.json', version: ofJson(read, 'package-lock.json', 'version') },
    {
      place: 'package-lock.json, packages',
      version: ofJson(read, 'package-lock.json', 'packages', '', 'version'),
    },
    {
      place: 'package-lock.json, lab',
      version: ofJson(read, 'package-lock.json', 'packages', 'lab', 'version'),
    },
    { place: 'lab/package.json', version: ofJson(read, 'lab/package.json', 'version') },
    {
      place: 'server/platform/running/product-version.ts',
      version: inText('server/platform/running/product-version.ts', /productVersion = '([^']+)'/),
    },
    { place: 'CHANGELOG.md', version: changelogVersions(read)[0] },
    { place: 'SECURITY.md', version: inText('SECURITY.md', /^\| (\d+\.\d+\.\d+)[^|]*\| yes/m) },
    { place: 'docs/versions.md', version: inText('docs/versions.md', /^This is version (\d+\.\d+\.\d+)\b/m) },
  ]
}

/** The places that name another version than package.json. */
export function versionFaults(places: readonly VersionPlace[]): string[] {
  const [first, ...others] = places
  return others
    .filter(({ version }) => version !== first!.version)
    .map(({ place, version }) => `${place} has ${version ?? 'no version'}, not ${first!.version}`)
}
