import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from './driver/engine.ts'

const lookMilliseconds = 200

/** Looks until something is there; what is seen meanwhile is told where it never comes. */
export async function until<T>(
  engine: Engine,
  what: string,
  look: () => Promise<T | null | undefined>,
  milliseconds = 20_000,
): Promise<T> {
  const last = Date.now() + milliseconds
  for (;;) {
    // A page that is just being left answers nothing.
    const seen = await look().catch(() => null)
    if (seen !== null && seen !== undefined) return seen
    if (Date.now() > last) throw new Error(`${what} did not come; the page says: ${await wordsOf(engine)}`)
    await sleep(lookMilliseconds)
  }
}

/** The words of the page. */
export function wordsOf(engine: Engine): Promise<string> {
  return engine
    .run(() => `${location.href} ${document.body?.innerText ?? ''}`.replace(/\s+/g, ' ').slice(0, 400))
    .catch(String)
}

/** Waits for a heading. */
export function heading(engine: Engine, words: string, milliseconds?: number): Promise<true> {
  const look = () =>
    engine.run(
      (wanted) =>
        [...document.querySelectorAll('h1')].some((title) => title.innerText.trim() === wanted) || null,
      words,
    )
  return until(engine, `“${words}”`, look, milliseconds) as Promise<true>
}

/** Presses a button or follows a link when it is there. */
export function press(engine: Engine, name: string, milliseconds?: number): Promise<true> {
  return until(engine, `a button “${name}”`, () => engine.run(pressNamed, name), milliseconds)
}

/** Runs in the page. */
function pressNamed(name: string): true | null {
  const found = [...document.querySelectorAll<HTMLElement>('button, a[href]')].find(
    (one) => one.innerText.trim() === name && one.offsetParent !== null && one.ariaBusy !== 'true',
  )
  found?.click()
  return found === undefined ? null : true
}

/** Types into the field of this name when it is there. */
export function type(engine: Engine, field: string, text: string): Promise<true> {
  return until(engine, `a field ${field}`, () => engine.run(typeInto, field, text))
}

/** Runs in the page. */
function typeInto(field: string, text: string): true | null {
  const found = document.querySelector<HTMLInputElement>(`input[name="${field}"]`)
  if (found === null) return null
  found.value = text
  found.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}

/** From consent to the camera. */
export async function begin(engine: Engine): Promise<void> {
  await press(engine, 'Agree and continue')
  await press(engine, 'Start camera')
}
