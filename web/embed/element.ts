import { openVerification } from './embed.ts'

/**
 * `<selfsame-check link="…" origin="…">` shows the check inside a page; with `origin`, links to other origins are rejected. With `place="popup"`, `open()` opens a window; call it from a click.
 * Fires `outcome` with a `VerificationOutcome` as its detail, `problem` with the name of an obstacle, and `error` with
 * the `VerificationError`. A new `link` starts over; removing the element ends the check.
 */
export class SelfsameCheck extends HTMLElement {
  static readonly observedAttributes = ['link', 'origin', 'place']
  #stop: AbortController | undefined

  connectedCallback(): void {
    // Without a style sheet, the element becomes a block, so that it fills the width and accepts a height.
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block'
    this.#begin()
  }

  disconnectedCallback(): void {
    this.#stop?.abort()
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#begin()
  }

  /** Opens the window for `place="popup"`. Frames open automatically. */
  open(): void {
    this.#show('popup')
  }

  #begin(): void {
    this.#stop?.abort()
    if (this.getAttribute('link') && this.getAttribute('place') !== 'popup') this.#show('frame')
  }

  #show(place: 'frame' | 'popup'): void {
    this.#stop?.abort()
    const stop = new AbortController()
    this.#stop = stop
    const tell = (name: string, detail: unknown) => {
      if (!stop.signal.aborted) this.dispatchEvent(new CustomEvent(name, { detail }))
    }
    const link = this.getAttribute('link') ?? ''
    const title = this.getAttribute('title')
    const origin = this.getAttribute('origin')
    const options = {
      link,
      signal: stop.signal,
      onProblem: (problem: string) => tell('problem', problem),
      ...(title && { title }),
      ...(origin && { origin }),
    }
    openVerification(place === 'frame' ? { ...options, place, container: this } : { ...options, place }).then(
      (outcome) => tell('outcome', outcome),
      (error: unknown) => tell('error', error),
    )
  }
}

if (customElements.get('selfsame-check') === undefined) customElements.define('selfsame-check', SelfsameCheck)
