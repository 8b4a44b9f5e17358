import { lazily } from '#web/console/ui/lazy.tsx'
import type { PreviewPanelProps } from './preview-panel.tsx'

/** The preview, loaded with the first page that shows one. */
export const Preview = lazily<PreviewPanelProps>(
  async () => (await import('./preview-panel.tsx')).PreviewPanel,
)
