import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { watchActivity } from './core/activity.ts'
import { createConsoleCalls } from './core/calls.ts'
import type { ConsoleTools } from './core/console-context.ts'
import { createMembership } from './core/membership.ts'
import { createNavigation } from './core/navigation.ts'
import { makePasskey, showPasskey } from './core/passkey.ts'
import { paintTheme, readPreferences, writePreferences } from './core/preferences.ts'
import { createProviderVisits, takeReturned } from './core/provider-visits.ts'
import { ConsoleApp } from './shell/console-app.tsx'
import { chooseConsoleLanguage, loadConsoleWording } from './wording/console-languages.ts'

const preferences = signal(readPreferences(localStorage))
const wanted = () => chooseConsoleLanguage([preferences.peek().language, ...navigator.languages])
const words = signal(await loadConsoleWording(wanted()))
const notice = signal('')
const noticeMilliseconds = 4000

// Removes the provider's answer from the address first, so that it does not end up in the history or in links.
const returned = takeReturned(window)
const visits = createProviderVisits((name) => new BroadcastChannel(name))
const membership = createMembership({
  calls: () => calls,
  storage: localStorage,
  show: showPasskey,
  make: makePasskey,
  tab: sessionStorage,
  leaveFor: (url) => location.assign(url),
  visit: visits.visit,
  isActive: watchActivity(window, () => performance.now()),
})
const gate = {
  ...membership.gate,
  // This tab follows the other one to its account, whatever is open here.
  onMoved(isLeftBehind: boolean) {
    const { shell, problem } = words.peek()
    tools.tell(isLeftBehind ? shell.leftBehind : problem.code.console_moved.title)
    membership.gate.onMoved(isLeftBehind)
  },
}
const calls = createConsoleCalls(location.origin, (address, init) => fetch(address, init), gate)

const tools: ConsoleTools = {
  calls,
  membership,
  visits,
  returned,
  words,
  preferences,
  notice: notice,
  navigation: createNavigation(window),
  prefer(change) {
    preferences.value = { ...preferences.peek(), ...change }
    writePreferences(localStorage, preferences.peek())
    void speak()
  },
  tell(text) {
    notice.value = text
    setTimeout(() => {
      if (notice.peek() === text) notice.value = ''
    }, noticeMilliseconds)
  },
}

async function speak(): Promise<void> {
  const language = wanted()
  if (language !== words.peek().locale) words.value = await loadConsoleWording(language)
}

effect(() => paintTheme(document, preferences.value.theme))
effect(() => {
  document.documentElement.lang = words.value.locale
  document.documentElement.dir = words.value.direction
})
void membership.ask()
render(<ConsoleApp tools={tools} />, document.getElementById('app')!)
