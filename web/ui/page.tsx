import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { Title } from './title.tsx'

interface PageProps {
  /** The heading takes the focus whenever this changes. */
  readonly screen: string
  readonly icon: IconName
  /** Replaces the icon; true for neither. */
  readonly drawing?: ComponentChildren
  /** A layout variant that allows the keypad to be next to the text. */
  readonly layout?: 'with-keys' | undefined
  readonly tone?: 'plain' | 'good' | 'busy'
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

/** The logo's two ovals, which appear behind every icon and tie all screens together. */
function Emblem({ icon, tone }: Pick<PageProps, 'icon' | 'tone'>) {
  return (
    <div class={`emblem ${tone}`}>
      <svg class="ground" viewBox="0 0 128 112" aria-hidden="true">
        <ellipse cx="51" cy="56" rx="42" ry="54" />
        <ellipse cx="77" cy="56" rx="42" ry="54" />
      </svg>
      <Icon name={icon} size={48} />
    </div>
  )
}

/** A text screen with a drawing, a heading, content and actions. */
export function Page({ screen, icon, drawing, tone = 'plain', title, layout, children, actions }: PageProps) {
  return (
    <main class={['page', layout, actions ? 'with-actions' : undefined].filter(Boolean).join(' ')}>
      <div class="page-body">
        {drawing || <Emblem icon={icon} tone={tone} />}
        <Title screen={screen}>{title}</Title>
        {children}
      </div>
      <div class="actions">{actions}</div>
    </main>
  )
}
