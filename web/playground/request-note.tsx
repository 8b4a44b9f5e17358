import { useState } from 'preact/hooks'
import { copyText } from '#web/ui/copy-text.ts'
import { usePlayground } from './playground-context.ts'

interface RequestNoteProps {
  readonly curl: string
  readonly typescript: string
}

/** The request behind a result, ready to be copied. */
export function RequestNote({ curl, typescript }: RequestNoteProps) {
  const { words } = usePlayground()
  return (
    <details class="play-request">
      <summary>{words.request}</summary>
      <Code name="curl" text={curl} />
      <Code name="TypeScript" text={typescript} />
    </details>
  )
}

function Code({ name, text }: { name: string; text: string }) {
  const { words } = usePlayground()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => setCopied(await copyText(text))
  return (
    <div class="play-code">
      <div class="play-code-head">
        <span dir="ltr">{name}</span>
        <button type="button" class="play-press plain small" onClick={() => void copy()}>
          {isCopied ? words.copied : words.copy}
          <span class="play-heard"> {name}</span>
        </button>
      </div>
      <textarea
        dir="ltr"
        readOnly
        spellcheck={false}
        rows={text.split('\n').length + 1}
        aria-label={name}
        value={text}
      />
    </div>
  )
}
