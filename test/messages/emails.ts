import type { TestServer } from '../server.ts'
import { until } from '../until.ts'

/** Emails to an address, newest first; waits until there are `count`. */
export const emailsTo = (server: TestServer, address: string, count = 1) =>
  until(() => {
    const emails = server.outbox.messages.filter((mail) => mail.To?.toLowerCase().includes(address.toLowerCase()))
    return emails.length >= count && emails
  })

/** The link in the newest email to an address. */
export async function emailedLink(server: TestServer, address: string, count = 1): Promise<URL> {
  const [mail] = await emailsTo(server, address, count)
  return new URL(/^https?:\S+$/m.exec(mail?.TextBody ?? '')?.[0] ?? '')
}

export const tokenOf = (link: URL): string => link.searchParams.get('token') ?? ''
