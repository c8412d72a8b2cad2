import type { Env } from '../kernel/env.ts'
import { linkMail, type Mail } from '../platform/mail/rules.ts'

/** The portal's note promises it. What the document is called is not said: an email can be read by others. */
export const reviewedMail = (env: Env, email: string, accepted: boolean): Mail =>
  linkMail(email, {
    subject: accepted ? `${env.PRACTICE_NAME} has received your document` : `${env.PRACTICE_NAME} could not use your document`,
    paragraphs: accepted
      ? ['Thank you. A document that you sent us was reviewed and is on file.']
      : ['A document that you sent us could not be used. The portal says why, and you can send another there.'],
    link: { label: 'Open the portal', url: `${env.APP_URL}/PatientDocuments?email=${encodeURIComponent(email)}` },
    closing: 'Please do not answer this email. If you have a question, call us.',
  })
