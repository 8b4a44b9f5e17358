import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { labelOn } from '#web/ui/theme/accent.ts'
import type { AccountForm } from './account-form.ts'

const fonts: Readonly<Record<string, string>> = {
  serif: 'ui-serif, Georgia, serif',
  rounded: 'ui-rounded, "Arial Rounded MT Bold", system-ui, sans-serif',
  monospace: 'ui-monospace, Menlo, Consolas, monospace',
}

/** A button as visitors will see it, before anything is saved. */
export function ThemeSample({ form: { accent, radius, font } }: { form: AccountForm }) {
  const { words } = useConsole()
  const element = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const { style } = element.current!
    const isColour = /^#[0-9a-f]{6}$/i.test(accent)
    style.background = isColour ? accent : ''
    style.color = isColour ? labelOn(accent) : ''
    style.borderRadius = radius === '' ? '' : `${Number(radius)}px`
    style.fontFamily = fonts[font] ?? ''
  }, [accent, radius, font])
  return (
    <p class="sample">
      <span ref={element}>{words.value.settings.sample}</span>
    </p>
  )
}
