import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { useCopying } from '#web/console/core/copying.ts'
import { exactTime, shortTime } from '#web/console/core/times.ts'

/** A time in short form, with the exact time as a tooltip. */
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

/** A state shown as an icon and a word, so that it does not rely on colour. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** An id with a copy button. */
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

/** Shows an action's shortcut. It is hidden from screen readers, which find it in the list of shortcuts. */
export function Key({ name }: { name: string }) {
  return (
    <span class="key" aria-hidden="true">
      {name}
    </span>
  )
}

/** A value, or a dash if it is missing. */
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

/** A page heading. It gets the focus when the page changes. */
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

/** The first page does not take the focus, because the browser has already placed it. */
let hasArrived = false

interface EmptyProps {
  readonly title: string
  readonly advice: string
  readonly children?: ComponentChildren
}

/** Shown for an empty list, with advice on what to do next. */
export function Empty({ title, advice, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{advice}</p>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  )
}

/** A list of names and values. */
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

/** A page section with a heading. */
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

/** A secret that is shown only once, with a reminder to store it. */
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
