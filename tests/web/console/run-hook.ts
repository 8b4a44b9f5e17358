import { Fragment, h, options, render } from 'preact'
import type { SignedIn } from '#shared/contract/console/sign-in.ts'
import { ConsoleContext, type ConsoleTools } from '#web/console/core/console-context.ts'
import { en } from '#web/console/wording/en.ts'

// Nothing is drawn, so nothing has to wait for a frame.
options.requestAnimationFrame = (work) => void setTimeout(work)

/** Waits until the hooks' own work is done, apart from external waits. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((next) => setTimeout(next))
}

/** A hook in a component that renders nothing, so it needs no page around it. */
export interface RunHook<Given, Result> {
  /** Its most recent result. */
  readonly now: Result
  /** Runs it with a different input. */
  give(given: Given): void
  end(): void
}

/** Runs a hook, inside the console if the console's tools are given. */
export function runHook<Given, Result>(
  use: (given: Given) => Result,
  given: Given,
  tools: ConsoleTools | null = null,
): RunHook<Given, Result> {
  // Takes the place of a page, because nothing is rendered into it.
  const place = { childNodes: [], firstChild: null } as unknown as Element
  const seen: { result?: Result } = {}
  function Shown(props: { given: Given }) {
    seen.result = use(props.given)
    return null
  }
  const show = (next: Given) => {
    const page = globalThis as { document?: unknown }
    const had = Object.hasOwn(page, 'document')
    page.document ??= {}
    render(h(ConsoleContext.Provider, { value: tools, children: h(Shown, { given: next }) }), place)
    if (!had) delete page.document
  }
  show(given)
  return {
    get now() {
      return seen.result as Result
    },
    give: show,
    end: () => {
      const page = globalThis as { document?: unknown }
      const had = Object.hasOwn(page, 'document')
      page.document ??= {}
      render(h(Fragment, {}), place)
      if (!had) delete page.document
    },
  }
}

/** A console's tools with the test's calls, for an owner who sees live data. */
export function toolsWith(calls: unknown, me: Partial<SignedIn> = {}): ConsoleTools {
  const signedIn = { accountId: 'a', environment: 'live', role: 'owner', operatorId: 'o', ...me }
  return {
    calls,
    words: { value: en, peek: () => en },
    membership: {
      presence: { value: { kind: 'signedIn', me: signedIn } },
      gate: { antiForgeryToken: () => '' },
    },
    tell: () => undefined,
  } as unknown as ConsoleTools
}
