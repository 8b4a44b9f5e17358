import type { ComponentProps } from 'preact'
import { lazily } from '#web/console/ui/lazy.tsx'
import type { PreviewPanel } from './preview-panel.tsx'

/** The preview, loaded with the first page that shows one. */
export const Preview = lazily<ComponentProps<typeof PreviewPanel>>(
  async () => (await import('./preview-panel.tsx')).PreviewPanel,
)
