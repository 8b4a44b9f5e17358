import { copyText } from '#web/ui/copy-text.ts'
import { useConsole } from './console-context.ts'

/** Returns a function that copies text and resolves to true on success. */
export function useCopying(): (text: string) => Promise<boolean> {
  const { words, tell } = useConsole()
  return async (text) => {
    const isCopied = await copyText(text)
    const { feedback } = words.value
    tell(isCopied ? feedback.copied : feedback.notCopied)
    return isCopied
  }
}
