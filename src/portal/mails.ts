import type { Env } from '../kernel/env.ts'
import { linkMail, type Mail } from '../platform/mail/rules.ts'
import { codeSeconds } from './rules.ts'

const portalLink = (env: Env, email: string) => ({
  label: 'Open the portal',
  url: `${env.APP_URL}/PatientDocuments?email=${encodeURIComponent(email)}`,
})

/** The code stands alone on its line, so that a phone offers it. It says nothing of the patient, not even the name. */
export const codeMail = (env: Env, email: string, code: string): Mail =>
  linkMail(email, {
    subject: `${code} is your code for ${env.PRACTICE_NAME}`,
    paragraphs: ['Your code for the patient document portal is:', code, `It works once, within ${codeSeconds / 60} minutes.`],
    link: portalLink(env, email),
    closing: 'We never ask for this code by phone or email. If you did not ask for it, you can ignore this email.',
  })

export const sharedAddressMail = (env: Env, email: string): Mail =>
  linkMail(email, {
    subject: `Your documents at ${env.PRACTICE_NAME}`,
    paragraphs: [
      'Someone asked for a code to see documents.',
      'More than one patient has given us this address, so that we cannot tell who asks. Please call us: we will note an address for each of you.',
    ],
    link: portalLink(env, email),
    closing: 'If you did not ask for it, you can ignore this email.',
  })
