import { lazily } from '#web/console/ui/lazy.tsx'
import type { PreviewPanelProps } from './preview-panel.tsx'

/** Loads the preview on demand. */
export const Preview = lazily<PreviewPanelProps>(
  async () => (await import('./preview-panel.tsx')).PreviewPanel,
)
