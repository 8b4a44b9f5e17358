import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { type Range, usageQuery } from './figures.ts'

/** Two days between which the overview counts; both are in UTC, as the counts are. */
export function OwnDaysField({ range }: { range: Range }) {
  const { words, navigation } = useConsole()
  const { overview } = words.value
  const address = navigation.address.value
  const query = usageQuery(range, new Date())
  const shown =
    typeof range === 'object' ? range : { from: query.from.slice(0, 10), to: query.to.slice(0, 10) }
  const day = (name: 'from' | 'to', label: string) => (
    <input
      type="date"
      aria-label={label}
      value={shown[name]}
      onChange={({ currentTarget: { value } }) =>
        value !== '' && navigation.go(withQuery(address, { ...shown, [name]: value, range: null }))
      }
    />
  )
  return (
    <span class="own-days">
      {day('from', overview.fromDay)} – {day('to', overview.toDay)}
    </span>
  )
}
