import type { Db } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import { formatMediumInstant } from '../../../shared/translations.ts'
import { type Role, roleNames } from '../../../kernel/access/rules.ts'
import { linkMail, type Mail, plainMail } from '../../mail/rules.ts'
import { queueMail } from '../../mail/service.ts'

type To = { email: string; name: string }

/** An event in an account. `by`: the name of the administrator who caused it. */
export type AccountEvent =
  | { what: 'password' | 'two-factor-on' | 'two-factor-off' | 'recovery-codes' | 'sso-linked' | 'passkey-added' | 'passkey-removed' }
  | { what: 'two-factor-reset' | 'disabled' | 'emergency'; by: string }
  | { what: 'approved' | 'enabled'; by: string; role: Role }
  | { what: 'role'; by: string; before: Role; role: Role }

/** Emails someone about a change to their account, in the same transaction, so that they hear of changes they didn't make. */
export const notifyPerson = (tx: Db, { env, now }: { env: Env; now: () => Date }, to: To, news: AccountEvent): Promise<void> =>
  queueMail(tx, accountMail(env, to, news, now()))

/**
 * Contains no link except for first-time approvals: people learn not to trust emails that say "something happened to your account,
 * click here".
 */
function accountMail(env: Env, to: To, news: AccountEvent, at: Date): Mail {
  const { subject, happened, means } = wordsOf(env, news)
  const paragraphs = [
    `Hello ${to.name},`,
    `${happened} This was on ${formatMediumInstant(at, 'en', env.PRACTICE_TIME_ZONE)}`.replace(/\.?$/, '.'),
    ...means,
  ]
  if (news.what !== 'approved') return plainMail(to.email, { subject, text: [...paragraphs, closing(env, news)].join('\n\n') })
  return linkMail(to.email, { subject, paragraphs, link: { label: 'Sign in', url: `${env.APP_URL}/auth` }, closing: closing(env, news) })
}

/** What only the account's owner can do. */
const ownChanges: ReadonlySet<AccountEvent['what']> = new Set([
  'password',
  'two-factor-on',
  'two-factor-off',
  'recovery-codes',
  'sso-linked',
  'passkey-added',
  'passkey-removed',
])

function closing({ OIDC_ONLY, OIDC_NAME }: Env, { what }: AccountEvent): string {
  if (!ownChanges.has(what)) return 'If you did not expect this, please ask an administrator.'
  // Someone else's passkey would survive a new password, and works again in an account that is enabled again.
  const ask =
    what === 'passkey-added'
      ? 'to use “Reset two-factor” for your account right away, which removes all passkeys'
      : 'to disable your account right away'
  const password = OIDC_ONLY
    ? `change your password at ${OIDC_NAME}`
    : 'set a new password with “Forgot your password?” on the sign-in page'
  return `If this wasn’t you, ask an administrator ${ask}, and ${password}.`
}

interface Words {
  subject: string
  happened: string
  /** The consequence for the user. */
  means: string[]
}

function wordsOf({ PRACTICE_NAME: practice, OIDC_NAME: provider, OIDC_ONLY }: Env, news: AccountEvent): Words {
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
          'From now on, signing in requires a code from your authenticator app. Keep your recovery codes somewhere you can reach without your phone.',
        ],
      }
    case 'two-factor-off':
      return {
        subject: `Two-factor authentication was turned off for ${practice}`,
        happened: `Two-factor authentication was turned off for your account at ${practice}.`,
        means: ['From now on, you can sign in with your password alone.'],
      }
    case 'recovery-codes':
      return {
        subject: `New recovery codes for ${practice}`,
        happened: `New recovery codes were created for your account at ${practice}.`,
        means: ['Those from before no longer work.'],
      }
    case 'sso-linked':
      return {
        subject: `${provider} was linked to your account for ${practice}`,
        happened: `Someone signed in to your account at ${practice} with ${provider} for the first time.`,
        means: [`From now on, you can sign in with ${provider}.`],
      }
    case 'passkey-added':
      return {
        subject: `A passkey was added for ${practice}`,
        happened: `A passkey was added to your account at ${practice}.`,
        means: [`From now on, you can ${OIDC_ONLY ? 'confirm sensitive actions with it' : 'sign in with it instead of your password'}.`],
      }
    case 'passkey-removed':
      return {
        subject: `A passkey was removed for ${practice}`,
        happened: `A passkey was removed from your account at ${practice}.`,
        means: ['It no longer works here. You can delete it on your device as well.'],
      }
    case 'two-factor-reset':
      return {
        subject: `Two-factor authentication was reset for ${practice}`,
        happened: `${news.by} has removed the authenticator app, recovery codes and passkeys from your account at ${practice}.`,
        means: ['You can sign in with your password alone until you turn two-factor authentication on again under Settings, Security.'],
      }
    case 'emergency':
      return {
        subject: `${news.by} signed in to ${practice} with emergency access`,
        happened: `${news.by} signed in to ${practice} with a password or passkey, although single sign-on is required.`,
        means: ['The audit log shows what was done.'],
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
        means: ['You can sign in with your existing password.'],
      }
    case 'approved':
      return {
        subject: `You can sign in to ${practice}`,
        happened: `${news.by} has approved your account at ${practice}. Your role: ${roleNames[news.role]}.`,
        means: [],
      }
    case 'role':
      return {
        subject: `Your role at ${practice} was changed`,
        happened: `${news.by} has changed your role at ${practice} from ${roleNames[news.before]} to ${roleNames[news.role]}.`,
        means: ['You were signed out. The new role applies when you sign in again.'],
      }
  }
}
