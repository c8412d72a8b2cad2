import type { Env } from '../kernel/env.ts'
import { linkMail, type Mail } from '../platform/mail/rules.ts'
import { codeSeconds } from './rules.ts'

const portalLink = (env: Env, email: string) => ({
  label: 'Open the portal',
  url: `${env.APP_URL}/PatientDocuments?email=${encodeURIComponent(email)}`,
})

/**
 * The code has its own paragraph, so that phones offer it for autofill. The email contains nothing about the patient, not even the name.
 */
export const codeMail = (env: Env, email: string, code: string): Mail =>
  linkMail(email, {
    subject: `${code} is your code for ${env.PRACTICE_NAME}`,
    paragraphs: ['Your code for the patient document portal is:', code, `It works once and expires in ${codeSeconds / 60} minutes.`],
    link: portalLink(env, email),
    closing: 'We never ask for this code by phone or email. If you did not ask for it, you can ignore this email.',
  })

export const sharedAddressMail = (env: Env, email: string): Mail =>
  linkMail(email, {
    subject: `Your documents at ${env.PRACTICE_NAME}`,
    paragraphs: [
      'Someone requested a code to view documents.',
      'More than one patient has given us this email address, so we can’t tell who is asking. Please call us so that we can add an address for each of you.',
    ],
    link: portalLink(env, email),
    closing: 'If you did not ask for it, you can ignore this email.',
  })
