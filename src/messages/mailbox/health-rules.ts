import type { Outcome } from '../../platform/connection-tests/contract.ts'
import type { MailProvider } from './rules.ts'

/**
 * What came when a provider was asked. - `reconnect`: the sign-in was withdrawn, or is over. - `busy`: it answers, and wants fewer calls.
 * - `refused`: it answers, and does not show the mail.
 */
export type Health = 'works' | 'reconnect' | 'away' | 'busy' | 'refused'

const names: Record<MailProvider, string> = { nylas: 'Nylas', gmail: 'Gmail' }

/** In words for anyone who owns the mailbox. */
export function healthOfOne(provider: MailProvider, health: Health): Outcome {
  const who = names[provider]
  switch (health) {
    case 'works':
      return { isOk: true, said: `It works: ${who} let Refyne see your email.`, advice: null }
    case 'reconnect':
      return { isOk: false, said: 'The sign-in was withdrawn, or is over.', advice: 'Connect your mailbox again under Email.' }
    case 'away':
      return { isOk: false, said: `${who} does not answer.`, advice: 'Your mailbox is still connected. Please try again in a few minutes.' }
    case 'busy':
      return {
        isOk: true,
        said: `${who} answers, and asks for fewer calls.`,
        advice: 'Your mailbox is still connected. It is asked again by itself.',
      }
    case 'refused':
      return {
        isOk: false,
        said: `${who} answers, and does not show your email.`,
        advice: 'Disconnect your mailbox under Email, and connect it again.',
      }
  }
}

/** In words for an administrator. */
export function healthOfAll(mailboxes: readonly { owner: string; health: Health }[]): Outcome {
  if (mailboxes.length === 0) return { isOk: true, said: 'No one has connected a mailbox yet.', advice: null }
  const ownersOf = (wanted: readonly Health[]) => mailboxes.filter(({ health }) => wanted.includes(health)).map(({ owner }) => owner)
  const [gone, away, works] = [ownersOf(['reconnect', 'refused']), ownersOf(['away']), ownersOf(['works', 'busy'])]
  if (gone.length + away.length === 0) {
    return {
      isOk: true,
      said: works.length === 1 ? 'The mailbox that is connected answers.' : `All ${works.length} mailboxes answer.`,
      advice: null,
    }
  }
  const said = [
    gone.length > 0 && `${listPeople(gone)}: the sign-in was withdrawn, or is over.`,
    away.length > 0 && `${listPeople(away)}: the provider does not answer.`,
  ]
  const advice = [
    gone.length > 0 && 'Each connects their mailbox again under Email.',
    away.length > 0 && 'What does not answer is asked again by itself.',
    works.length > 0 && (works.length === 1 ? '1 other mailbox answers.' : `${works.length} other mailboxes answer.`),
  ]
  return { isOk: false, said: said.filter(Boolean).join(' '), advice: advice.filter(Boolean).join(' ') }
}

const maxListedNames = 3

const listPeople = (people: readonly string[]): string =>
  people.length > maxListedNames
    ? `${people.slice(0, maxListedNames).join(', ')} and ${people.length - maxListedNames} more`
    : people.join(', ')
