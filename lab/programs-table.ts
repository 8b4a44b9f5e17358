import { outsidePrograms } from '../build/outside-programs.mjs'

export const programsPage = 'docs/contribute.md'

/** The table of the programs beside Node that tests use, from build/outside-programs.json. */
export function programsTable(): string {
  const rows = outsidePrograms.map(({ name, packages, neededBy, required }) => [
    name,
    packages.map((one) => `\`${one}\``).join(', '),
    neededBy,
    required ? 'yes' : 'no',
  ])
  return [['program', 'Debian packages', 'needed by', 'required'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
