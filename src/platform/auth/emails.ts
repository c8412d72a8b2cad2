import type { Env } from '../../kernel/env.ts'
import { linkMail, type Mail } from '../mail/rules.ts'

type To = { email: string; name: string; emailVerified: boolean }

export const verificationMail = (env: Env, to: Pick<To, 'email'>, token: string): Mail =>
  linkMail(to.email, {
    subject: `Verify your email address for ${env.PRACTICE_NAME}`,
    // Anyone may have typed the name, so it appears in no email before the address is verified.
    paragraphs: ['Hello,', 'Please confirm that this is your email address. The link works for 24 hours.'],
    link: { label: 'Verify my email address', url: `${env.APP_URL}/verify-email?token=${encodeURIComponent(token)}` },
    closing: 'If you did not create an account, you can ignore this email.',
  })

/** Spec 2: the link leads back to /update-password. */
export const passwordResetMail = (env: Env, to: To, token: string): Mail =>
  linkMail(to.email, {
    subject: `Reset your password for ${env.PRACTICE_NAME}`,
    paragraphs: [
      to.emailVerified ? `Hello ${to.name},` : 'Hello,',
      'Someone asked to reset the password of your account. The link works once, within one hour.',
    ],
    link: { label: 'Set a new password', url: `${env.APP_URL}/update-password?token=${encodeURIComponent(token)}` },
    closing: 'If it was not you, you can ignore this email. Your password stays as it is.',
  })

export const invitationMail = (env: Env, { email, by, role }: { email: string; by: string; role: string }, token: string): Mail =>
  linkMail(email, {
    subject: `You are invited to ${env.PRACTICE_NAME}`,
    paragraphs: [
      'Hello,',
      `${by} has invited you to join ${env.PRACTICE_NAME} as: ${role}. The link works once, within 7 days. You choose your name and your password there.`,
    ],
    link: { label: 'Accept the invitation', url: `${env.APP_URL}/invitation?token=${encodeURIComponent(token)}` },
    closing: 'If you did not expect this, you can ignore this email.',
  })
