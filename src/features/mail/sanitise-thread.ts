import { keepThread } from '../../server/thread.ts'
import { sanitiseMail as sanitise, type SanitisedMail } from './sanitise.ts'

/** Characters. Anything shorter is done in a few milliseconds, less than a thread takes to be asked. */
const short = 20_000

const inThread = keepThread<(html: string) => Promise<SanitisedMail>>(new URL('./sanitise-worker.ts', import.meta.url), {
  name: 'making mails harmless',
  patience: 30_000,
})

/** `sanitiseMail` without holding up everybody else. A mail that takes longer than half a minute has its words alone. */
export async function sanitiseMail(html: string): Promise<SanitisedMail> {
  if (html.length <= short) return sanitise(html)
  return inThread(html).catch(() => ({ html: '', remoteImages: 0, isCut: true }))
}
