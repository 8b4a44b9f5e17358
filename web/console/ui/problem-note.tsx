import { useConsole } from '#web/console/core/console-context.ts'
import { explain } from '#web/console/core/explain.ts'
import { Button } from './controls.tsx'

/** An error message with its remedy. */
export function ProblemNote({ problem, onRetry }: { problem: unknown; onRetry?: () => void }) {
  const { words } = useConsole()
  if (problem === undefined || problem === null) return null
  const { title, advice, details, requestId } = explain(problem, words.value)
  return (
    <div class="note bad" role="alert">
      <strong>{title}</strong>
      <p>{advice}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ place, message }) => (
            <li key={place + message}>
              <code dir="ltr">{place}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p class="small">
          {words.value.problem.request} <code dir="ltr">{requestId}</code>
        </p>
      )}
      {onRetry !== undefined && <Button onPress={onRetry}>{words.value.action.retry}</Button>}
    </div>
  )
}
