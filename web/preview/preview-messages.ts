import type { CapturePlan } from '#shared/contract/sessions/session.ts'

/** The screens in the console's preview. */
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

/** The check being previewed, and the screen on display. */
export interface PreviewedCheck {
  readonly plan: CapturePlan
  readonly tries: number
  readonly passedUrl: string | null
  readonly failedUrl: string | null
  /** The preview's language and device. */
  readonly locale: string
  readonly isPhone: boolean
  readonly isDark: boolean
  readonly step: StepName
}

/** Messages from the frame: that it is ready, with its languages, and which screen a click led to. */
export type FromPreview =
  | { readonly kind: 'ready'; readonly languages: readonly string[] }
  | { readonly kind: 'went'; readonly step: StepName }

/** Messages from the console to the frame. */
export interface ToPreview {
  readonly kind: 'show'
  readonly previewed: PreviewedCheck
}

type MessageListener = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  readonly location: Pick<Location, 'origin'>
}

/**
 * Listens for messages from one window. [Note: The preview hears its console alone] Only accepts messages from this origin
 * and from the given window. Returns a function that stops listening.
 */
export function hear<Message>(
  here: MessageListener,
  from: () => MessageEventSource | null | undefined,
  take: (message: Message) => void,
): () => void {
  const listen = ({ origin, source, data }: MessageEvent) => {
    if (source !== null && origin === here.location.origin && source === from()) take(data as Message)
  }
  here.addEventListener('message', listen)
  return () => here.removeEventListener('message', listen)
}
