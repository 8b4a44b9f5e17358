import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from '../support/acted/scenario.ts'
import type { Engine } from './driver/engine.ts'

/** A browser whose pages can be read and operated. */
export type Seen = Pick<Engine, 'run'>

const lookMilliseconds = 200
/** A visit takes ten seconds on a quiet machine and ten times as long on a busy one. Performance is measured elsewhere. */
export const visitMilliseconds = 180_000

/** Polls until `look` returns a result. If that takes too long, the error includes the page's text. */
export async function until<T>(
  engine: Seen,
  what: string,
  look: () => Promise<T | null | undefined>,
  milliseconds = 20_000,
): Promise<T> {
  const last = Date.now() + milliseconds
  for (;;) {
    // A page does not answer while it is being left.
    const seen = await look().catch(() => null)
    if (seen !== null && seen !== undefined) return seen
    if (Date.now() > last)
      throw new Error(`${what} did not appear. Text of the page: ${await wordsOf(engine)}`)
    await sleep(lookMilliseconds)
  }
}

/** The page's visible text. */
function wordsOf(engine: Seen): Promise<string> {
  return engine
    .run(() => `${location.href} ${document.body?.innerText ?? ''}`.replace(/\s+/g, ' ').slice(0, 400))
    .catch(String)
}

export function heading(engine: Seen, words: string, milliseconds?: number): Promise<true> {
  const look = () =>
    engine.run(
      (wanted) =>
        [...document.querySelectorAll('h1')].some((title) => title.innerText.trim() === wanted) || null,
      words,
    )
  return until(engine, `“${words}”`, look, milliseconds) as Promise<true>
}

/** Waits for a button or a link and clicks it. */
export function press(engine: Seen, name: string, milliseconds?: number): Promise<true> {
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

/** Waits for the field with this name and types into it. */
export function type(engine: Seen, field: string, text: string): Promise<true> {
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

/** Goes from the consent screen to the camera. */
export async function begin(engine: Seen): Promise<void> {
  await press(engine, 'Agree and continue')
  await press(engine, 'Start camera')
}

/** The address that the person was returned to. */
export function cameBack(engine: Seen, { receiver }: Pick<Site, 'receiver'>): Promise<URL> {
  const look = async () => {
    const address = await engine.run(() => location.href)
    return address.startsWith(receiver.address) ? new URL(address) : null
  }
  return until(engine, 'the return to the site', look, visitMilliseconds)
}
