import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { Title } from './title.tsx'

interface PageProps {
  /** The name that the focus follows. */
  readonly screen: string
  readonly icon: IconName
  readonly tone?: 'plain' | 'good' | 'onward' | 'busy'
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

/** A screen of words: one drawing, one heading, what there is to say, and the ways on. */
export function Page({ screen, icon, tone = 'plain', title, children, actions }: PageProps) {
  return (
    <main class="page">
      <div class="page-body">
        <div class={`emblem ${tone}`}>
          <Icon name={icon} size={40} />
        </div>
        <Title screen={screen}>{title}</Title>
        {children}
      </div>
      <div class="actions">{actions}</div>
    </main>
  )
}
