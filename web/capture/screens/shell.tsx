import type { ComponentChildren } from 'preact'
import type { State } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Mark } from '#web/ui/mark.tsx'
import type { ScreenProps } from './screen-props.ts'
import { TestBanner } from './test-banner.tsx'

interface ShellProps extends ScreenProps {
  readonly children: ComponentChildren
}

const withoutLeave: readonly State['name'][] = [
  'opening',
  'linkProblem',
  'anotherWay',
  'sending',
  'passkeyOffered',
  'offline',
  'furtherTry',
  'passed',
  'notCompleted',
  'declined',
  'timeOver',
  'numberCheck',
  'codeEntry',
  'moved',
]

/** The frame around every screen: the sender's name or logo once it is known, the exit, and state attributes for tests and integrators. */
export function Shell({ state, context, wording, send, children }: ShellProps) {
  const mayLeave = context.plan !== null && !withoutLeave.includes(state.name)
  return (
    <div
      class={context.plan?.test === undefined ? 'shell' : 'shell tested'}
      data-state={state.name}
      {...detailOf(state)}
    >
      <header class="header">
        {state.name === 'opening' && context.plan === null ? (
          <span />
        ) : (
          <Mark plan={context.plan ?? context.asker} />
        )}
        {mayLeave && (
          <Button kind="quiet" onPress={() => send({ type: 'leave' })}>
            {wording.button.leave}
          </Button>
        )}
      </header>
      <div class="notices">
        <TestBanner {...{ state, context, wording, send }} />
        {context.nearDeadline && (
          <aside class="banner">
            <span>{wording.text.nearDeadline}</span>
            <Button kind="quiet" onPress={() => send({ type: 'bannerRead' })}>
              {wording.button.close}
            </Button>
          </aside>
        )}
      </div>
      {children}
    </div>
  )
}

/** Additional data attributes for tests and integrators. They never contain the reason for a verdict. */
function detailOf(state: State): Record<string, string> {
  switch (state.name) {
    case 'action':
      return {
        'data-action': state.step.action,
        'data-step': String(state.step.step),
        ...(state.step.size !== undefined && { 'data-size': String(state.step.size) }),
      }
    case 'cameraProblem':
      return { 'data-cause': state.cause }
    case 'linkProblem':
      return { 'data-cause': state.problem }
    case 'following':
      return { 'data-phase': state.handoff.phase }
    case 'declined':
      return { 'data-cause': state.kind }
    default:
      return {}
  }
}
