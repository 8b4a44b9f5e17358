/** The demo's script: changing a choice signs a new link immediately. Without the script, the button does the same. */
export const script = `const form = document.querySelector('form')
form?.addEventListener('change', async () => {
  const address = '/demo?' + new URLSearchParams(new FormData(form))
  const answer = await fetch(address)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  document.querySelector('section').replaceChildren(...page.querySelector('section').childNodes)
  history.replaceState(null, '', address)
})
`
