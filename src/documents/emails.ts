import type { Env } from '../kernel/env.ts'
import { linkMail, type Mail } from '../platform/mail/rules.ts'

/** The email that the portal promises after a review. It does not name the document, because others may read the email. */
export const reviewedMail = (env: Env, email: string, accepted: boolean): Mail =>
  linkMail(email, {
    subject: accepted ? `${env.PRACTICE_NAME} has received your document` : `${env.PRACTICE_NAME} could not use your document`,
    paragraphs: accepted
      ? ['Thank you. We reviewed a document that you sent us and added it to your file.']
      : ['We could not use a document that you sent us. The portal explains why, and you can send another one there.'],
    link: { label: 'Open the portal', url: `${env.APP_URL}/PatientDocuments?email=${encodeURIComponent(email)}` },
    closing: 'Please do not reply to this email. If you have a question, call us.',
  })
