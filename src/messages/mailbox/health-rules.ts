import type { Outcome } from '../../platform/connection-tests/contract.ts'
import type { MailProvider } from './rules.ts'

/**
 * The result of a mailbox test.
 * - `reconnect`: the sign-in was revoked or has expired.
 * - `away`: the provider does not respond.
 * - `busy`: it responds, but limits requests.
 * - `refused`: it responds, but does not allow access to the email.
 */
export type Health = 'works' | 'reconnect' | 'away' | 'busy' | 'refused'

const names: Record<MailProvider, string> = { nylas: 'Nylas', gmail: 'Gmail' }

/** The message for the mailbox's owner. */
export function healthOfOne(provider: MailProvider, health: Health): Outcome {
  const who = names[provider]
  switch (health) {
    case 'works':
      return { isOk: true, message: `Connected: ${who} gives Refyne access to your email.`, advice: null }
    case 'reconnect':
      return { isOk: false, message: 'The sign-in was revoked or has expired.', advice: 'Connect your mailbox again under Email.' }
    case 'away':
      return {
        isOk: false,
        message: `${who} does not answer.`,
        advice: 'Your mailbox is still connected. Please try again in a few minutes.',
      }
    case 'busy':
      return {
        isOk: true,
        message: `${who} is limiting requests.`,
        advice: 'Your mailbox is still connected. Refyne will try again.',
      }
    case 'refused':
      return {
        isOk: false,
        message: `${who} responds but refuses access to your email.`,
        advice: 'Disconnect your mailbox under Email, and connect it again.',
      }
  }
}

/** The message for an administrator. */
export function healthOfAll(mailboxes: readonly { owner: string; health: Health }[]): Outcome {
  if (mailboxes.length === 0) return { isOk: true, message: 'No one has connected a mailbox yet.', advice: null }
  const ownersOf = (wanted: readonly Health[]) => mailboxes.filter(({ health }) => wanted.includes(health)).map(({ owner }) => owner)
  const [gone, away, works] = [ownersOf(['reconnect', 'refused']), ownersOf(['away']), ownersOf(['works', 'busy'])]
  if (gone.length + away.length === 0) {
    return {
      isOk: true,
      message: works.length === 1 ? 'The connected mailbox answers.' : `All ${works.length} mailboxes answer.`,
      advice: null,
    }
  }
  const message = [
    gone.length > 0 && `${listPeople(gone)}: the sign-in was revoked or has expired.`,
    away.length > 0 && `${listPeople(away)}: the provider does not answer.`,
  ]
  const advice = [
    gone.length > 0 && 'Each owner reconnects their mailbox under Email.',
    away.length > 0 && 'Mailboxes that do not answer are retried automatically.',
    works.length > 0 && (works.length === 1 ? '1 other mailbox answers.' : `${works.length} other mailboxes answer.`),
  ]
  return { isOk: false, message: message.filter(Boolean).join(' '), advice: advice.filter(Boolean).join(' ') }
}

const maxListedNames = 3

const listPeople = (people: readonly string[]): string =>
  people.length > maxListedNames
    ? `${people.slice(0, maxListedNames).join(', ')} and ${people.length - maxListedNames} more`
    : people.join(', ')
