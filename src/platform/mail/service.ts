import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { sendMail } from './jobs.ts'
import type { Mail } from './rules.ts'

export { patientClosing, patientMail, patientUrl, portalLink } from './patient-mail.ts'
export { handOver } from './deliver.ts'
export { withLetterhead } from './letterhead.ts'
export { sendMail } from './jobs.ts'
export { type EmbeddedPicture, embedPictures } from './pictures.ts'
export { sanitiseMail, sanitiseWritten } from './sanitise-thread.ts'
export { askSenderDomain } from './sender-domain.ts'
export { suppressionOf } from './suppression.ts'
export { textOfHtml } from './labels.ts'

/** Queues an email, sent once the caller's transaction commits. */
export const queueMail = (tx: Db, letter: Mail): Promise<void> => enqueue(tx, sendMail, letter)
