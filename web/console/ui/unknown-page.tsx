import { useConsole } from '#web/console/core/console-context.ts'
import { Link } from './link.tsx'
import { PageHead } from './pieces.tsx'

/** Shown at an address that the console has no page for. It repeats no part of the address, which anybody may have made up. */
export function UnknownPage() {
  const { words } = useConsole()
  const { unknownPage, page } = words.value
  return (
    <>
      <PageHead title={unknownPage.title} />
      <p class="note">{unknownPage.advice}</p>
      <div class="buttons">
        <Link to={{ page: 'overview' }} class="press primary">
          {page.overview}
        </Link>
      </div>
    </>
  )
}
