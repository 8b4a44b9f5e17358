import type { CapturePlan } from '#shared/contract/sessions/session.ts'

/** The screens that the console's preview walks through. */
export type StepName =
  | 'consent'
  | 'anotherWay'
  | 'ready'
  | 'align'
  | 'hold'
  | 'action1'
  | 'action2'
  | 'action3'
  | 'sending'
  | 'furtherTry'
  | 'passed'
  | 'notCompleted'
  | 'declined'

/** What a check would be like, and which of its screens is looked at. */
export interface Previewed {
  readonly plan: CapturePlan
  /** Further tries. */
  readonly tries: number
  readonly passedUrl: string | null
  readonly failedUrl: string | null
  /** The language of the screens, and the device that they are on. */
  readonly locale: string
  readonly isPhone: boolean
  readonly isDark: boolean
  readonly step: StepName
}

/** What the frame tells: that it can show something, in which languages; and where a press led. */
export type FromPreview =
  | { readonly kind: 'ready'; readonly languages: readonly string[] }
  | { readonly kind: 'went'; readonly step: StepName }

/** What the console tells its frame. */
export interface ToPreview {
  readonly kind: 'show'
  readonly previewed: Previewed
}

type Listening = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  readonly location: Pick<Location, 'origin'>
}

/**
 * Listens to one window, and to no other. [Note: The preview hears its console alone] A message counts that comes from this origin and from
 * the very window that is meant. Answers what ends the listening.
 */
export function hear<Message>(
  here: Listening,
  from: () => MessageEventSource | null | undefined,
  take: (message: Message) => void,
): () => void {
  const listen = ({ origin, source, data }: MessageEvent) => {
    if (source !== null && origin === here.location.origin && source === from()) take(data as Message)
  }
  here.addEventListener('message', listen)
  return () => here.removeEventListener('message', listen)
}
