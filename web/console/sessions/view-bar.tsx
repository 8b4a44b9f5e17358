import { useState } from 'preact/hooks'
import { Problem } from '#shared/problem.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { fill } from '#web/wording/fill.ts'
import { readViews, removeView, type SavedView, saveView, shows } from './saved-views.ts'

/** The views saved in this browser, and a button that saves the current one. */
export function ViewBar() {
  const { words, navigation } = useConsole()
  const { accountId } = useMe()
  const [views, setViews] = useState(() => readViews(localStorage, accountId))
  const [isNaming, setNaming] = useState(false)
  const { query } = navigation.address.value
  const { views: say } = words.value
  const current = views.find((view) => shows(view, query))
  const canSave = current === undefined && Object.keys(query).length > 0
  if (views.length === 0 && !canSave) return null
  return (
    <div class="chips view-bar">
      {views.length > 0 && (
        <nav class="chips" aria-label={say.title}>
          {views.map((view) => (
            <Link
              key={view.name}
              to={{ page: 'sessions', query: view.query }}
              class="chip"
              current={view === current}
            >
              <bdi>{view.name}</bdi>
            </Link>
          ))}
        </nav>
      )}
      {canSave && (
        <Button kind="quiet" onPress={() => setNaming(true)}>
          {say.save}
        </Button>
      )}
      {current !== undefined && (
        <Button kind="quiet" onPress={() => setViews(removeView(localStorage, accountId, current.name))}>
          {fill(say.remove, { name: current.name })}
        </Button>
      )}
      {isNaming && (
        <NameView
          onClose={() => setNaming(false)}
          onNamed={(name) => setViews(saveView(localStorage, accountId, { name, query }))}
        />
      )}
    </div>
  )
}

interface NameViewProps {
  readonly onClose: () => void
  readonly onNamed: (name: SavedView['name']) => void
}

function NameView({ onClose, onNamed }: NameViewProps) {
  const { words, tell } = useConsole()
  const [name, setName] = useState('')
  const { views: say, action, feedback } = words.value
  return (
    <Confirm
      title={say.save}
      verb={action.save}
      onClose={onClose}
      onConfirm={async () => {
        if (name.trim() === '') throw Problem.at('#/name', say.nameNeeded)
        onNamed(name.trim())
        tell(feedback.saved)
      }}
    >
      <TextField
        label={say.name}
        hint={say.nameHint}
        value={name}
        onInput={setName}
        maxLength={60}
        at="name"
        autoFocus
      />
    </Confirm>
  )
}
