import { openVerification } from './embed.ts'

/**
 * `<selfsame-check link="…" origin="…">`: the check in its place on the page; with `origin` a link to any other is refused. `place="popup"` opens a window when `open()` is called, from a click.
 * It fires `outcome` with a `VerificationOutcome` as its detail, `problem` with what keeps the check from going on, and `error` with
 * the `VerificationError`. Another `link` begins anew; an element that leaves the page takes its check away.
 */
export class SelfsameCheck extends HTMLElement {
  static readonly observedAttributes = ['link', 'origin', 'place']
  #stop: AbortController | undefined

  connectedCallback(): void {
    // No style sheet says how it stands: as a block it has the width of its place, and any height that it is given.
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block'
    this.#begin()
  }

  disconnectedCallback(): void {
    this.#stop?.abort()
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#begin()
  }

  /** Opens the window of `place="popup"`; a frame opens by itself. */
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
