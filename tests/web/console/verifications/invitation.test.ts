import { expect, test } from 'vitest'
import { pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import { mailAddress, messageOf, textAddress } from '#web/console/verifications/invitation.ts'
import { invitationTexts } from '#web/console/verifications/invitation-texts.ts'
import { places } from '../../support/phrases.ts'

const invitation = {
  account: 'Müller & Söhne',
  link: 'https://verify.example/verification/v1?a=1&b=2#x',
  until: Date.UTC(2027, 0, 31, 12, 30),
}

test.each(pageLanguages)('the message in %s names who asks, the link and until when it works', (language) => {
  const { subject, body } = invitationTexts[language]
  expect(places(subject)).toEqual(['{account}'])
  expect(places(body)).toEqual(['{account}', '{link}', '{time}'])
  const message = messageOf(invitation, invitationTexts[language], language, 'UTC')
  expect(message.subject).toContain(invitation.account)
  expect(message.body).toContain(`\n${invitation.link}\n`)
  expect(message.body).toContain(new Intl.NumberFormat(language, { useGrouping: false }).format(2027))
  const others = pageLanguages.filter((one) => one !== language)
  expect(others.map((one) => invitationTexts[one].body)).not.toContain(body)
})

test('the links to mail and messages contain the whole text, and nothing more than once', () => {
  const message = messageOf(invitation, invitationTexts.en, 'en', 'UTC')
  const mail = new URL(mailAddress(message))
  expect(mail.pathname).toBe('')
  expect([...mail.searchParams.keys()]).toEqual(['subject', 'body'])
  expect(mail.searchParams.get('subject')).toBe('A quick face check for Müller & Söhne')
  expect(mail.searchParams.get('body')!.replaceAll('\r\n', '\n')).toBe(message.body)
  expect(mail.hash).toBe('')
  const text = new URL(textAddress(message))
  expect(text.searchParams.get('body')).toBe(message.body)
})

test('a name cannot add a header or a recipient', () => {
  const hostile = { ...invitation, account: 'x\r\nBcc: all@example.com&bcc=all@example.com' }
  const mail = mailAddress(messageOf(hostile, invitationTexts.en, 'en', 'UTC'))
  expect([...new URL(mail).searchParams.keys()]).toEqual(['subject', 'body'])
  expect(mail).not.toMatch(/[\r\n]/)
})
