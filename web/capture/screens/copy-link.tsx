import { useState } from 'preact/hooks'
import { Button, type ButtonKind } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import type { Wording } from '#web/wording/wording.ts'

interface CopyLinkProps {
  readonly kind: ButtonKind
  readonly url: string
  readonly wording: Wording
}

/** Copies an address. If the browser refuses, shows it so that the person can copy it manually. */
export function CopyLink({ kind, url, wording }: CopyLinkProps) {
  const { button, text } = wording
  const [tried, setTried] = useState({ url: '', isCopied: false })
  const isTried = tried.url === url
  const copy = async () => setTried({ url, isCopied: await copyText(url) })
  return (
    <>
      <Button kind={kind} onPress={copy}>
        {isTried && tried.isCopied ? button.copied : button.copyLink}
      </Button>
      {isTried && !tried.isCopied && (
        <div class="copied-by-hand">
          <p role="status">{text.copyByHand}</p>
          <input
            readOnly
            dir="ltr"
            aria-label={text.address}
            value={url}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </div>
      )}
    </>
  )
}
