import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { useCopying } from '#web/console/core/copying.ts'
import { exactTime, shortTime } from '#web/console/core/times.ts'

/** A moment: short where it stands, exact for whoever points at it. */
export function Time({ at, isExact = false }: { at: string | null; isExact?: boolean }) {
  const { words } = useConsole()
  if (at === null) return <span class="none">{words.value.none}</span>
  const time = Date.parse(at)
  const { locale } = words.value
  const exact = exactTime(time, locale)
  return (
    <time dateTime={at} title={`${exact} · ${at}`}>
      {isExact ? exact : shortTime(time, Date.now(), locale)}
    </time>
  )
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'busy'

/** A state: a shape and a word, so that it is read without colour. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** An id, and the way to take it along. */
export function Id({ value, isShort = false }: { value: string; isShort?: boolean }) {
  const { words } = useConsole()
  const copy = useCopying()
  return (
    <span class="id">
      <code dir="ltr" title={value}>
        {isShort ? value.slice(0, 8) : value}
      </code>
      <button type="button" class="copy" onClick={() => copy(value)}>
        <span class="heard">{`${words.value.action.copy} ${value}`}</span>
        <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
          <path
            d="M5.500 5.500h8v8h-8zM2.500 10.500v-8h8"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
          />
        </svg>
      </button>
    </span>
  )
}

/** The key that does the same; whoever does not see it hears of it in the list of keys. */
export function Key({ name }: { name: string }) {
  return (
    <span class="key" aria-hidden="true">
      {name}
    </span>
  )
}

/** Words for a value that may be missing. */
export function Maybe({ value }: { value: string | number | null | undefined }) {
  const { words } = useConsole()
  return value === null || value === undefined ? (
    <span class="none">{words.value.none}</span>
  ) : (
    <bdi>{value}</bdi>
  )
}

interface PageHeadProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** The head of a page; the focus comes here when the page changes. */
export function PageHead({ title, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { words } = useConsole()
  useEffect(() => {
    document.title = `${title} · ${words.value.product}`
  }, [title, words.value])
  useEffect(() => {
    if (hasArrived) heading.current?.focus({ preventScroll: true })
    hasArrived = true
  }, [])
  return (
    <header class="head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children !== undefined && <div class="buttons">{children}</div>}
    </header>
  )
}

/** The first page takes no focus: the browser has just put it where the person expects it. */
let hasArrived = false

interface EmptyProps {
  readonly title: string
  readonly advice: string
  readonly children?: ComponentChildren
}

/** Nothing here yet, and what to do next. */
export function Empty({ title, advice, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{advice}</p>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  )
}

/** Names and what they are. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A part of a page under a head of its own. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="buttons">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** Something that is shown once: a key, a secret. It is asked to be kept before it goes. */
export function Secret({ value, label }: { value: string; label: string }) {
  const { words } = useConsole()
  const [isCopied, setCopied] = useState(false)
  const copyInto = useCopying()
  const copy = async () => setCopied(await copyInto(value))
  return (
    <div class="note good">
      <strong>{label}</strong>
      <p>{words.value.secretOnce}</p>
      <div class="secret">
        <code dir="ltr">{value}</code>
        <button type="button" class="press primary" onClick={copy}>
          {isCopied ? words.value.feedback.copied : words.value.action.copy}
        </button>
      </div>
    </div>
  )
}
