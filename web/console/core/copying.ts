import { copyText } from '#web/ui/copy-text.ts'
import { useConsole } from './console-context.ts'

/** Copies a text and says whether it was. */
export function useCopying(): (text: string) => Promise<boolean> {
  const { words, tell } = useConsole()
  return async (text) => {
    const isCopied = await copyText(text)
    const { feedback } = words.value
    tell(isCopied ? feedback.copied : feedback.notCopied)
    return isCopied
  }
}
