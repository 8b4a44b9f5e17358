import { useState } from 'react'
import { FaceCheck } from 'selfsame/react'

/** Requests a check from its own server, embeds it, and asks the same server for the result. */
export function App() {
  const [check, setCheck] = useState()
  const [words, setWords] = useState('')

  const begin = async () => {
    setWords('')
    setCheck(await (await fetch('/api/check', { method: 'POST' })).json())
  }
  const end = async () => {
    setCheck(undefined)
    const { passed } = await (await fetch(`/api/check/${check.id}`)).json()
    setWords(passed ? 'Your account is open.' : 'That was not enough. You can try again.')
  }
  const stop = ({ code }) => {
    setCheck(undefined)
    setWords(`The check could not be shown (${code}).`)
  }

  return (
    <main>
      <h1>Open an account</h1>
      {check === undefined ? (
        <button type="button" onClick={begin}>
          Check my face
        </button>
      ) : (
        <FaceCheck link={check.link} title="Face check" onOutcome={end} onError={stop} />
      )}
      <p role="status">{words}</p>
    </main>
  )
}
