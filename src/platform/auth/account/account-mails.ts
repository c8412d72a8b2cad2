import type { Db } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import { dayAndTime } from '../../../kernel/pdf/document.ts'
import { type Role, roleNames } from '../../../kernel/access/rules.ts'
import { linkMail, type Mail, plainMail } from '../../mail/rules.ts'
import { queueMail } from '../../mail/service.ts'

type To = { email: string; name: string }

/** What has happened to an account. `by`: the name of the administrator who did it. */
export type AccountNews =
  | { what: 'password' | 'two-factor-on' | 'two-factor-off' | 'recovery-codes' }
  | { what: 'two-factor-reset' | 'disabled'; by: string }
  | { what: 'approved' | 'enabled'; by: string; role: Role }
  | { what: 'role'; by: string; before: Role; role: Role }

/** Tells someone what has happened to their account, in the transaction in which it happens: if it was not them, they hear of it all the same. */
export const notifyPerson = (tx: Db, { env, now }: { env: Env; now: () => Date }, to: To, news: AccountNews): Promise<void> =>
  queueMail(tx, accountMail(env, to, news, now()))

/**
 * Except for anyone who is let in for the first time there is no link in it: a mail that says "something has happened to your account, click here" is
 * what people are told not to trust.
 */
function accountMail(env: Env, to: To, news: AccountNews, at: Date): Mail {
  const { subject, happened, means } = wordsOf(env, news)
  const paragraphs = [
    `Hello ${to.name},`,
    `${happened} This was on ${dayAndTime(at, env.PRACTICE_TIME_ZONE)}`.replace(/\.?$/, '.'),
    ...means,
  ]
  if (news.what !== 'approved') return plainMail(to.email, { subject, text: [...paragraphs, closing(news)].join('\n\n') })
  return linkMail(to.email, { subject, paragraphs, link: { label: 'Sign in', url: `${env.APP_URL}/auth` }, closing: closing(news) })
}

const closing = ({ what }: AccountNews): string =>
  what === 'password' || what === 'two-factor-on' || what === 'two-factor-off' || what === 'recovery-codes'
    ? 'If it was not you, ask an administrator at once to disable your account, and set a new password by “Forgot your password?” where you sign in.'
    : 'If you did not expect this, please ask an administrator.'

interface Words {
  subject: string
  happened: string
  /** What follows from it. */
  means: string[]
}

function wordsOf({ PRACTICE_NAME: practice }: Env, news: AccountNews): Words {
  switch (news.what) {
    case 'password':
      return {
        subject: `Your password for ${practice} was changed`,
        happened: `The password of your account at ${practice} was changed.`,
        means: ['You were signed out everywhere.'],
      }
    case 'two-factor-on':
      return {
        subject: `Two-factor authentication was turned on for ${practice}`,
        happened: `Two-factor authentication was turned on for your account at ${practice}.`,
        means: [
          'From now on signing in asks for a code of your authenticator app. Keep your recovery codes where you find them without your phone.',
        ],
      }
    case 'two-factor-off':
      return {
        subject: `Two-factor authentication was turned off for ${practice}`,
        happened: `Two-factor authentication was turned off for your account at ${practice}.`,
        means: ['From now on your password alone lets you in.'],
      }
    case 'recovery-codes':
      return {
        subject: `New recovery codes for ${practice}`,
        happened: `New recovery codes were made for your account at ${practice}.`,
        means: ['Those from before no longer work.'],
      }
    case 'two-factor-reset':
      return {
        subject: `Two-factor authentication was reset for ${practice}`,
        happened: `${news.by} has taken the authenticator app and the recovery codes off your account at ${practice}.`,
        means: ['Your password alone lets you in until you turn two-factor authentication on again, under Settings, Security.'],
      }
    case 'disabled':
      return {
        subject: `Your account at ${practice} was disabled`,
        happened: `${news.by} has disabled your account at ${practice}.`,
        means: ['You were signed out everywhere, and cannot sign in.'],
      }
    case 'enabled':
      return {
        subject: `Your account at ${practice} works again`,
        happened: `${news.by} has enabled your account at ${practice} again, as: ${roleNames[news.role]}.`,
        means: ['You can sign in with the password that you had.'],
      }
    case 'approved':
      return {
        subject: `You can sign in to ${practice}`,
        happened: `${news.by} has let you in to ${practice} as: ${roleNames[news.role]}.`,
        means: [],
      }
    case 'role':
      return {
        subject: `Your role at ${practice} was changed`,
        happened: `${news.by} has changed your role at ${practice} from ${roleNames[news.before]} to ${roleNames[news.role]}.`,
        means: ['You were signed out, and see what the new role sees once you sign in again.'],
      }
  }
}
